/** Times, sizes and numbers in the reader's format; the exact time on hover. */
import { useMinute } from "./minute.ts"
import { agoOf, clockOf, dayOf, endOf, timeOf } from "./times.ts"

export { sizeOf } from "./sizes.ts"
export { dayInWords, dayOf, daysBetween, endOf, isOver, lastsTheDay, utcDayOf } from "./times.ts"

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" })
const exactOf = (iso: string): string => exact.format(new Date(iso))
const number = new Intl.NumberFormat()

const words = { near: agoOf, coming: timeOf, day: dayOf, end: endOf, exact: exactOf } as const

/** For a time in the past, unless it is `coming`. */
export const Time = ({ at, as = "near" }: { readonly at: string; readonly as?: keyof typeof words }) => {
  useMinute()
  return <time dateTime={at} title={exactOf(at)}>{words[as](at)}</time>
}

/** The time of day, beneath a heading that says which day. */
export const Clock = ({ at }: { readonly at: string }) => <time dateTime={at} title={exactOf(at)}>{clockOf(at)}</time>

export const numberOf = (value: number): string => number.format(value)

/** "1 file", "12 files". */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${number.format(count)} ${count === 1 ? one : many}`
