/** Times, sizes and numbers in the reader's format; the exact time on hover. */
import { agoOf, dayOf, timeOf } from "./times.ts"

export { sizeOf } from "./sizes.ts"
export { dayInWords, dayOf, daysBetween, isOver, utcDayOf } from "./times.ts"

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" })
const number = new Intl.NumberFormat()

const words = { near: agoOf, coming: timeOf, day: dayOf } as const

/** For a time in the past, unless it is `coming`. */
export const Time = ({ at, as = "near" }: { readonly at: string; readonly as?: keyof typeof words }) => (
  <time dateTime={at} title={exact.format(new Date(at))}>{words[as](at)}</time>
)

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" })

/** The time of day, beneath a heading that says which day. */
export const Clock = ({ at }: { readonly at: string }) => <time dateTime={at} title={exact.format(new Date(at))}>{clock.format(new Date(at))}</time>

export const numberOf = (value: number): string => number.format(value)

/** "1 file", "12 files". */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${number.format(count)} ${count === 1 ? one : many}`
