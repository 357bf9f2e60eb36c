/** Dropped, pasted or picked items as files with their paths: folders are walked, and what nobody means to publish is left out. */
import { typeToSend } from "../api/file-types.ts"
import type { Sent } from "../api/upload.ts"

export interface Given {
  readonly files: ReadonlyArray<Sent>
  /** Names, each once. */
  readonly leftOut: ReadonlyArray<string>
}

/** As in the CLI, at any depth: what editors and systems keep beside the work, and secrets. */
const LEFT_OUT = /^(?:\.(?:git(?:-credentials)?|hg|svn|env.*|dev\.vars.*|npmrc|yarnrc.*|netrc|htpasswd|pypirc|pgpass|aws|azure|cargo|config|docker|gnupg|kube|ssh|my\.cnf|vault-token|terraformrc|.*_history|svcignore|DS_Store|_.*|Trashes|Spotlight-V100)|id_(?:dsa|(?:ecdsa|ed25519)(?:_sk)?|rsa)|.*\.(?:pem|p12|pfx|ppk|kdbx)|__MACOSX|Icon\r|Thumbs\.db|desktop\.ini)$/i

/** Systems put these beside anything; that they are left out is not mentioned. */
const LITTER = /^(?:\.DS_Store|\._.*|__MACOSX|Icon\r|Thumbs\.db|desktop\.ini)$/i

/** `mayHold`: whether packages may lie there, at the top or beside what names them. A build has folders called like theirs too, as Expo's has for fonts. */
export const isLeftOut = (name: string, mayHold: () => boolean): boolean => LEFT_OUT.test(name) || (/^node_modules$/i.test(name) && mayHold())

const given = (files: ReadonlyArray<Sent>, leftOut: Iterable<string>): Given =>
  ({ files, leftOut: [...new Set(leftOut)].filter((name) => !LITTER.test(name)).sort() })

/** A browser lists a folder's entries a hundred at a time. */
const inFolder = async (folder: FileSystemDirectoryEntry): Promise<ReadonlyArray<FileSystemEntry>> => {
  const reader = folder.createReader()
  const entries: Array<FileSystemEntry> = []
  for (;;) {
    const some = await new Promise<ReadonlyArray<FileSystemEntry>>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return entries
    entries.push(...some)
  }
}

const walked = async (entry: FileSystemEntry, leftOut: Set<string>): Promise<ReadonlyArray<Sent>> => {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ file, path: entry.fullPath.replace(/^\//, "") }]
  }
  const inside = await inFolder(entry as FileSystemDirectoryEntry)
  const isTop = entry.fullPath.lastIndexOf("/") === 0
  const out = inside.filter(({ name }) => isLeftOut(name, () => isTop || inside.some((one) => one.name === "package.json")))
  for (const { name } of out) leftOut.add(name)
  return (await Promise.all(inside.filter((one) => !out.includes(one)).map((one) => walked(one, leftOut)))).flat()
}

/** A single item is meant, whatever its name. Entries must be taken before the first await: the transfer is empty afterwards. */
export const filesIn = async (transfer: DataTransfer): Promise<Given> => {
  const items = [...transfer.items].filter(({ kind }) => kind === "file")
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null).filter((entry) => entry !== null)
  if (entries.length === 0 || entries.length < items.length) return picked(transfer.files)
  const meant = entries.filter(({ name }) => entries.length === 1 || !isLeftOut(name, () => true))
  const leftOut = new Set(entries.filter((entry) => !meant.includes(entry)).map(({ name }) => name))
  const files = (await Promise.all(meant.map((entry) => walked(entry, leftOut)))).flat()
  return given(files, leftOut)
}

