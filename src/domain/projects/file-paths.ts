/** The rules of file paths in a version, the same for zips, forms and single files (CONTRACT §8). */
import { Result } from "effect"
import { Invalid } from "../failures.ts"
import { composed, cut, escaped, isOneLine } from "../labels/model.ts"

const MAX_PATH_BYTES = 1024
const MAX_SEGMENT_BYTES = 255
/** Of all files of a version together, in UTF-8. Every page served looks its file up among them. */
export const MAX_NAMES_BYTES = 2_000_000

const encoder = new TextEncoder()

// Ten thousand paths of five hundred segments each are checked in one go, so none is split into segments.
/** A segment that is `.` or `..`. */
const OUT = /(?:^|\/)\.{1,2}(?:\/|$)/
/** Segments that may be too long, as a path may: a UTF-16 code unit is at most three bytes in UTF-8. */
const LONG = /(?<![^/])[^/]{86,}/g
/** Embeddings, overrides and isolates; the marks of Hebrew and Arabic names turn nothing around. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/

/** Why a path is refused; undefined if it is fine. Paths are relative, `/`-separated, NFC, turn no text around, and never lead out of the version or under `_svc/`. */
export const pathFault = (path: string): string | undefined => {
  if (path === "" || path.endsWith("/")) return "names no file"
  if (!isOneLine(path)) return "has characters that no address can hold"
  if (TURNS.test(path)) return "has a character that turns text around"
  if (path.includes("\\")) return "has a backslash"
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "is absolute"
  if (path.includes("//")) return "has two slashes in a row"
  if (OUT.test(path)) return "leads out of the site"
  if (/^_svc(?:\/|$)/i.test(path)) return "is under _svc/, which belongs to the service"
  if (path.length > MAX_PATH_BYTES / 3 && encoder.encode(path).length > MAX_PATH_BYTES) return "is too long"
  if (path.match(LONG)?.some((segment) => encoder.encode(segment).length > MAX_SEGMENT_BYTES) === true) return "is too long"
  return undefined
}

/** In NFC, unless it is too long for a path in any form. */
export const composedPath = (given: string): string => composed(given, 2 * MAX_PATH_BYTES)

/** The canonical spelling of a path. */
export const spelled = (given: string): string => composedPath(given).replace(/^\.\//, "")

const SHOWN = 200

/** Names the file, with what is hidden in its name written out. */
export const refusedPath = (message: string, path?: string): Invalid =>
  new Invalid({
    message,
    field: "file",
    details: { errors: [{ field: "file", message }], ...(path === undefined ? {} : { entry: escaped(cut(path, SHOWN).toWellFormed()) }) }
  })

export const filePath = (given: string): Result.Result<string, Invalid> => {
  const path = spelled(given)
  const fault = pathFault(path)
  return fault === undefined
    ? Result.succeed(path)
    : Result.fail(refusedPath(`The name of a file ${fault}. Rename it.`, path))
}

export const namesMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path)
export const namesImage = (path: string): boolean => /\.(?:apng|avif|bmp|gif|hei[cf]|ico|jfif|jpe?g|png|svg|tiff?|webp)$/i.test(path)
export const namesVideo = (path: string): boolean => /\.(?:m4v|mov|mp4|mpe?g|ogv|webm)$/i.test(path)
const namesCaptions = (path: string): boolean => /\.vtt$/i.test(path)

/** Formats that are compressed already: deflating them again costs time and saves nothing. */
export const namesDense = (path: string): boolean => /\.(?:avif|br|gif|gz|hei[cf]|jpe?g|m4v|mov|mp[34]|og[gv]|pdf|png|webm|webp|woff2?|zip)$/i.test(path)

/** What files are together that need no first page, by their names: one Markdown with its images, or one video with its still and captions (SPEC §3). */
export const documentOf = (paths: ReadonlyArray<string>): "markdown" | "video" | undefined => {
  const is = (main: (path: string) => boolean, ...beside: ReadonlyArray<(path: string) => boolean>) =>
    paths.filter(main).length === 1 && paths.every((path) => main(path) || beside.some((fits) => fits(path)))
  return is(namesMarkdown, namesImage) ? "markdown" : is(namesVideo, namesImage, namesCaptions) ? "video" : undefined
}

