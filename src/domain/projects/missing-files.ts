/** Which files a version's documents name that it does not hold: it is live all the same, and its publisher is told. */
import { Effect } from "effect"
import { cut, escaped } from "../labels/model.ts"
import { countText } from "../words.ts"
import { spelled } from "./file-paths.ts"
import type { Kind } from "./model.ts"
import { pathsNamed } from "./documents/named-files.ts"
import { textOf } from "./documents/titles.ts"

/** Bytes read of all documents together, and how many of them: what a page loads, most pages load. */
const READ = 256 * 1024
const DOCUMENTS = 20
/** Paths that are told, and those that the message names. */
const TOLD = 50
const NAMED = 5
const WIDE = 200

export interface MissingFiles {
  readonly count: number
  /** The first of them. */
  readonly paths: ReadonlyArray<string>
  /** The same in words. */
  readonly message: string
}

interface Document {
  readonly path: string
  /** Its Content-Type. */
  readonly type: string
}

const TYPES = { markdown: /^text\/markdown\b/, site: /^text\/html\b/ }

/** Those that are read, of ten thousand: the first page comes first. */
const documentsAmong = <A extends Document>(type: RegExp, files: ReadonlyArray<A>): ReadonlyArray<A> => {
  const found: Array<A> = []
  const first = files.find(({ path }) => path === "index.html")
  if (first !== undefined && type.test(first.type)) found.push(first)
  for (const file of files) {
    if (found.length === DOCUMENTS) break
    if (file !== first && type.test(file.type)) found.push(file)
  }
  return found
}

/** The paths that the documents among these files name. `read`: at most so many of a file's first bytes. */
export const namesIn = Effect.fnUntraced(function*<A extends Document, E>(kind: Kind | null, files: ReadonlyArray<A>, read: (file: A, most: number) => Effect.Effect<Uint8Array, E>) {
  const named = new Set<string>()
  if (kind !== "markdown" && kind !== "site") return named
  let left = READ
  for (const file of documentsAmong(TYPES[kind], files)) {
    const bytes = yield* read(file, left)
    left -= bytes.length
    for (const path of pathsNamed(kind, textOf(kind, bytes, file.type), file.path)) named.add(path)
    if (left === 0) break
    yield* Effect.yieldNow
  }
  return named
})

/** A page may be named without its ending, and by its folder. */
const isHeld = (path: string, held: ReadonlySet<string>): boolean => [path, `${path}.html`, `${path}/index.html`].some((one) => held.has(one))

const told = (paths: ReadonlyArray<string>): string => {
  const more = paths.length - NAMED
  const names = paths.slice(0, NAMED).map((path) => JSON.stringify(path)).join(", ")
  return `${paths.length === 1 ? "It names a file that is" : `It names ${countText(paths.length, "file")} that are`} not there: ${names}${more > 0 ? ` and ${more} more` : ""}.`
}

/** Undefined where nothing is missing. `held`: every path of the version. */
export const missingAmong = (named: ReadonlySet<string>, held: () => Iterable<string>): MissingFiles | undefined => {
  if (named.size === 0) return undefined
  const all = new Set(held())
  const missing = [...named].filter((path) => !isHeld(spelled(path), all)).map((path) => escaped(cut(path, WIDE).toWellFormed()))
  return missing.length === 0 ? undefined : { count: missing.length, paths: missing.slice(0, TOLD), message: told(missing) }
}
