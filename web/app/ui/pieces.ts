/** What people wrote, as text and links only. */

export interface Piece {
  readonly text: string
  readonly href?: string
}

/** The lookbehind lets a match start only at the first sign of a run: tried from each of ten thousand signs, it would freeze the page. */
const CLOSING = /(?<![.,;:!?'"»”’])[.,;:!?'"»”’]+$/
const CLOSING_AROUND = /(?<![.,;:!?'"»”’)])[.,;:!?'"»”’)]+$/

/** Punctuation after an address belongs to the sentence, and so does a closing bracket that was opened before the address. */
const trimmed = (address: string): string => address.replace(address.includes("(") ? CLOSING : CLOSING_AROUND, "")

/** Only web addresses become links; every other scheme stays text. */
export const pieces = (body: string): ReadonlyArray<Piece> => {
  const found: Array<Piece> = []
  let from = 0
  for (const { 0: match, index } of body.matchAll(/\bhttps?:\/\/[^\s<>"`]+/gi)) {
    const text = trimmed(match)
    if (!URL.canParse(text)) continue
    if (index > from) found.push({ text: body.slice(from, index) })
    found.push({ text, href: new URL(text).href })
    from = index + text.length
  }
  if (from < body.length) found.push({ text: body.slice(from) })
  return found
}
