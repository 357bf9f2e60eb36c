/** Text encodings: by the bytes where they show it, else as declared, else UTF-8. */
import chardet from "chardet"
import type { Body } from "../../ports/packs.ts"

export type Letters = Pick<Body, "head" | "utf8" | "beyondAscii">

/** The canonical name of an encoding label; undefined for one that browsers do not know. */
const known = (label: string | undefined): string | undefined => {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

const markOf = (head: Uint8Array): string | undefined =>
  head[0] === 0xff && head[1] === 0xfe ? "utf-16le" : head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : undefined

/** The encoding that a Content-Type names; undefined if it names none that browsers know. */
export const charsetOf = (type: string): string | undefined => known(/;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1])

/** The encoding that a page names in its `<meta charset>`; if it names none that browsers know, their default. */
export const encodingOfPage = (head: Uint8Array): string =>
  known(/<meta\b[^<>]*charset\s*=[\s"']*([\w:-]+)/i.exec(new TextDecoder("latin1").decode(head))?.[1]) ?? "windows-1252"

interface Decoding {
  /** Whether the bytes may end inside a character. */
  readonly stream?: boolean
  /** Whether to throw at bytes that are invalid in the encoding. */
  readonly fatal?: boolean
  /** The encoding to use if the type names none; UTF-8 by default. */
  readonly otherwise?: string | undefined
}

/** Decodes a text by its byte-order mark, else by the encoding that its Content-Type names. */
export const decoded = (bytes: Uint8Array, type: string, { fatal = false, otherwise, stream = false }: Decoding = {}): string =>
  new TextDecoder(markOf(bytes) ?? charsetOf(type) ?? otherwise, { fatal }).decode(bytes, { stream })

/** UTF-8 with some invalid bytes, such as a truncated log: at least half of its non-ASCII characters are valid. */
const isBrokenUtf8 = ({ beyondAscii }: Letters): boolean => {
  const letters = new TextDecoder().decode(beyondAscii, { stream: true }).match(/[^\x00-\x7f]/gu) ?? []
  return letters.length > 0 && letters.filter((letter) => letter !== "\uFFFD").length >= letters.length / 2
}

const namesItsOwn = (head: Uint8Array): boolean => /<meta\b[^<>]*charset/i.test(new TextDecoder("latin1").decode(head))

/** Undefined if it cannot be told: the document's own `<meta charset>` or the browser then decides. `declared`: a Content-Type. */
export const encodingOf = (letters: Letters, declared: string): string | undefined => {
  const { beyondAscii, head, utf8 } = letters
  const mark = markOf(head)
  if (mark !== undefined) return mark
  const label = charsetOf(declared)
  if (utf8) return beyondAscii.length === 0 ? label ?? "utf-8" : "utf-8"
  if (label !== undefined && label !== "utf-8") return label
  return isBrokenUtf8(letters) && (label === "utf-8" || !namesItsOwn(head)) ? "utf-8" : undefined
}

/** Except those that terminals and printers take, from bell to carriage return, and the escape that ISO-2022 encodings use. */
const isControl = (byte: number): boolean => byte < 0x07 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b)

/** The encodings that bytes show by themselves: in Latin letters every text looks much like another. */
const TOLD: ReadonlyArray<string> = ["Big5", "EUC-JP", "EUC-KR", "GB18030", "KOI8-R", "Shift_JIS", "windows-1251"]

/** In percent. Latin letters reach 10 in any of them, a page of their own letters at least 55. */
const SURE = 50

/** The encoding that an XML document names in its first line, and a source in its first two, as Python and editors read them. */
const namedAtTop = (head: Uint8Array): string | undefined => {
  const [first = "", second = ""] = new TextDecoder("latin1").decode(head.subarray(0, 400)).split(/\r?\n|\r/)
  const xml = /^<\?xml\s[^<>]*?\sencoding\s*=\s*["']([\w.:-]+)/i.exec(first)
  const source = [first, second].map((line) => /^\s*(?:#|\/[/*]|;|--|%|").*?coding[:=]\s*["']?([\w.-]+)/i.exec(line)).find((found) => found !== null)
  const name = (xml ?? source)?.[1]
  return known(name) ?? known(name?.replace(/^(?:iso-?)?latin-?/i, "latin"))
}

/** Chinese that is read as Korean is full of Chinese letters, which Korean has few of. */
const isChinese = (korean: string): boolean => 8 * (korean.match(/\p{Script=Han}/gu)?.length ?? 0) > (korean.match(/\p{Script=Hangul}/gu)?.length ?? 0)

/** The encoding that bytes show by their letters; undefined for Latin ones, and where they are too few to tell. */
export const shownEncoding = (bytes: Uint8Array): string | undefined => {
  const [best] = chardet.analyse(bytes)
  if (best === undefined || !TOLD.includes(best.name) || best.confidence < SURE) return undefined
  return known(best.name === "EUC-KR" && isChinese(new TextDecoder("euc-kr").decode(bytes)) ? "GB18030" : best.name)
}

/** The encoding of unlabelled text that is not UTF-8: the one that it names, else what its letters show, else what spreadsheets save in the West. */
export const oldEncodingOf = ({ beyondAscii, head }: Letters): string | undefined => {
  if (head.some(isControl)) return undefined
  const named = namedAtTop(head)
  if (named !== undefined && named !== "utf-8") return named
  return shownEncoding(head.some((byte) => byte > 0x7f) ? head : beyondAscii) ?? "windows-1252"
}

/** `stream`: the head may end inside a character. */
const beginsInUtf8 = (head: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * Whether bytes of unknown kind are text: UTF-8 without control characters, or UTF-16 with a byte-order mark. `named`: the file's
 * name says text, so bytes in older encodings count too.
 */
export const isText = (head: Uint8Array, named: boolean): boolean =>
  markOf(head) !== undefined || ((named || beginsInUtf8(head)) && !head.some(isControl))
