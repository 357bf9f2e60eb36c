/** The names of a zip's entries: decoded, checked, and turned into the paths of a site (CONTRACT §8). */
import { setImmediate } from "node:timers/promises"
import { crc32 } from "node:zlib"
import type { Entry } from "yauzl"
import { composedPath, isLitter, lookForClash, pathFault, refusedPath, topFolder } from "../../domain/projects/file-paths.ts"
import { shownEncoding } from "../../domain/projects/documents/text-encodings.ts"

const UTF8_FLAG = 0x800
const UNICODE_PATH = 0x7075

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const utf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

/** Info-ZIP's extra field for names that the header cannot hold; void if it was made for another name. */
const unicodePath = (entry: Entry): Uint8Array | undefined => {
  const data = entry.extraFields.find(({ id }) => id === UNICODE_PATH)?.data
  return data !== undefined && data.length > 5 && data[0] === 1 && data.readUInt32LE(1) === crc32(entry.fileNameRaw)
    ? data.subarray(5)
    : undefined
}

/**
 * Code page 850 from 0x80 on, as Windows writes names in Western Europe. It has the letters of code page 437, which the zip
 * format prescribes, in the same places; where 437 has signs and Greek that no file name contains, it has the other letters of
 * those languages.
 */
const CODE_PAGE_850 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐" +
  "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0"

const codePage850 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte < 0x80 ? String.fromCharCode(byte) : CODE_PAGE_850[byte - 0x80]!).join("")

/** The name's bytes where they are said to be UTF-8. */
const declared = (entry: Entry): Uint8Array | undefined =>
  unicodePath(entry) ?? ((entry.generalPurposeBitFlag & UTF8_FLAG) === 0 ? undefined : entry.fileNameRaw)

/** The name as it is written; undefined where it is in the code page of the machine that packed it. macOS writes UTF-8 without setting the flag. */
export const writtenName = (entry: Entry): string | undefined => {
  const said = declared(entry)
  const name = utf8(said ?? entry.fileNameRaw)
  if (name === undefined && said !== undefined) throw refusedPath("A name in the zip is not valid UTF-8.")
  return name
}

/** So many bytes of them show it. */
const SAMPLE = 16 * 1024
/** A few names are read again and again up to here: ten letters alone tell nothing. */
const LEAST = 512

/** Whether these are words of Russian letters and nothing else beyond ASCII: the same bytes are accented letters in the West, which stand beside plain ones. */
const areRussian = (names: string): boolean =>
  /\p{Script=Cyrillic}{4}/u.test(names) &&
  !/[^\x00-\x7f\u2116\p{Script=Cyrillic}]|[A-Za-z]\p{Script=Cyrillic}|\p{Script=Cyrillic}[A-Za-z]|[а-яё][А-ЯЁ]/u.test(names)

/** Whether these are words with a few accented letters: each may be, with the plain one after it, a letter of East Asia. */
const areWestern = (names: string): boolean => {
  const accented = names.match(/[^\x00-\x7f]/gu)?.length ?? 0
  const words = names.match(/\p{L}+/gu)?.filter((word) => /[^\x00-\x7f]/.test(word)).join("") ?? ""
  return 3 * accented <= words.length && !/[^\x00-\x7f\p{L}]|[^\x00-\x7f\p{Lu}]\p{Lu}|\p{Ll}[^\x00-\x7f\p{Ll}]/u.test(names)
}

/** How to read such names: in Russia, Windows writes code page 866, in East Asia that of its language, which its more frequent letters show. */
export const codePageOf = (names: ReadonlyArray<Uint8Array>): (name: Uint8Array) => string => {
  const sample: Array<Uint8Array> = []
  for (let [at, length] = [0, 0]; at < names.length && length < SAMPLE; at++) {
    sample.push(names[at]!, Buffer.from("\n"))
    length += names[at]!.length
  }
  const bytes = Buffer.concat(sample)
  const often = Buffer.concat(Array.from({ length: Math.ceil(LEAST / (bytes.length + 1)) }, () => bytes))
  const encoding = areRussian(new TextDecoder("ibm866").decode(bytes)) ? "ibm866" : areWestern(codePage850(bytes)) ? undefined : shownEncoding(often)
  if (encoding === undefined) return codePage850
  const decoder = new TextDecoder(encoding)
  return (name) => decoder.decode(name)
}

/** Windows PowerShell separates folders as DOS does; there, no name of a file has that sign. */
const slashed = (name: string, entry: Pick<Entry, "versionMadeBy">): string => entry.versionMadeBy >> 8 === 0 && !name.includes("/") ? name.replaceAll("\\", "/") : name

const refusedName = (fault: string, name: string) => refusedPath(`A name in the zip ${fault}. Rename it, and pack it again.`, name)

/** A checked name; a folder's keeps its trailing slash. */
export const nameOf = (entry: Pick<Entry, "versionMadeBy">, written: string): string => {
  const given = slashed(written, entry)
  const name = composedPath(given).replace(/^(\.\/)+/, "")
  // macOS keeps the picture of a folder in a file whose name ends in a carriage return.
  const fault = name === "" ? undefined : pathFault(name.replace(isLitter(name) ? /\/$|\r$/ : /\/$/, ""))
  if (fault !== undefined || given === "") throw refusedName(fault ?? "names no file", given)
  return name
}

/** Removes the one folder that holds all of the paths, if there is one. */
export const stripped = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const top = topFolder(names)
  if (top === "") return names
  return names.map((name) => {
    const path = name.slice(top.length)
    const fault = pathFault(path)
    if (fault !== undefined) throw refusedName(fault, name)
    return path
  })
}

/** Refuses two files at one path, a file where another needs a folder, and names that are too long together. */
export const checkDistinct = async (paths: ReadonlyArray<string>): Promise<void> => {
  const looking = lookForClash(paths)
  let step = looking.next()
  for (; step.done !== true; step = looking.next()) await setImmediate()
  if (step.value !== undefined) throw refusedPath(step.value.message, step.value.path)
}
