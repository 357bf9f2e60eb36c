/** A label: one line that somebody wrote and others read, in lists, mails and dialogs. It must be what it looks like. */

/**
 * What nobody sees, or what turns around the text beside it, lets one name pass for another (Unicode TR 36 and 39). Emoji
 * are made of such signs and show what they are; joiners and variation selectors shape the letters of many scripts, so
 * one may follow a sign that is there to be shaped. U+2800 and U+3164 are blanks that count as letters.
 */
const SIGNS =
  /(\p{RGI_Emoji}|(?<=[^\s\p{DI}\p{N}\p{P}\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}])[\u200c\u200d\p{VS}])|[\p{DI}\u2800\ufff9-\ufffb]/gv

/** The same without what is hidden in it. */
export const shown = (text: string): string => text.replaceAll(SIGNS, "$1")

/** Whether there is more to it than is seen. */
export const hides = (text: string): boolean => shown(text) !== text

/** In characters as people count them: code points, of which a pictogram is one. */
export const lengthOf = (text: string): number => [...text].length

const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]/u

export const isOneLine = (text: string): boolean => text.isWellFormed() && !BREAKS.test(text)

/** The beginning of a text, never with half a sign at its end. */
export const cut = (text: string, length: number): string => text.length > length ? text.slice(0, length).replace(/[\ud800-\udbff]$/, "") : text

/** At most this many characters, as people count them: the end of a longer text becomes an ellipsis. */
export const shortened = (text: string, most: number): string => {
  const signs = [...text]
  return signs.length <= most ? text : `${signs.slice(0, most - 1).join("").trimEnd()}…`
}

/** A label out of what a document or a provider says, which nobody here could be asked to write anew. */
export const labelIn = (text: string, maximum: number): string =>
  cut(shown(text.toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")).trim(), maximum).trim()
