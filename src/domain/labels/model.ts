/** Labels: single lines that one person writes and others read, in lists, mails and dialogs. They must be what they look like. */

/**
 * Invisible and bidirectional control characters let one name pass for another (Unicode TR 36 and 39). Emoji contain some of
 * them legitimately; many scripts need joiners and variation selectors, so one may follow a character that it can
 * shape, composed or not. U+2800 and U+3164 are blanks that count as letters.
 */
const SIGNS =
  /(\p{RGI_Emoji}|[\u200c\u200d\p{VS}](?<=[^\s\p{DI}\p{M}\p{N}\p{P}\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}][\p{M}--\p{DI}]*.))|[\p{DI}\u2800\ufff9-\ufffb]/gv

/** The text without its hidden characters. */
export const shown = (text: string): string => text.replaceAll(SIGNS, "$1")

const asUnits = (sign: string): string => {
  let units = ""
  for (let at = 0; at < sign.length; at++) units += `\\u${sign.charCodeAt(at).toString(16).padStart(4, "0")}`
  return units
}

/** The text with its hidden characters and breaks of lines written as JSON writes them. */
export const escaped = (text: string): string =>
  text.replaceAll(SIGNS, (sign, kept: string | undefined) => kept ?? asUnits(sign)).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, asUnits)

/** Whether the text has hidden characters. */
export const hides = (text: string): boolean => shown(text) !== text

/**
 * In NFC. Composing takes quadratic time for runs of combining marks, so a text of more than `most` UTF-16 units, which is too long
 * for its purpose anyway, stays as it is.
 */
export const composed = (text: string, most: number): string => text.length > most ? text : text.normalize("NFC")

/** In lower case and NFC, without the spaces around it. `most` as above. */
export const folded = (text: string, most: number): string => composed(composed(text.trim(), most).toLowerCase(), most)

/** A letter or mark of a script that is written from right to left. */
export const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** As it stands in a sentence that runs the other way, which would otherwise go on within it. */
export const isolated = (text: string): string => RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text

/** In code points. Without a list of them, which takes long to make and to collect where a text is megabytes. */
export const lengthOf = (text: string): number => {
  let length = text.length
  for (let at = 1; at < text.length; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) length--
  }
  return length
}

const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]/u

export const isOneLine = (text: string): boolean => text.isWellFormed() && !BREAKS.test(text)

/** The beginning of a text; it never ends inside a surrogate pair. */
export const cut = (text: string, length: number): string => text.length > length ? text.slice(0, length).replace(/[\ud800-\udbff]$/, "") : text

/** At most this many characters, as people count them: the end of a longer text becomes an ellipsis. */
export const shortened = (text: string, most: number): string => {
  const signs = [...text]
  return signs.length <= most ? text : `${signs.slice(0, most - 1).join("").trimEnd()}…`
}

/** The text as one line, without its hidden characters. */
const lineIn = (text: string): string => shown(text.toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]/gu, " ")).replaceAll(/ {2,}/g, " ").trim()

/** As a mail shows it: without characters that only some fonts know, too. */
export const plainLine = (text: string): string => lineIn(text.replaceAll(/[\p{Co}\p{Cn}]/gu, " "))

/** Cleans a text from a document or a provider into a label, in NFC: nobody can be asked to correct it. */
export const labelIn = (text: string, maximum: number): string => {
  const line = lineIn(text)
  // Decomposed, it may be longer than it is.
  const most = 4 * maximum
  return cut(composed(cut(line, most), most), maximum).trim()
}
