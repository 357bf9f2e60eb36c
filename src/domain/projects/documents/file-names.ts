/** The name of a single file in its version: the given name made safe, or a default for its kind. */
import mime from "mime-types"
import { pathFault } from "../file-paths.ts"

const MAX_LENGTH = 120

/** The part after the last dot of the last segment, in lower case; "" if there is none (`.htaccess` has none). */
export const extensionOf = (path: string): string => /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ""

const EXTENSIONS: Readonly<Record<string, string>> = {
  "audio/mpeg": "mp3",
  "image/jpeg": "jpg",
  "video/quicktime": "mov",
  "image/tiff": "tif",
  "application/x-ndjson": "ndjson"
}

export const extensionFor = (type: string): string => EXTENSIONS[type] ?? (mime.extension(type) || "")

const clipped = (name: string): string => {
  const extension = extensionOf(name)
  const characters = [...name]
  if (characters.length <= MAX_LENGTH) return name
  const ending = extension === "" || extension.length > 16 ? "" : `.${extension}`
  return characters.slice(0, MAX_LENGTH - ending.length).join("").trimEnd() + ending
}

/** The last segment of a given name, without characters that file systems or headers do not allow; undefined if nothing is left. */
const safe = (given: string): string | undefined => {
  const name = given.toWellFormed().normalize("NFC").split(/[/\\]/).at(-1)!
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029\ufffd<>:"|?*]/gu, "")
    .replaceAll(/\s+/g, " ")
    .replace(/^[. ]+/, "")
    .replace(/[. ]+$/, "")
  return name === "" || pathFault(name) !== undefined ? undefined : clipped(name)
}

/** `fits`: whether the given name's extension may stay; otherwise `extension` is added. */
export const fileName = (
  given: string | undefined,
  fallback: string,
  extension: string,
  fits: (extension: string) => boolean
): string => {
  const name = given === undefined ? undefined : safe(given)
  if (name === undefined) return extension === "" ? fallback : `${fallback}.${extension}`
  return extension === "" || fits(extensionOf(name)) ? name : `${name}.${extension}`
}
