/** What charges come to, and which mail a workspace is due (CONTRACT §6): facts and `now` in, verdict out. */
import { DateTime, Result } from "effect"
import type { Action } from "../audit/model.ts"
import { BillingUnconfigured, invalid } from "../failures.ts"
import type { Invalid } from "../failures.ts"
import { Plan } from "../workspaces/model.ts"
import type { TrialPolicy, Workspace } from "../workspaces/model.ts"
import { endOf, GRACE, isPaid, TRIAL } from "../workspaces/rules.ts"
import type { BillingFacts } from "../workspaces/rules.ts"
import { Interval } from "./model.ts"
import type { Customer, Offers, Subscription, TrialMail } from "./model.ts"

export const unconfigured = () => new BillingUnconfigured({ message: "This service takes no payments." })

/** Stripe sends a notice again for three days; it is known for far longer. */
export const NOTICES_KEPT = { days: 90 } as const

/** The intervals of every plan that has a price. */
export const purchasable = (offers: Offers): Partial<Record<Plan, ReadonlyArray<Interval>>> =>
  Object.fromEntries(
    Plan.literals
      .map((plan) => [plan, Interval.literals.filter((interval) => offers[plan]?.[interval] !== undefined)] as const)
      .filter(([, intervals]) => intervals.length > 0)
  )

/** A plan is bought once; who pays already changes it in the portal, so that nobody pays twice. */
export const buy = (offers: Offers, plan: Plan, interval: Interval, facts: BillingFacts, now: DateTime.Utc): Result.Result<string, Invalid> => {
  const price = offers[plan]?.[interval]
  if (price === undefined) return Result.fail(invalid({ field: "plan", message: "This plan cannot be bought by this interval." }))
  if (isPaid(facts, now)) {
    return Result.fail(invalid({ field: "workspace", message: "This workspace has a subscription. Change it in the billing portal." }))
  }
  return Result.succeed(price)
}

/** What a workspace has come to by its charges; `plan` null: it stays what it is. */
export interface Settled {
  readonly plan: Plan | null
  readonly subscriptionId: string
  readonly status: "active" | "past_due"
  readonly endsAt: DateTime.Utc | null
  readonly currentPeriodEnd: DateTime.Utc | null
}

const GOOD = new Set(["active", "trialing"])

const rank = ({ status }: Subscription): number => GOOD.has(status) ? 2 : status === "past_due" ? 1 : 0

/** The one that counts among those ever charged: what still holds before what is over, then the newest. */
const foremost = (known: Customer, found: ReadonlyArray<Subscription>): Subscription | undefined =>
  found
    .filter(({ id, paid }) => paid || id === known.subscriptionId)
    .toSorted((a, b) =>
      rank(b) - rank(a) || DateTime.toEpochMillis(b.createdAt) - DateTime.toEpochMillis(a.createdAt) || (a.id < b.id ? 1 : -1))[0]

/** Two that hold at once are paid for twice: those beside the one that counts. */
export const surplus = (known: Customer, found: ReadonlyArray<Subscription>): ReadonlyArray<Subscription> => {
  const first = foremost(known, found)
  return first === undefined || rank(first) === 0 ? [] : found.filter((one) => one !== first && rank(one) > 0)
}

/** What of a surplus came of pages of ours, as did what carries the workspace beside it. */
export const doubles = (known: Customer, found: ReadonlyArray<Subscription>): ReadonlyArray<Subscription> =>
  foremost(known, found)?.ours === true ? surplus(known, found).filter(({ ours }) => ours) : []

/** Whether a double is one still. One that is over already may still have to be given back; one that holds, where another carries the workspace alone. */
export const isDouble = (known: Customer, found: ReadonlyArray<Subscription>, id: string): boolean => {
  const one = found.find((subscription) => subscription.id === id)
  return one === undefined ? false : rank(one) === 0 ? one.ours : doubles(known, found).includes(one)
}

/** Whether anything is to be charged again by itself. */
export const goesOn = (found: ReadonlyArray<Subscription>): boolean => found.some((one) => rank(one) > 0 && one.cancelsAt === null)

const sooner = (a: DateTime.Utc, b: DateTime.Utc | null): DateTime.Utc => b !== null && DateTime.isLessThan(b, a) ? b : a

