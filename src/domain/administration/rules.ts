/** Who is a platform administrator, how far they may extend a trial, and the refusals of what does not exist (CONTRACT §10). */
import { Brand, DateTime, Result } from "effect"
import type { User } from "../accounts/model.ts"
import { Conflict, Forbidden, invalid, NotFound } from "../failures.ts"
import type { Invalid } from "../failures.ts"
import type { TermFacts } from "../workspaces/rules.ts"
import { isPaid } from "../workspaces/rules.ts"
import type { PlatformAdmin } from "./model.ts"

/** The operator has listed this address, and the user has verified it. */
export const isPlatformAdmin = (user: User, admins: ReadonlySet<string>): boolean => user.emailVerified && admins.has(user.email)

const admitted = Brand.nominal<PlatformAdmin>()

export const admit = (user: User, admins: ReadonlySet<string>): Result.Result<PlatformAdmin, Forbidden> =>
  isPlatformAdmin(user, admins)
    ? Result.succeed(admitted(user))
    : Result.fail(new Forbidden({ message: "Only platform administrators may do this." }))

/** The longest that an extended trial may last, from now on. */
export const LONGEST_TRIAL = { days: 366 } as const

/** How long a finished job is kept. */
export const JOBS_KEPT = { days: 30 } as const

const wrongUntil = (message: string) => Result.fail(invalid({ field: "until", message }))

export interface Trial extends TermFacts {
  /** When the pending deletion will erase the workspace; null without one. */
  readonly erasesOn: DateTime.Utc | null
}

export const extend = (trial: Trial, until: DateTime.Utc, now: DateTime.Utc): Result.Result<void, Conflict | Invalid> => {
  if (trial.erasesOn !== null) return Result.fail(new Conflict({ message: "This workspace is to be erased. Restore it first." }))
  if (isPaid(trial, now)) return Result.fail(new Conflict({ message: "This workspace has a subscription: there is no trial to extend." }))
  if (!DateTime.isGreaterThan(until, now)) return wrongUntil("This time is in the past.")
  if (trial.trialEndsAt !== null && !DateTime.isGreaterThan(until, trial.trialEndsAt)) return wrongUntil("The trial already lasts that long.")
  if (DateTime.isGreaterThan(until, DateTime.add(now, LONGEST_TRIAL))) return wrongUntil(`At most ${LONGEST_TRIAL.days} days from now.`)
  return Result.succeed(undefined)
}

export const noSuchUser = () => new NotFound({ message: "There is no such account.", field: "user" })

export const noSuchJob = () => new NotFound({ message: "There is no unfinished job with this id.", field: "id" })
