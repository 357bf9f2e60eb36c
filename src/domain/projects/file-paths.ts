/** What a file inside a version may be called: one form for zips, forms and lone files (CONTRACT §8). */
import { Result } from "effect"
import { invalid } from "../failures.ts"
import type { Invalid } from "../failures.ts"

const MAX_PATH_BYTES = 1024
const MAX_SEGMENT_BYTES = 255

const encoder = new TextEncoder()

// Ten thousand paths of five hundred segments each are looked at in one go: none is taken apart.
/** A segment that is empty, `.` or `..`. */
const OUT = /(?:^|\/)\.{0,2}(?:\/|$)/
/** Segments that may be too long: a unit is at most three bytes. */
const LONG = /(?<![^/])[^/]{86,}/g

/** Why a path is refused, or nothing. Relative, `/`-separated, NFC; never out of the version, never under `_svc/`. */
export const pathFault = (path: string): string | undefined => {
  if (path === "" || path.endsWith("/")) return "names no file"
  if (!path.isWellFormed() || /[\p{Cc}\u2028\u2029]/u.test(path)) return "has characters that no address can hold"
  if (path.includes("\\")) return "has a backslash"
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "is absolute"
  if (OUT.test(path)) return "leads out of the site"
  if (/^_svc(?:\/|$)/i.test(path)) return "is under _svc/, which belongs to the service"
  if (encoder.encode(path).length > MAX_PATH_BYTES) return "is too long"
  if (path.match(LONG)?.some((segment) => encoder.encode(segment).length > MAX_SEGMENT_BYTES) === true) return "is too long"
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

const SLASH = 0x2f
/** No path holds it. */
const LOWEST = 0x01

/** With the slash lowest, a file sorts right before whatever lies "in" it. */
const keyOf = (path: string): Buffer => {
  const key = Buffer.from(path.toLowerCase().normalize("NFC"))
  for (let at = 0; at < key.length; at++) if (key[at] === SLASH) key[at] = LOWEST
  return key
}

/**
 * Two files at one path, or a file where another needs a folder: by case too, since not every disk can tell, and what
 * is downloaded must unpack anywhere. In bytes, since ten thousand strings of many pieces would hold up everybody.
 */
export const clashIn = (paths: ReadonlyArray<string>): { readonly path: string; readonly message: string } | undefined => {
  const keys = paths.map(keyOf).sort(Buffer.compare)
  for (const [index, key] of keys.entries()) {
    const next = keys[index + 1]
    if (next === undefined || !next.subarray(0, key.length).equals(key)) continue
    const path = key.toString().replaceAll("\u0001", "/")
    if (next.length === key.length) return { path, message: "Two entries have the same name." }
    if (next[key.length] === LOWEST) return { path, message: "An entry is both a file and a folder." }
  }
  return undefined
}
