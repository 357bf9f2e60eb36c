/** Which rows of a very long list a scroller shows: browsers cannot scroll past some 17 million pixels, so longer lists are scaled. Pure. */

const TALLEST = 12_000_000

export interface Heights {
  /** Height of the scrolled content. */
  readonly tall: number
  /** The list offset of a scroll position, in pixels as if there were no limit, and the inverse. */
  readonly offset: (scrollTop: number) => number
  readonly scrollTop: (offset: number) => number
  /** Pixels of the list per scrolled pixel. */
  readonly pace: number
}

export const heightsOf = (count: number, row: number, window: number, foot: number): Heights => {
  const full = count * row + foot
  const tall = Math.min(full, TALLEST)
  const pace = tall === full ? 1 : (full - window) / (tall - window)
  return { tall, pace, offset: (scrollTop) => scrollTop * pace, scrollTop: (offset) => offset / pace }
}