const isJson = (text: string): boolean => {
  if (!/^\s*[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Whether each of several lines has as many of these as the others. What is in quotes is one cell, whatever it holds. */
const isTable = (text: string, delimiter: "\t" | ","): boolean => {
  const quoted = new RegExp(`(^|${delimiter})"(?:[^"]|"")*"(?=[${delimiter}\\r\\n]|$)`, "gm")
  const lines = text.replace(/^[\r\n]+|[\r\n]+$/g, "").replace(quoted, "$1").split(/\r?\n/)
  const [width, ...others] = lines.map((line) => line.split(delimiter).length)
  return width! > 1 && others.length > 0 && others.every((one) => one === width)
}

/** Whether a line begins with Markdown's marks or a tag, ends as code does, or is a sentence with a pause in it. */
const isProse = (line: string): boolean => {
  const text = line.trim()
  return /^(?:#{1,6} |[-*+>] |\d+[.)] |[`~]{3}|[<|])/.test(text) || /[;{(]$/.test(text) || (/[.!?:]$/.test(text) && text.slice(0, -1).includes(", "))
}

/** Unlike in prose, no space after it, or a number. */
const HAS_CELLS = /,(?:\S| *[+-]?\d[\d.]*\s*(?:,|$))/m

const PASTED = { json: "application/json", html: "text/html", tsv: "text/tab-separated-values", csv: "text/csv", md: "text/markdown" } as const

const pastedAs = (text: string): keyof typeof PASTED =>
  /^\s*<(?:!doctype|html)/i.test(text) ? "html"
  : isJson(text) ? "json"
  // Cells copied in a spreadsheet; what is only indented has no cell before its tabs.
  : /[^\t\r\n]\t/.test(text) && isTable(text, "\t") ? "tsv"
  : HAS_CELLS.test(text) && !text.split(/\r?\n/).some(isProse) && isTable(text, ",") ? "csv"
  : "md"

/** A text from the clipboard, as a document. */
export const textAsFile = (text: string): Sent => {
  const ending = pastedAs(text)
  const name = `pasted.${ending}`
  return { file: new File([text], name, { type: PASTED[ending] }), path: name }
}

/** Files side by side, or a folder of which the browser lists every file. */
export const picked = (list: FileList): Given => {
  const leftOut = new Set<string>()
  const all = [...list].map((file) => ({ file, path: file.webkitRelativePath || file.name }))
  const named = new Set(all.map(({ path }) => path).filter((path) => path.endsWith("/package.json")))
  const files = all.filter(({ path }) => {
    const [first, ...below] = path.split("/")
    const name = below.length === 0
      ? [first!].find((one) => list.length > 1 && isLeftOut(one, () => true))
      : below.find((one, at) => isLeftOut(one, () => at === 0 || named.has([first, ...below.slice(0, at), "package.json"].join("/"))))
    if (name !== undefined) leftOut.add(name)
    return name === undefined
  })
  return given(files, leftOut)
}

const isMarkdown = ({ path }: Sent): boolean => /\.(?:md|markdown)$/i.test(path)
/** Few browsers know the last ones' types. */
const isImage = ({ file, path }: Sent): boolean => file.type.startsWith("image/") || /\.(?:hei[cf]|jfif|tiff?)$/i.test(path)
const isVideo = ({ file }: Sent): boolean => typeToSend(file).startsWith("video/")
const isCaption = ({ path }: Sent): boolean => /\.vtt$/i.test(path)

/** As the service has it: a site by its first page, one Markdown file with its images, one video with its still and captions. */
const belongTogether = (files: ReadonlyArray<Sent>): boolean => {
  const is = (main: (sent: Sent) => boolean, ...beside: ReadonlyArray<(sent: Sent) => boolean>) =>
    files.filter(main).length === 1 && files.every((sent) => main(sent) || beside.some((fits) => fits(sent)))
  return files.some(({ path }) => path === "index.html") || is(isMarkdown, isImage) || is(isVideo, isImage, isCaption)
}

/** Files that nobody looks at alone: with one of them, the files are parts of a page. */
const isPart = ({ path }: Sent): boolean => /\.(?:css|m?js|otf|ttf|vtt|woff2?)$/i.test(path)

/** More files than this at once are hardly meant as a project each. */
const MOST = 20

/** The groups of files to publish as one project each: files side by side that belong to nothing are a document each. A folder stays whole. */
export const documentsIn = (files: ReadonlyArray<Sent>): ReadonlyArray<ReadonlyArray<Sent>> =>
  files.length > MOST || files.some((one) => one.path.includes("/") || isPart(one)) || belongTogether(files) ? [files] : files.map((one) => [one])
