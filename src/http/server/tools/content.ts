/** Bytes as an agent sends them: text, or base64, in small pieces (SPEC §8 “agent tool content”). Larger ones are staged. */
import { Effect, Schema, Stream } from "effect"
import { invalid, UploadTooLarge } from "../../../domain/failures.ts"
import { given } from "../../../domain/given.ts"
import { pathFault, spelled } from "../../../domain/projects/file-paths.ts"
import type { SentPage } from "../../../domain/projects/merging.ts"
import type { MissingFiles } from "../../../domain/projects/missing-files.ts"
import type { Incoming } from "../../../domain/projects/receiving.ts"
import { INDEX } from "../../../domain/projects/site-rules.ts"
import { sizeText } from "../../contract/sizes.ts"
import { line, pathText } from "../../contract/wire.ts"
import { optional, said } from "./arguments.ts"
import { quoted } from "./words.ts"

export const MAX_TEXT = 256 * 1024
export const MAX_BINARY = 1024 * 1024

const text = optional(Schema.String, `The file as text, in UTF-8: ${sizeText(MAX_TEXT)} in one call`)
const base64 = optional(Schema.String, `The file as base64, for what is not text: ${sizeText(MAX_BINARY)} in one call`)

const TYPES = "text/html, text/markdown, text/plain, text/csv, application/json, application/x-ndjson, application/pdf, image/png, video/mp4, or application/zip for a whole site"
/** Whether it is one that can be published, the program knows. */
const MimeType = line(1, 200).check(Schema.makeFilter((type) => /^[^\s/]+\/[^\s/]/.test(type), { message: `A MIME type, such as ${TYPES}.` }))

/** Checked here, too: the program, which speaks of a file, cannot say that it is this argument. */
export const FileName = pathText(255).check(Schema.makeFilter((name) => {
  const fault = pathFault(spelled(name))
  return fault === undefined ? undefined : `The name of a file ${fault}. Choose another.`
}))

export const content = {
  text,
  base64,
  content_type: optional(MimeType, `A MIME type, such as ${TYPES}. Markdown, CSV and parts of HTML cannot be told from text: name content_type or file_name. One text over one text stays what that was, unless it begins as something else`),
  file_name: optional(FileName, "A name such as report.md: its ending says what it is where content_type does not"),
  files: optional(
    Schema.Array(Schema.Struct({ path: said(pathText(1024), "Where it is served, such as css/style.css; its ending says what it is"), text, base64, content_type: optional(MimeType, "A MIME type, for its charset or where it has no ending") })),
    "Several files that belong together, instead of text or base64: a site with an index.html, at the top or in the one folder that holds all of them, or one Markdown with its images"
  )
}
const SentContent = Schema.Struct(content)
export type SentContent = typeof SentContent.Type

type Given = Pick<SentContent, "base64" | "text">

const tooLarge = (what: "text" | "base64", cap: number, at = "") =>
  new UploadTooLarge({
    message: `One call takes ${sizeText(cap)} of ${what === "text" ? "text" : "binary files"}. Send more in pieces: begin_upload, append_upload, finish_upload.`,
    field: at + what,
    details: { limit_bytes: cap, instead: "begin_upload" }
  })

/** As models and browsers write a file. */
const DATA_ADDRESS = /^data:[^,]*;base64,/i

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The bytes of one file, which must be given as either text or base64. */
export const bytesOf = Effect.fnUntraced(function*({ base64, text }: Given, caps = { text: MAX_TEXT, base64: MAX_BINARY }, at = "") {
  if ((text === undefined) === (base64 === undefined)) {
    return yield* invalid({ field: `${at}text`, message: "Send either text or base64." })
  }
  if (text !== undefined) {
    // Its length first: a text that is too long is not encoded at all.
    if (text.length > caps.text || Buffer.byteLength(text) > caps.text) return yield* tooLarge("text", caps.text)
    if (!text.isWellFormed()) return yield* invalid({ field: `${at}text`, message: "This text holds half a character." })
    return Buffer.from(text)
  }
  if (base64!.length > caps.base64 * 1.5) return yield* tooLarge("base64", caps.base64)
  const packed = base64!.replaceAll(/\s+/g, "")
  if (DATA_ADDRESS.test(packed)) return yield* invalid({ field: `${at}base64`, message: "This is a data: address. Send only what follows its comma." })
  if (!BASE64.test(packed) || packed.replace(/=+$/, "").length % 4 === 1) return yield* invalid({ field: `${at}base64`, message: "This is not base64." })
  const bytes = Buffer.from(packed, "base64")
  return bytes.length > caps.base64 ? yield* tooLarge("base64", caps.base64) : bytes
})

