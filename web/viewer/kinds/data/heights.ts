/** Which rows of a very long list a scroller shows: browsers cannot scroll past some 17 million pixels, so beyond that it is to scale. Pure. */

const TALLEST = 12_000_000

export interface Heights {
  /** Of what is scrolled. */
  readonly tall: number
  /** Where in the list a scroll position is, in pixels as if there were no limit; and back. */
  readonly offset: (scrollTop: number) => number
  readonly scrollTop: (offset: number) => number
  /** How far in the list one scrolled pixel is. */
  readonly pace: number
}

export const heightsOf = (count: number, row: number, window: number, foot: number): Heights => {
  const full = count * row + foot
  const tall = Math.min(full, TALLEST)
  const pace = tall === full ? 1 : (full - window) / (tall - window)
  return { tall, pace, offset: (scrollTop) => scrollTop * pace, scrollTop: (offset) => offset / pace }
}
