/** A zip is always refused as a whole, with the entry that was the reason. */
import type { Invalid } from "../../domain/failures.ts"
import { refusedPath as refuse } from "../../domain/projects/file-paths.ts"

export { refuse }

export const damaged = (): Invalid => refuse("The zip is damaged, or not a zip.")
