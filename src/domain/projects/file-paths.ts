/** What a file inside a version may be called: one form for zips, forms and lone files (CONTRACT §8). */
import { Result } from "effect"
import { invalid } from "../failures.ts"
import type { Invalid } from "../failures.ts"

const MAX_PATH_BYTES = 1024
const MAX_SEGMENT_BYTES = 255

const encoder = new TextEncoder()

/** Why a path is refused, or nothing. Relative, `/`-separated, NFC; never out of the version, never under `_svc/`. */
export const pathFault = (path: string): string | undefined => {
  if (path === "" || path.endsWith("/")) return "names no file"
  if (!path.isWellFormed() || /[\p{Cc}\u2028\u2029]/u.test(path)) return "has characters that no address can hold"
  if (path.includes("\\")) return "has a backslash"
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "is absolute"
  const segments = path.split("/")
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) return "leads out of the site"
  if (segments[0]!.toLowerCase() === "_svc") return "is under _svc/, which belongs to the service"
  if (encoder.encode(path).length > MAX_PATH_BYTES) return "is too long"
  if (segments.some((segment) => encoder.encode(segment).length > MAX_SEGMENT_BYTES)) return "is too long"
  return undefined
}

export const filePath = (given: string): Result.Result<string, Invalid> => {
  const path = given.normalize("NFC").replace(/^\.\//, "")
  const fault = pathFault(path)
  return fault === undefined
    ? Result.succeed(path)
    : Result.fail(invalid({ field: "file", message: `The name of a file ${fault}.` }))
}
