/**
 * The kind of a published file (CONTRACT §8): (1) from its Content-Type; (2) without a meaningful one, from its bytes and its
 * name; (3) a text without either may keep the kind of the file that it replaces. An unsupported type is a fault.
 */
import mime from "mime-types"
import type { Fault } from "../../failures.ts"
import { HEAD_BYTES } from "../../ports/packs.ts"
import { extensionFor, extensionOf, fileName } from "./file-names.ts"
import { beginsAsJson, isJson } from "./json-beginnings.ts"
import type { Kind } from "../model.ts"
import { encodingOf, isText, oldEncodingOf } from "./text-encodings.ts"
import type { Letters } from "./text-encodings.ts"
import { nothing, unlike, unshown } from "./unshown.ts"

export interface Clues extends Letters {
  /** The Content-Type that the client sent. */
  readonly declared: string | undefined
  /** From `X-Filename`, or the name of a form's part. */
  readonly fileName: string | undefined
  /** The type by the bytes' signature; undefined for text and anything unknown. */
  readonly sniffed: { readonly ext: string; readonly mime: string } | undefined
}

export interface FoundKind {
  readonly kind: Kind | "zip"
  /** The complete Content-Type to serve the file with. */
  readonly type: string
  /** A safe file name, one segment. */
  readonly name: string
}

const JSON_LINES = "application/x-ndjson"

const KINDS: Readonly<Record<string, Kind | "zip">> = {
  "text/html": "site",
  "text/markdown": "markdown",
  "text/plain": "text",
  "text/csv": "data",
  "text/tab-separated-values": "data",
  "application/json": "data",
  [JSON_LINES]: "data",
  "application/pdf": "pdf",
  "application/zip": "zip"
}

const ALIASES: Readonly<Record<string, string>> = {
  "application/x-zip-compressed": "application/zip",
  "application/x-pdf": "application/pdf",
  "application/ndjson": JSON_LINES,
  "application/jsonl": JSON_LINES,
  "application/x-jsonl": JSON_LINES,
  "application/jsonlines": JSON_LINES,
  "application/x-jsonlines": JSON_LINES,
  "text/x-markdown": "text/markdown",
  "text/tsv": "text/tab-separated-values",
  "image/jpg": "image/jpeg",
  "image/svg": "image/svg+xml"
}

/** Formats that are zips of their own files. */
const ZIPPED = /^application\/(?:vnd\.(?:openxmlformats-officedocument\.|oasis\.opendocument\.|ms-(?:excel|powerpoint|word)\.|apple\.(?:keynote|numbers|pages)$|google-earth\.kmz$|android\.package-archive$)|x-iwork-|java-archive$|[\w.-]+\+zip$)/

/** What clients send when they do not know the type; the last is the default of curl's `--data-binary`. */
const SAYS_NOTHING = new Set(["", "application/octet-stream", "application/x-www-form-urlencoded"])

/** Where the bytes are text: types of other formats that share their extension with a language, such as TypeScript's, and of languages that browsers save. */
const SOURCES = new Set([
  "video/mp2t", "application/sql", "application/toml", "application/rls-services+xml", "application/vnd.dart", "application/x-httpd-php",
  "application/x-sh", "application/x-tex"
])

const NAMES: Readonly<Record<Kind | "zip", string>> = {
  site: "index", pdf: "document", markdown: "document", text: "text", data: "data", image: "image", video: "video", zip: "site"
}

/** Kinds of which an empty file is none; it would take the place of one that is read. */
const UNREADABLE: ReadonlySet<Kind | "zip"> = new Set(["image", "video", "pdf", "zip"])

const kindFor = (type: string): Kind | "zip" | undefined => {
  if (Object.hasOwn(KINDS, type)) return KINDS[type]
  return /^image\/[a-z0-9.+-]+$/.test(type) ? "image" : /^video\/[a-z0-9.+-]+$/.test(type) ? "video" : undefined
}

