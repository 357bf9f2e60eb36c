/** The greatest width that a text can have in a cell, from its characters: nothing is laid out. Pure. */

/** In px at the common text size, in the small face; all digits have one width, other scripts use other faces, and a line break has its sign. */
const [NARROW, PLAIN, BROAD, WIDEST] = [4.2, 8.2, 10.2, 14]

const LATIN = Float64Array.from({ length: 128 }, (_, unit) => {
  const sign = String.fromCharCode(unit)
  return /[ !'(),./:;I|}ijl]/.test(sign) ? NARROW : /[@MWm\n\r]/.test(sign) ? WIDEST : /[#&A-Zw]/.test(sign) ? BROAD : PLAIN
})

/** A width beyond `most` is cut there. */
export const widthOf = (text: string, most: number): number => {
  let width = 0
  for (let at = 0; at < text.length && width < most; at++) {
    const unit = text.charCodeAt(at)
    width += LATIN[unit] ?? (unit < 0x1100 ? BROAD : WIDEST)
  }
  return Math.min(width, most)
}

export const widestOf = (texts: ReadonlyArray<string>, most: number): number =>
  texts.reduce((widest, text) => text.length * WIDEST > widest ? Math.max(widest, widthOf(text, most)) : widest, 0)
