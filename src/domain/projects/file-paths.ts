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

/** The one spelling of a path, whoever wrote it. */
export const spelled = (given: string): string => given.normalize("NFC").replace(/^\.\//, "")

export const filePath = (given: string): Result.Result<string, Invalid> => {
  const path = spelled(given)
  const fault = pathFault(path)
  return fault === undefined
    ? Result.succeed(path)
    : Result.fail(invalid({ field: "file", message: `The name of a file ${fault}.` }))
}

/** What operating systems add to every folder and nobody means to publish. */
export const isLitter = (path: string): boolean => {
  const last = path.slice(path.lastIndexOf("/") + 1)
  return path.startsWith("__MACOSX/") || last === ".DS_Store" || last === "Thumbs.db"
}

/**
 * Two files at one path, or a file where another needs a folder: by case too, since not every disk can tell, and what
 * is downloaded must unpack anywhere.
 */
export const clashIn = (paths: ReadonlyArray<string>): { readonly path: string; readonly message: string } | undefined => {
  // With the slash lowest, a file sorts right before whatever lies "in" it.
  const keys = paths.map((path) => path.toLowerCase().normalize("NFC").replaceAll("/", "\u0001")).sort()
  for (const [index, key] of keys.entries()) {
    const next = keys[index + 1]
    const path = key.replaceAll("\u0001", "/")
    if (next === key) return { path, message: "Two entries have the same name." }
    if (next?.startsWith(`${key}\u0001`)) return { path, message: "An entry is both a file and a folder." }
  }
  return undefined
}
