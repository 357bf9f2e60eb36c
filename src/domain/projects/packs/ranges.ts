/** Ranges of a pack: which of its bytes are living, which are dead, and what is copied when the dead ones go. */
import type { LivingRange, Range } from "../../ports/packs.ts"

export const endOf = ({ length, offset }: Range): number => offset + length

export const bytesIn = (ranges: ReadonlyArray<Range>): number => ranges.reduce((sum, { length }) => sum + length, 0)

/** In order, without empty ones. */
export const inOrder = <R extends Range>(ranges: Iterable<R>): ReadonlyArray<R> =>
  [...ranges].filter(({ length }) => length > 0).sort((one, other) => one.offset - other.offset)

export const disjoint = (ordered: ReadonlyArray<Range>): boolean =>
  ordered.every((range, at) => at === 0 || endOf(ordered[at - 1]!) <= range.offset)

/** What is left of some ranges without others; both are in order and disjoint. */
export const without = (ranges: ReadonlyArray<Range>, holes: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const left: Array<Range> = []
  let first = 0
  for (const range of ranges) {
    const end = endOf(range)
    let from = range.offset
    while (first < holes.length && endOf(holes[first]!) <= from) first++
    for (let at = first; at < holes.length && holes[at]!.offset < end; at++) {
      const hole = holes[at]!
      if (hole.offset > from) left.push({ offset: from, length: hole.offset - from })
      from = Math.max(from, endOf(hole))
    }
    if (from < end) left.push({ offset: from, length: end - from })
  }
  return left
}

/** Whether some ranges, in whatever order, share a byte with others that are in order and disjoint. */
export const meets = (ranges: Iterable<Range>, others: ReadonlyArray<Range>): boolean =>
  inOrder(ranges).some((range) => bytesIn(without([range], others)) < range.length)

export const all = (length: number): ReadonlyArray<Range> => length === 0 ? [] : [{ offset: 0, length }]

/** A piece of a pack that is copied; `hash` where it is one body that a manifest names. */
export type Piece = Range & Partial<LivingRange>

/**
 * What is copied, in order, when the dead ranges of a pack of this length go. None where the living ranges overlap, reach
 * beyond the pack or share a byte with a dead one: then something is wrong, and nothing may go.
 */
export const pieces = (length: number, dead: ReadonlyArray<Range>, living: ReadonlyArray<LivingRange>): ReadonlyArray<Piece> | undefined => {
  const [gone, named] = [inOrder(dead), inOrder(living)]
  if (!disjoint(gone) || !disjoint(named)) return undefined
  const kept = without(all(length), gone)
  return without(named, kept).length > 0 ? undefined : inOrder<Piece>([...named, ...without(kept, named)])
}
