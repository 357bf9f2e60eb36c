/** In which encoding a text is served: what its bytes show, else what was declared, else UTF-8. */
import type { Body } from "../ports/packs.ts"

export type Letters = Pick<Body, "head" | "utf8" | "beyondAscii">

/** The label's own name, or undefined for one that no browser knows. */
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

/** The encoding that a Content-Type names; undefined without one that browsers know. */
export const charsetOf = (type: string): string | undefined => known(/;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1])

/** The encoding that a page names in its `<meta charset>`; without one that browsers know, the one they then assume. */
export const encodingOfPage = (head: Uint8Array): string =>
  known(/<meta\b[^<>]*charset\s*=[\s"']*([\w:-]+)/i.exec(new TextDecoder("latin1").decode(head))?.[1]) ?? "windows-1252"

interface Decoding {
  /** The bytes may end inside a character. */
  readonly stream?: boolean
  /** Throws at bytes that the encoding does not allow. */
  readonly fatal?: boolean
  /** The encoding of a text whose type names none; UTF-8 where this is not given either. */
  readonly otherwise?: string | undefined
}

/** Decodes a text by its byte-order mark, else by the encoding that its Content-Type names. */
export const decoded = (bytes: Uint8Array, type: string, { fatal = false, otherwise, stream = false }: Decoding = {}): string =>
  new TextDecoder(markOf(bytes) ?? charsetOf(type) ?? otherwise, { fatal }).decode(bytes, { stream })

/** UTF-8 with a broken byte in it, such as a log that was cut: as many of its letters are whole as are not. */
const isBrokenUtf8 = ({ beyondAscii }: Letters): boolean => {
  const letters = new TextDecoder().decode(beyondAscii, { stream: true }).match(/[^\x00-\x7f]/gu) ?? []
  return letters.filter((letter) => letter !== "\uFFFD").length >= letters.length / 2
}

const namesItsOwn = (head: Uint8Array): boolean => /<meta\b[^<>]*charset/i.test(new TextDecoder("latin1").decode(head))

/** Undefined where nobody can say: the document's own `<meta charset>`, or the browser, then decides. `declared`: a Content-Type. */
export const encodingOf = (letters: Letters, declared: string): string | undefined => {
  const { beyondAscii, head, utf8 } = letters
  const mark = markOf(head)
  if (mark !== undefined) return mark
  const label = charsetOf(declared)
  if (utf8) return beyondAscii.length === 0 ? label ?? "utf-8" : "utf-8"
  if (label !== undefined && label !== "utf-8") return label
  return isBrokenUtf8(letters) && (label === "utf-8" || !namesItsOwn(head)) ? "utf-8" : undefined
}

/** Not breaks, nor the escape by which some old encodings change alphabets. */
const isControl = (byte: number): boolean => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b

/** Of text that says nothing of itself and is no UTF-8, as spreadsheets save it. */
export const oldEncodingOf = ({ head }: Letters): string | undefined => head.some(isControl) ? undefined : "windows-1252"

/** `stream`: the head may end inside a character. */
const beginsInUtf8 = (head: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Whether bytes of an unknown kind read as text: UTF-8 without control characters, or marked as UTF-16. `named`: as a text, which older encodings do too. */
export const isText = (head: Uint8Array, named: boolean): boolean =>
  markOf(head) !== undefined || ((named || beginsInUtf8(head)) && !head.some(isControl))