const plain = (type: string): string => {
  const bare = type.split(";")[0]!.trim().toLowerCase()
  if (Object.hasOwn(ALIASES, bare)) return ALIASES[bare]!
  return /^application\/[\w.-]+\+json$/.test(bare) ? "application/json" : bare
}

/** Where the registry says otherwise, or nothing: browsers run no script as `application/node`. */
const EXTENSIONS: Readonly<Record<string, string>> = { cjs: "text/javascript", har: "application/json", jsonl: JSON_LINES, ndjson: JSON_LINES }

const typeFor = (extension: string): string | undefined => Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : mime.types[extension]

const isTextual = (type: string): boolean => type.startsWith("text/") || type === "application/json" || type === JSON_LINES

/** (2) The type of a text whose name does not tell: HTML, SVG, JSON (as far as the head goes) or plain text. */
const textType = (head: Uint8Array): string => {
  const text = new TextDecoder().decode(head).replace(/^(?:\s|<\?xml[^>]*\?>|<!--[^]*?-->)+/i, "")
  if (/^(?:<!doctype html|<html[\s>])/i.test(text)) return "text/html"
  if (/^(?:<!doctype svg[^>[]*(?:\[[^\]]*\]\s*)?>\s*)?<svg[\s>]/i.test(text)) return "image/svg+xml"
  return /^[[{]/.test(text) && (isJson(text) || head.length >= HEAD_BYTES && beginsAsJson(text)) ? "application/json" : "text/plain"
}

/** Types whose files may be plain text throughout; files with any other signature contain bytes that text does not. */
const LETTERS_ALONE = new Set(["application/pdf", "application/rtf"])

/** (1) What the client says of the type; "" where that is nothing. */
const said = ({ declared = "", head }: Pick<Clues, "declared" | "head">): string => {
  const type = plain(declared)
  return SAYS_NOTHING.has(type) || (type === "video/mp2t" && isText(head, false)) ? "" : type
}

/** Readers of PDFs find a beginning anywhere in the first 1,024 bytes, behind what a printer or a web server put before it. */
const holdsPdf = (head: Uint8Array): boolean => new TextDecoder("latin1").decode(head.subarray(0, 1_024)).includes("%PDF-")

/**
 * (2) A signature outweighs the name, unless the bytes read as text and only begin like a signature. A name decides between kinds
 * of text, that a text with control characters is one, that a PDF is one behind other bytes, and that a zip is a document, whose own
 * mark may stand anywhere in it.
 */
const typeByContent = ({ fileName: name, head, sniffed, utf8 }: Clues): string | undefined => {
  const named = plain(typeFor(extensionOf(name ?? "")) ?? "")
  const signature = sniffed !== undefined ? plain(sniffed.mime) : named === "application/pdf" && holdsPdf(head) ? named : undefined
  const isNamedText = named === "image/svg+xml" || isTextual(named) && Object.hasOwn(KINDS, named)
  // An empty file is a text, but no picture, film or document, most of which are only cut short.
  const isOneText = isText(head, isNamedText) && (head.length > 0 || isNamedText || kindFor(named) === undefined || SOURCES.has(named))
  if (signature === "application/zip" && ZIPPED.test(named)) return named
  if (signature !== undefined && signature !== "application/xml" && (!isOneText || LETTERS_ALONE.has(signature))) return signature
  if (isNamedText && (isOneText || utf8 && isTextual(named))) return named
  // A source or a subtitle in an older encoding. Without a name, and a type that is not text's, its bytes might be anything.
  const mayBeOld = extensionOf(name ?? "") !== "" && kindFor(named) === undefined && isText(head, true)
  return isOneText || mayBeOld ? textType(head) : undefined
}

/** The only file of the version being served. */
export interface Before {
  readonly name: string
  readonly type: string
}

/** How JSON, or a line of JSON lines, can begin. */
const JSON_BEGINS = /^\s*["[{\d-]/

/** Whether neither a type nor a name says what it is. */
export const isUntold = (clues: Pick<Clues, "declared" | "fileName" | "head">): boolean => clues.fileName === undefined && said(clues) === ""

/** (3) A text without type or name keeps those of the file that it replaces, unless its bytes clearly begin like something else. */
export const asBefore = (clues: Clues, before: Before | undefined): Clues => {
  const type = plain(before?.type ?? "")
  if (before === undefined || !isUntold(clues) || !isTextual(type) || !Object.hasOwn(KINDS, type)) return clues
  const found = typeByContent(clues) ?? (isText(clues.head, true) ? "text/plain" : undefined)
  const isJson = type === "application/json" || type === JSON_LINES
  const fits = found === type || (found === "text/plain" && (!isJson || JSON_BEGINS.test(new TextDecoder().decode(clues.head)))) || (found === "application/json" && isJson)
  return fits ? { ...clues, declared: type, fileName: before.name } : clues
}

/** Whether a name's extension may stay: plain text named `page.html` would open as something else once downloaded. */
const fitting = (kind: Kind | "zip", type: string) => (extension: string): boolean => {
  const named = plain(typeFor(extension) ?? "")
  if (kind === "text") return extension !== "" && !/^text\/html$|\/xml$|xhtml|^application\/x-ms|^image\//.test(named)
  // JSON lines may be declared as JSON.
  return named === type || (named === JSON_LINES && type === "application/json") || (kind === "image" || kind === "video") && kindFor(named) === kind
}

/** Text types that cannot name their own encoding, so that our viewers could not read an unlabelled one. */
const UNMARKED = /^text\/(?:plain|markdown|csv|tab-separated-values)$/

const withCharset = (type: string, clues: Letters & Pick<Clues, "declared">): string => {
  const encoding = encodingOf(clues, clues.declared ?? "") ?? (UNMARKED.test(type) ? oldEncodingOf(clues) : undefined)
  return encoding === undefined ? type : `${type}; charset=${encoding}`
}

export const kindOf = (clues: Clues): FoundKind | Fault => {
  const type = said(clues) || typeByContent(clues)
  const kind = type === undefined ? undefined : kindFor(type)
  if (type === undefined || kind === undefined) {
    const ending = extensionOf(clues.fileName ?? "")
    const named = plain(typeFor(ending) ?? "")
    const isShown = kindFor(named) !== undefined
    return type === undefined && isShown ? unlike(ending) : unshown(type ?? "", isShown ? { ending: "", type: "" } : { ending, type: named })
  }

  if (clues.head.length === 0 && UNREADABLE.has(kind)) return nothing()

  const extension = extensionFor(type) || (clues.sniffed?.mime.startsWith(`${kind}/`) ? clues.sniffed.ext : "")
  return {
    kind,
    type: isTextual(type) ? withCharset(type, clues) : type,
    name: fileName(clues.fileName, NAMES[kind], extension, fitting(kind, type))
  }
}

/** What Chrome names the scripts, and the style sheets and scripts without an extension, of a page that it saves: browsers load none of them as plain text. */
const SAVED = /\.m?(js)\.download$|_files\/(css|js)2?(?:\(\d+\))?$/i

/** The Content-Type of a file in a site: the type from its extension, or plain text where that tells none of a text; the charset from its bytes. */
export const typeOf = (path: string, clues: Letters & Pick<Clues, "declared">): string => {
  const [, script, bare = script] = SAVED.exec(path) ?? []
  const type = typeFor(bare?.toLowerCase() ?? extensionOf(path)) ?? "application/octet-stream"
  if ((type === "application/octet-stream" || SOURCES.has(type)) && isText(clues.head, false)) return withCharset("text/plain", clues)
  return mime.charset(type) === false && !isTextual(type) ? type : withCharset(type, clues)
}
