/** Days in UTC, as views and exports count them. */
import { DateTime } from "effect"

/** A day in UTC, counted from 1970-01-01. */
export type Day = number

export const DAY_MS = 86_400_000

export const dayOf = (millis: number): Day => Math.floor(millis / DAY_MS)

export const dayAt = (moment: DateTime.Utc): Day => dayOf(DateTime.toEpochMillis(moment))

export const dateOf = (day: Day): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