/**
 * Undefined where nothing was ever charged. What is over is over since the payment service says so, or since we first
 * heard of it: later readings of the same do not give it more time.
 */
export const settle = (
  known: Customer,
  endsAt: DateTime.Utc | null,
  found: ReadonlyArray<Subscription>,
  now: DateTime.Utc
): Settled | undefined => {
  const one = foremost(known, found)
  if (one === undefined) {
    return known.subscriptionId === null
      ? undefined
      : { plan: null, subscriptionId: known.subscriptionId, status: "active", endsAt: sooner(now, endsAt), currentPeriodEnd: known.currentPeriodEnd }
  }
  const { cancelsAt, currentPeriodEnd, endedAt, id, plan } = one
  const settled = { plan, subscriptionId: id, currentPeriodEnd }
  switch (rank(one)) {
    case 2: return { ...settled, status: "active", endsAt: cancelsAt }
    case 1: return { ...settled, status: "past_due", endsAt: cancelsAt }
    default: return { ...settled, status: "active", endsAt: endedAt ?? sooner(now, known.subscriptionId === id ? endsAt : null) }
  }
}

/**
 * A subscription that was over before the trial is leaves what the trial gives, not what nobody pays for any more. The
 * trial that signup gave: one extended later gives time, and a charge alone moves a plan.
 */
export const planOf = (
  { endsAt, plan }: Settled,
  { createdAt, trialEndsAt }: Pick<Workspace, "createdAt" | "trialEndsAt">,
  now: DateTime.Utc
): Plan | null =>
  endsAt !== null && trialEndsAt !== null && DateTime.isLessThanOrEqualTo(endsAt, now)
    && DateTime.isLessThan(endsAt, DateTime.min(trialEndsAt, DateTime.add(createdAt, TRIAL.lasts))) ? TRIAL.plan : plan

/** What of a settling the workspace’s admins can read later: what changed, so that the same heard again says nothing. */
export const noted = (before: BillingFacts, { endsAt, status }: Pick<Settled, "endsAt" | "status">, now: DateTime.Utc): ReadonlyArray<Action> => {
  const was = isPaid(before, now)
  const wasDue = was && before.subscriptionStatus === "past_due"
  const wasEnding = was && before.subscriptionEndsAt !== null
  if (!isPaid({ ...before, subscriptionStatus: status, subscriptionEndsAt: endsAt }, now)) return was ? ["subscription.ended"] : []
  const all: Array<Action> = was ? [] : ["subscription.started"]
  if (status === "past_due" && !wasDue) all.push("subscription.past_due")
  if (status === "active" && wasDue) all.push("subscription.recovered")
  if (endsAt !== null && !wasEnding) all.push("subscription.cancelled")
  if (endsAt === null && wasEnding) all.push("subscription.resumed")
  return all
}

/** Which mail belongs to which time, in days from the end: `from` on, until `until`. */
export const TRIAL_MAILS: ReadonlyArray<{ readonly kind: TrialMail; readonly from: number; readonly until: number; readonly ofTrial: boolean }> = [
  { kind: "ending", from: -2, until: 0, ofTrial: true },
  { kind: "ended", from: 0, until: GRACE.days - 7, ofTrial: true },
  { kind: "links_going_down", from: GRACE.days - 7, until: GRACE.days, ofTrial: false }
]

export interface Due {
  readonly kind: TrialMail
  /** The end it is about: another end is another mail. */
  readonly end: DateTime.Utc
  readonly linksDownOn: DateTime.Utc
}

/** Only where a lapse follows or followed; a mail that missed its time is not sent late. */
export const mailDue = (facts: BillingFacts, policy: TrialPolicy, now: DateTime.Utc): Due | undefined => {
  const end = endOf(facts)
  if (policy === "open" || end === null) return undefined
  const found = TRIAL_MAILS.find(({ from, ofTrial, until }) =>
    (!ofTrial || facts.subscriptionStatus === null)
    && DateTime.isGreaterThanOrEqualTo(now, DateTime.add(end, { days: from }))
    && DateTime.isLessThan(now, DateTime.add(end, { days: until }))
  )
  return found && { kind: found.kind, end, linksDownOn: DateTime.add(end, GRACE) }
}
