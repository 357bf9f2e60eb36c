/** Where words occur in a text, ignoring case. Pure. */

/** Further matches are not counted: nobody steps through so many. */
export const MOST = 10_000

/** Pairs of start and end, in order. */
export const matchesOf = (text: string, words: string): ReadonlyArray<readonly [start: number, end: number]> => {
  if (words === "") return []
  const found: Array<readonly [number, number]> = []
  for (const match of text.matchAll(new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu"))) {
    found.push([match.index, match.index + match[0].length])
    if (found.length === MOST) break
  }
  return found
}
