/** What holds for API tokens and agents' OAuth tokens alike. */
import { DateTime } from "effect"

/** The last use of a token is written at most once a minute, so that most requests write nothing. */
const USE_WRITTEN_EVERY = { minutes: 1 } as const

/** A use dated later than this was written by a clock that was ahead, not by an instance whose clock differs a little. */
const AHEAD = { hours: 1 } as const

/** Whether the last use on record is old enough that this one is to be written. */
export const isUseStale = (lastUsedAt: DateTime.Utc | null, now: DateTime.Utc): boolean =>
  lastUsedAt === null || DateTime.isLessThan(lastUsedAt, DateTime.subtract(now, USE_WRITTEN_EVERY)) || DateTime.isGreaterThan(lastUsedAt, DateTime.add(now, AHEAD))