/** The one folder that holds all of the paths, with its slash; "" if there is none. */
export const topFolder = (paths: ReadonlyArray<string>): string => {
  const [first = ""] = paths
  const top = first.slice(0, first.indexOf("/") + 1)
  return paths.every((path) => path.startsWith(top)) ? top : ""
}

/** The only page at the top of a folder, which may be meant as its first. */
export const lonePage = (paths: ReadonlyArray<string>): string | undefined => {
  const pages = paths.filter((path) => /^[^/]+\.html?$/i.test(path))
  return pages.length === 1 ? pages[0] : undefined
}

/** Files that operating systems add to folders and nobody means to publish. */
export const isLitter = (path: string): boolean => {
  const last = path.slice(path.lastIndexOf("/") + 1)
  return path.startsWith("__MACOSX/") || last.startsWith("._") || last === ".DS_Store" || last === "Icon\r" || last === "Thumbs.db" || last === "desktop.ini"
}

const SLASH = 0x2f
/** Occurs in no path. */
const LOWEST = 0x01

/** Unicode's full case folding, which JavaScript lacks: ß is ss, ς is σ; but ı is not i, which only its capital is. */
const folded = (path: string): string =>
  path.replaceAll(/[^ı]+/g, (part) => part.toLowerCase().toUpperCase().toLowerCase()).replaceAll("ς", "σ")

/** What Windows drops at the end of a name; a run of it is tried only once, from its beginning. */
const DROPPED = /(?<![. ])[. ]+(?=\/|$)/g

/** With the slash sorting lowest, a file comes right before the files in a folder of the same name. */
const keyOf = (path: string): Buffer => {
  const key = Buffer.from(folded(path).normalize("NFC").replaceAll(DROPPED, ""))
  for (let at = 0; at < key.length; at++) if (key[at] === SLASH) key[at] = LOWEST
  return key
}

export interface Clash {
  /** Both, where they are spelled differently; undefined where it is about all of them. */
  readonly path?: string
  readonly message: string
}

/** Paths whose keys are made in one go: some letters take long to fold. */
const AT_ONCE = 100

/**
 * Finds two files at one path, a file where another needs a folder, or names that are too long together. Case, and dots and spaces at the
 * end of a name, are ignored: not every file system distinguishes them, and a download must unpack anywhere. Compares bytes, since comparing
 * ten thousand strings would block the event loop too long, and stops now and then, to be resumed once others had their turn.
 */
export function* lookForClash(paths: ReadonlyArray<string>): Generator<undefined, Clash | undefined> {
  const all: Array<{ readonly path: string; readonly key: Buffer }> = []
  let bytes = 0
  for (const path of paths) {
    bytes += Buffer.byteLength(path)
    if (bytes > MAX_NAMES_BYTES) return { message: "The paths of all files together are longer than 2 MB. Shorten the names of folders." }
    if (all.push({ path, key: keyOf(path) }) % AT_ONCE === 0) yield
  }
  all.sort((one, other) => Buffer.compare(one.key, other.key))
  for (const [index, { key, path }] of all.entries()) {
    const next = all[index + 1]
    if (next === undefined || !next.key.subarray(0, key.length).equals(key)) continue
    if (next.key.length === key.length) {
      return next.path.normalize("NFC") === path.normalize("NFC")
        ? { path, message: "Two entries have the same name." }
        : { path: `${path}, ${next.path}`, message: "Two names differ only in what many systems ignore, such as capitals. Rename one of them." }
    }
    if (next.key[key.length] === LOWEST) return { path, message: "An entry is both a file and a folder." }
  }
  return undefined
}

/** The same without stopping. */
export const clashIn = (paths: ReadonlyArray<string>): Clash | undefined => {
  const looking = lookForClash(paths)
  for (;;) {
    const step = looking.next()
    if (step.done === true) return step.value
  }
}