/** What was noticed of the files of a call. */
export interface Noticed {
  /** The one folder that held all files of a site, which none of its addresses has; "" without one. */
  readonly folder?: string | undefined
  /** Whether nothing names the type of a text. */
  readonly guessed?: boolean | undefined
  /** Files that its pages name and that are not there. */
  readonly missing?: MissingFiles | undefined
  /** Pages that were sent under these names. */
  readonly pages?: ReadonlyArray<SentPage> | undefined
}

/** That alone, of what a program answers. */
export const noticedIn = ({ folder, guessed, missing, pages }: Noticed) => given({ folder, guessed, missing, pages })

const guessedWords = (guessed: boolean): string =>
  guessed
    ? " It is shown as plain text, since no type was named: if it is Markdown, HTML or CSV, send it again with content_type text/markdown, text/html or text/csv."
    : ""

/** Where `/` shows another page than was sent, or shows one under another name. */
const pageWords = (pages: ReadonlyArray<SentPage>): string => {
  const [one] = pages
  const first = pages.find(({ path }) => path === INDEX)
  if (first !== undefined) return first.name === INDEX ? "" : ` ${quoted(first.name)} is its first page, ${INDEX}.`
  return one === undefined ? "" : ` / still shows ${INDEX}; ${quoted(one.path)} is beside it.`
}

/** Under their old paths, files of the next update would be others. */
const folderWords = (folder: string): string => folder === "" ? "" : ` Its files are served without the folder ${quoted(folder)} that held them: update them by paths without it.`

const missingWords = (missing: MissingFiles | undefined): string =>
  missing === undefined ? "" : ` ${missing.message} It is live with gaps in their place: send them with update as files, or with begin_upload and a path where they are large.`

/** What an agent is told of it. */
export const noticedWords = ({ folder = "", guessed = false, missing, pages = [] }: Noticed): string => folderWords(folder) + guessedWords(guessed) + pageWords(pages) + missingWords(missing)

const incoming = (bytes: Buffer, path: string | undefined, contentType: string | undefined): Incoming => ({
  path,
  contentType,
  stays: true,
  length: bytes.length,
  bytes: Stream.succeed(bytes)
})

/** Whether a call brings any file. */
export const hasContent = ({ base64, files, text }: SentContent): boolean => text !== undefined || base64 !== undefined || files !== undefined

/** Which argument a refusal means by the file, or by the text, of a call. */
export const namesOfContent = ({ base64, files }: SentContent) =>
  ({ ...(files === undefined && { file: base64 === undefined ? "text" : "base64" }), ...(base64 !== undefined && { text: "base64" }) })

/** The files of a call; the limits count all of them together. */
export const filesOf = Effect.fnUntraced(function*(given: SentContent) {
  const { content_type: type, file_name: name, files } = given
  if (!hasContent(given)) return yield* invalid({ field: "text", message: "Send the content: text, base64 or files." })
  if (files === undefined) {
    const bytes = yield* bytesOf(given)
    // Refused here, under the argument's own name: nobody can tell what type an empty file is.
    if (bytes.length === 0 && name === undefined && type === undefined) {
      return yield* invalid({ field: given.text === undefined ? "base64" : "text", message: "It is empty. Send the file, or say its content_type." })
    }
    return [incoming(bytes, name, type)]
  }
  if (given.text !== undefined || given.base64 !== undefined) return yield* invalid({ field: "files", message: "Send one: text, base64 or files." })
  if (files.length === 0) return yield* invalid({ field: "files", message: "Name at least one file." })
  let left = { text: MAX_TEXT, base64: MAX_BINARY }
  const all: Array<Incoming> = []
  for (const [index, file] of files.entries()) {
    const at = `files.${index}.`
    const bytes = yield* bytesOf(file, left, at).pipe(
      Effect.catchTag("upload_too_large", ({ field }) => field === "text" ? tooLarge("text", MAX_TEXT, at) : tooLarge("base64", MAX_BINARY, at))
    )
    left = file.text === undefined ? { ...left, base64: left.base64 - bytes.length } : { ...left, text: left.text - bytes.length }
    all.push(incoming(bytes, file.path, file.content_type))
  }
  return all
})
