/** Places cards so that each is level with what it is about and none overlap. Pure. */
import type { Anchor } from "../stage.ts"

export interface Wanted {
  /** Where it should begin, from the top of the list. */
  readonly top: number
  readonly height: number
}

const GAP = 12

export interface Spacing {
  /** How far each card begins below the end of the one before. */
  readonly spaces: ReadonlyArray<number>
  /** How far the first card had to move above the top of the list. */
  readonly lift: number
}

/** The pinned card is always level: the cards before it move up, those after it move down. */
export const spaced = (wanted: ReadonlyArray<Wanted>, pinned = -1): Spacing => {
  const tops: Array<number> = []
  wanted.forEach(({ top }, index) => {
    const before = wanted[index - 1]
    const least = before === undefined ? 0 : tops[index - 1]! + before.height + GAP
    tops.push(index === pinned ? top : Math.max(least, top))
  })
  for (let index = pinned - 1; index >= 0; index--) {
    tops[index] = Math.min(tops[index]!, tops[index + 1]! - GAP - wanted[index]!.height)
  }
  const lift = Math.max(0, -(tops[0] ?? 0))
  return { lift, spaces: tops.map((top, index) => index === 0 ? top + lift : top - tops[index - 1]! - wanted[index - 1]!.height) }
}

type Ordered = Pick<Anchor, "line" | "page" | "row" | "time" | "y">

/** The order in a document that does not tell positions: by page, then row, line or time, then spot. */
export const inOrder = (a: Ordered, b: Ordered): number => {
  const key = ({ line, page, row, time, y }: Ordered) => [page ?? 0, row ?? line ?? time ?? 0, y ?? 0]
  const [one, other] = [key(a), key(b)]
  const at = one.findIndex((value, index) => value !== other[index])
  return at === -1 ? 0 : one[at]! - other[at]!
}
