/** Exports as plain decisions: how one stands, when the next may be taken, whether its link opens (SPEC §8, CONTRACT §7). */
import { DateTime, Result } from "effect"
import { DAY_MS, dayAt } from "../days.ts"
import { ExportTaken, NotFound } from "../failures.ts"
import type { Role } from "../workspaces/model.ts"
import type { Export, ExportRecord, ExportStatus } from "./model.ts"

/** How long the link works, and the archive is kept. */
export const LINK_LASTS = { days: 7 } as const

/** A build fails after this many tries: with the pauses between them, they take more than an hour. */
export const MAX_TRIES = 20

/** What a try counts for while it runs, and from then on if its process ended with it: it may have been the reason, and would be again. */
export const GRAVE = 7

/** In seconds: when to ask again while an export of an earlier day is still under way. */
const A_MOMENT = 60

type Facts = Pick<Export, "begunAt" | "completedAt" | "failedAt">

const expiryOf = ({ completedAt }: Facts): DateTime.Utc | null => completedAt === null ? null : DateTime.add(completedAt, LINK_LASTS)

export const statusOf = (facts: Facts, now: DateTime.Utc): ExportStatus => {
  if (facts.failedAt !== null) return "failed"
  const expiry = expiryOf(facts)
  if (expiry !== null) return DateTime.isLessThan(now, expiry) ? "ready" : "expired"
  return facts.begunAt === null ? "queued" : "building"
}

export const recordOf = (facts: Export, now: DateTime.Utc): ExportRecord => ({
  id: facts.id,
  status: statusOf(facts, now),
  requestedAt: facts.requestedAt,
  completedAt: facts.completedAt,
  expiresAt: expiryOf(facts),
  sizeBytes: facts.sizeBytes
})

const untilTomorrow = (now: DateTime.Utc): number => Math.ceil(((dayAt(now) + 1) * DAY_MS - DateTime.toEpochMillis(now)) / 1000)

const taken = (message: string, seconds: number) => new ExportTaken({ message, details: { retry_after_seconds: seconds } })

/** One at a time and one a UTC day; `last` is one that did not fail: the one under way, or else the latest. */
export const request = (last: Export | undefined, now: DateTime.Utc): Result.Result<void, ExportTaken> => {
  if (last === undefined) return Result.succeed(undefined)
  const today = dayAt(last.requestedAt) === dayAt(now)
  if (last.completedAt === null) {
    return Result.fail(taken("An export is being made. You get a mail when it is ready.", today ? untilTomorrow(now) : A_MOMENT))
  }
  return today
    ? Result.fail(taken("An export was taken today. The next one can be taken tomorrow (UTC).", untilTomorrow(now)))
    : Result.succeed(undefined)
}

/** `role` is the requester's present role in the workspace. */
export const opens = (facts: Facts & { readonly role: Role | null }, now: DateTime.Utc): boolean =>
  facts.role === "admin" && statusOf(facts, now) === "ready"

/** Whether bytes from `start` on are a download: resuming an interrupted one is not another, and a HEAD sends none. */
export const countsAsDownload = ({ sendsBytes, start }: { readonly sendsBytes: boolean; readonly start: number }): boolean => sendsBytes && start === 0

/** The same refusal, whatever is wrong. */
export const noSuchDownload = () => new NotFound({ message: "This link does not work, or no longer does. Take a new export." })
