/** A zip is always refused as a whole, with the entry that was the reason. */
import type { Invalid } from "../../domain/failures.ts"
import { refusedPath } from "../../domain/projects/file-paths.ts"

export const damaged = (): Invalid => refusedPath("The zip is damaged, or not a zip. Pack it again.")

export const locked = (entry?: string): Invalid => refusedPath("The zip is protected by a password. Pack it again without one.", entry)
