/** Times in the reader's words: near ones as a distance, far ones as a day. The viewers tell those of comments by them too. */

import { now as atService } from "../api/clock.ts"
import { apart } from "./apart.ts"

export const DAY_SECONDS = 86_400
export const DAY_MS = DAY_SECONDS * 1000

const year = new Intl.DateTimeFormat(undefined, { year: "numeric" })
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" })
const dayThisYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" })
const relativeOf = (value: number, unit: Intl.RelativeTimeFormatUnit): string => apart(relative.format(value, unit))

/**
 * Without the dot that ends an abbreviated month: a sentence may end with the day. Where a month has two, as in Thai, both are part of it.
 * Whether it is this year is told by the reader's calendar.
 */
export const dayOf = (iso: string, now = new Date(atService())): string => {
  const at = new Date(iso)
  return apart((year.format(at) === year.format(now) ? dayThisYear : day).format(at).replace(/(?<![\p{L}\p{M}]\.[\p{L}\p{M}]+)\.$/u, ""))
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" })

export const clockOf = (iso: string): string => apart(clock.format(new Date(iso)))

/** Whether what ends then ends with that day in the reader's time zone. */
export const lastsTheDay = (iso: string): boolean => {
  const at = new Date(iso)
  return at.getHours() === 23 && at.getMinutes() === 59
}

/** When something ends: the day, and the time unless all of the day belongs to it. */
export const endOf = (iso: string, now = new Date(atService())): string => lastsTheDay(iso) ? dayOf(iso, now) : `${dayOf(iso, now)} at ${clockOf(iso)}`

const utcDay = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" })

/** For days that the service counts, which are days in UTC. */
export const utcDayOf = (at: Date): string => apart(utcDay.format(at))

export const isOver = (iso: string): boolean => new Date(iso).getTime() <= atService()

/** Midnights in between, in the reader's time zone: negative for times in the past. */
export const daysBetween = (iso: string, now = new Date(atService())): number =>
  Math.round((new Date(new Date(iso).toDateString()).getTime() - new Date(now.toDateString()).getTime()) / DAY_MS)

export const timeOf = (iso: string, now = atService()): string => {
  const seconds = Math.round((new Date(iso).getTime() - now) / 1000)
  const distance = Math.abs(seconds)
  if (distance < 45) return "just now"
  if (distance < 59.5 * 60) return relativeOf(Math.round(seconds / 60), "minute")
  if (distance < DAY_SECONDS) return relativeOf(Math.round(seconds / 3600), "hour")
  return distance < 6 * DAY_SECONDS ? relativeOf(daysBetween(iso, new Date(now)), "day") : dayOf(iso, new Date(now))
}

/** For times in the past, which may seem to be ahead where clocks differ a little. */
export const agoOf = (iso: string, now = atService()): string => timeOf(iso, Math.max(now, new Date(iso).getTime()))

/** "Today", "Yesterday", or the day. */
export const dayInWords = (iso: string): string => {
  const days = daysBetween(iso)
  const words = days === 0 || days === -1 ? relativeOf(days, "day") : dayOf(iso)
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
