/** Times, sizes and numbers as their reader writes them; the exact time on hover. */

export { sizeOf } from "./sizes.ts"

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" })
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" })
const dayThisYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" })
const number = new Intl.NumberFormat()

export const dayOf = (iso: string, now = new Date()): string => {
  const at = new Date(iso)
  return (at.getFullYear() === now.getFullYear() ? dayThisYear : day).format(at)
}

/** Near times are told as a distance, far ones as a day. */
export const timeOf = (iso: string, now = Date.now()): string => {
  const seconds = Math.round((new Date(iso).getTime() - now) / 1000)
  const distance = Math.abs(seconds)
  if (distance < 45) return "just now"
  if (distance < 3600) return relative.format(Math.round(seconds / 60), "minute")
  if (distance < 86_400) return relative.format(Math.round(seconds / 3600), "hour")
  return distance < 6 * 86_400 ? relative.format(Math.round(seconds / 86_400), "day") : dayOf(iso)
}

export const Time = ({ at, as = "near" }: { readonly at: string; readonly as?: "near" | "day" }) => (
  <time dateTime={at} title={exact.format(new Date(at))}>{as === "near" ? timeOf(at) : dayOf(at)}</time>
)

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" })

/** The time of day, beneath a heading that says which. */
export const Clock = ({ at }: { readonly at: string }) => <time dateTime={at} title={exact.format(new Date(at))}>{clock.format(new Date(at))}</time>

/** "Today", "Yesterday", or the day. */
export const dayInWords = (iso: string, now = new Date()): string => {
  const days = Math.round((new Date(now.toDateString()).getTime() - new Date(new Date(iso).toDateString()).getTime()) / 86_400_000)
  const words = days === 0 || days === 1 ? relative.format(-days, "day") : dayOf(iso, now)
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

export const numberOf = (value: number): string => number.format(value)

/** "1 file", "12 files". */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${number.format(count)} ${count === 1 ? one : many}`
