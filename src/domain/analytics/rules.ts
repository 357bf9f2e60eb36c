/** Days, windows and how long anything about views is kept (SPEC §8, CONTRACT §9). */
import { DateTime } from "effect"
import { dateOf, DAY_MS, dayOf } from "../days.ts"
import type { Day } from "../days.ts"
import type { Analysis, DayFigures, Window } from "./model.ts"

/** Partitions made ahead, today's included: an instance that meets a day without one makes it. */
export const DAYS_AHEAD = 4

/** When a day's keys and visitors are deleted, in milliseconds since 1970: 48 hours after the day ended. */
export const forgottenAt = (day: Day): number => (day + 3) * DAY_MS

/** The last day whose keys and visitors are deleted by now. */
export const lastForgotten = (now: number): Day => dayOf(now) - 3

/** The last day whose raw views are gone: a month past the year that the longest plan keeps. */
export const lastDropped = (now: number): Day => dayOf(now) - 401

export const window = (requestedDays: number, retentionDays: number): Window => {
  const days = Math.min(requestedDays, retentionDays)
  return { days, requestedDays, retentionDays, truncated: days < requestedDays }
}

const NOBODY = { views: 0, uniqueVisitors: 0 }

/** Every day up to today, zeros included, oldest first. */
export const series = (today: Day, days: number, known: ReadonlyArray<DayFigures>): Analysis["series"] => {
  const byDay = new Map(known.map((figures) => [figures.day, figures]))
  return Array.from({ length: days }, (_, index) => {
    const day = today - days + 1 + index
    const { uniqueVisitors, views } = byDay.get(day) ?? NOBODY
    return { date: dateOf(day), views, uniqueVisitors }
  })
}

/** Dates and numbers alone: nothing in it needs quotes. */
export const csvOf = (series: Analysis["series"]): string =>
  ["date,views,unique_visitors", ...series.map(({ date, uniqueVisitors, views }) => `${date},${views},${uniqueVisitors}`), ""].join("\r\n")

export const lastViewed = (known: ReadonlyArray<DayFigures>): DateTime.Utc | null =>
  known.length === 0 ? null : DateTime.makeUnsafe(Math.max(...known.map((figures) => figures.lastViewedAt)))

/** A person is one visitor a day, so the sum counts those who come back once for each day. */
export const total = (of: Analysis["series"]): { readonly views: number; readonly uniqueVisitors: number } => ({
  views: of.reduce((sum, { views }) => sum + views, 0),
  uniqueVisitors: of.reduce((sum, { uniqueVisitors }) => sum + uniqueVisitors, 0)
})
