/** A zip is always refused as a whole, with the entry that was the reason. */
import { Invalid } from "../../domain/failures.ts"

const SHOWN = 200

export const refuse = (message: string, entry?: string): Invalid =>
  new Invalid({
    message,
    field: "file",
    details: { errors: [{ field: "file", message }], ...(entry === undefined ? {} : { entry: entry.slice(0, SHOWN).toWellFormed() }) }
  })

export const damaged = (): Invalid => refuse("The zip is damaged, or not a zip.")
