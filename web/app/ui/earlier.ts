/** Which replies of a long thread are folded away: all but the last few. What comes later is always shown. */

const MOST = 5
const LAST = 3

interface Kept {
  /** Later ones have greater ids. */
  readonly id: string
}

/** The id of the first reply shown; undefined where all are. */
export const firstShown = (replies: ReadonlyArray<Kept>): string | undefined => replies.length > MOST ? replies.at(-LAST)?.id : undefined

export const earlierThan = (first: string | undefined, replies: ReadonlyArray<Kept>): number =>
  first === undefined ? 0 : replies.filter(({ id }) => id < first).length

export const showEarlier = (amount: number): string => `Show ${amount} earlier ${amount === 1 ? "reply" : "replies"}`
