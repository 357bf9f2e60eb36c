/** What a workspace's charges amount to, and which mail it is due (CONTRACT §6): facts and `now` in, verdict out. */
import { DateTime, Result } from "effect"
import type { Action } from "../audit/model.ts"
import { BillingUnconfigured, invalid } from "../failures.ts"
import type { Invalid } from "../failures.ts"
import type { Limit } from "../ports/rate-limits.ts"
import { Plan } from "../workspaces/model.ts"
import type { TrialPolicy, Workspace } from "../workspaces/model.ts"
import { GRACE, isPaid, lapsesAt, TRIAL } from "../workspaces/rules.ts"
import type { BillingFacts } from "../workspaces/rules.ts"
import { Interval } from "./model.ts"
import type { Customer, Offers, Subscription, TrialMail } from "./model.ts"

export const unconfigured = () => new BillingUnconfigured({ message: "This service takes no payments." })

/** Pages of the payment service that one user asks for: each is a request there, and an entry in the audit log. */
export const PAGES: Limit = { name: "billing.pages", limit: 100, window: "1 hour" }

/** Stripe redelivers a notice for three days; its id is kept far longer. */
export const NOTICES_KEPT = { days: 90 } as const

/** The intervals of every plan that has a price. */
export const purchasable = (offers: Offers): Partial<Record<Plan, ReadonlyArray<Interval>>> =>
  Object.fromEntries(
    Plan.literals
      .map((plan) => [plan, Interval.literals.filter((interval) => offers[plan]?.[interval] !== undefined)] as const)
      .filter(([, intervals]) => intervals.length > 0)
  )

const GOOD = new Set(["active", "trialing"])

/** Whether anything can be bought here. */
export const sells = (offers: Offers): boolean => Object.keys(purchasable(offers)).length > 0

/** What a refusal says besides that another plan would lift, chosen at this page; where none is sold, nothing. */
export const liftedAt = (planPage: string | undefined): { readonly billing_url?: string } => planPage === undefined ? {} : { billing_url: planPage }

/** What a workspace may do beside making room, where it holds all that its plan does. */
export const orLarger = (planPage: string | undefined): string => planPage === undefined ? "" : ", or choose a larger plan"

/** A plan is bought once; a paying workspace changes it in the portal, so that nobody pays twice. */
export const buy = (offers: Offers, plan: Plan, interval: Interval, facts: BillingFacts, now: DateTime.Utc): Result.Result<string, Invalid> => {
  const price = offers[plan]?.[interval]
  if (price === undefined) return Result.fail(invalid({ field: "plan", message: "This plan is not sold for this interval." }))
  return isPaid(facts, now) ? Result.fail(boughtAlready("paid")) : Result.succeed(price)
}

/** What was bought here and holds: paid, or a debit on its way. Who paid for another beside it would wait days for their money. */
export const bought = (found: ReadonlyArray<Subscription>, now: DateTime.Utc): "paid" | "on its way" | undefined => {
  const holding = found.filter(({ cancelsAt, ours, status }) => ours && GOOD.has(status) && (cancelsAt === null || DateTime.isLessThan(now, cancelsAt)))
  return holding.some(({ paid }) => paid) ? "paid" : holding.some(({ due }) => due) ? "on its way" : undefined
}

export const boughtAlready = (how: "paid" | "on its way"): Invalid =>
  invalid({
    field: "workspace",
    message: how === "paid"
      ? "This workspace has a subscription. Change it in the billing portal."
      : "A payment for this workspace is on its way. Its plan begins once it arrives; a debit takes some days."
  })

/** What a workspace's charges amount to; where `plan` is null, its plan stays as it is. */
export interface Settled {
  readonly plan: Plan | null
  readonly subscriptionId: string
  readonly status: "active" | "past_due"
  readonly endsAt: DateTime.Utc | null
  readonly currentPeriodEnd: DateTime.Utc | null
}

const rank = ({ status }: Subscription): number => GOOD.has(status) ? 2 : status === "past_due" ? 1 : 0

/** Those for a plan. What carries the workspace stays one of them, whatever is sold today. */
const ofPlans = (known: Customer, found: ReadonlyArray<Subscription>): ReadonlyArray<Subscription> =>
  found.filter(({ id, ofPlan }) => ofPlan || id === known.subscriptionId)

/** The subscription that counts, among those ever paid: active before past due before over, then the newest. */
const foremost = (known: Customer, found: ReadonlyArray<Subscription>): Subscription | undefined =>
  ofPlans(known, found)
    .filter(({ id, paid }) => paid || id === known.subscriptionId)
    .toSorted((a, b) =>
      rank(b) - rank(a) || DateTime.toEpochMillis(b.createdAt) - DateTime.toEpochMillis(a.createdAt) || (a.id < b.id ? 1 : -1))[0]

/** Whether one was to be over when the other was bought: the payment service may take a while to end it. */
const madeRoom = ({ cancelsAt }: Subscription, { createdAt }: Subscription): boolean =>
  cancelsAt !== null && DateTime.isLessThanOrEqualTo(cancelsAt, createdAt)

/** Subscriptions that run beside the one that counts, so that the workspace pays twice. */
export const surplus = (known: Customer, found: ReadonlyArray<Subscription>): ReadonlyArray<Subscription> => {
  const first = foremost(known, found)
  return first === undefined || rank(first) === 0 ? [] : ofPlans(known, found).filter((one) => one !== first && rank(one) > 0 && !madeRoom(one, first))
}

/** The surplus subscriptions bought on our own pages, if the one that carries the workspace was bought there too. */
export const doubles = (known: Customer, found: ReadonlyArray<Subscription>): ReadonlyArray<Subscription> =>
  foremost(known, found)?.ours === true ? surplus(known, found).filter(({ ours }) => ours) : []

/** Whether this subscription, noted as a double, still has to be ended or refunded: while it runs, only if it is one still; once over, always, whatever was bought since. */
export const isDouble = (known: Customer, found: ReadonlyArray<Subscription>, id: string): boolean => {
  const one = found.find((subscription) => subscription.id === id)
  return one !== undefined && (rank(one) > 0 ? doubles(known, found).includes(one) : one.ours)
}

/** Whether any of these subscriptions is charged again: one that ends on a later day is, until then. */
export const goesOn = (found: ReadonlyArray<Subscription>): boolean =>
  found.some((one) => rank(one) > 0 && !endsWithin(one.currentPeriodEnd, one.cancelsAt))

/** Whether what ends then ends with the period that is paid, or before. */
export const endsWithin = (currentPeriodEnd: DateTime.Utc | null, endsAt: DateTime.Utc | null): boolean =>
  endsAt !== null && (currentPeriodEnd === null || DateTime.isLessThanOrEqualTo(endsAt, currentPeriodEnd))

const sooner = (a: DateTime.Utc, b: DateTime.Utc | null): DateTime.Utc => b !== null && DateTime.isLessThan(b, a) ? b : a

/**
 * Undefined if nothing was ever charged. A subscription that is over ended when the payment service says, or else when we
 * first heard of it: later readings do not give it more time.
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
 * A subscription that ended before the signup trial's own end leaves the plan of the trial, not the one that nobody pays for
 * any more. Extending a trial does not move that end, nor gives one to a workspace that had none: an extension gives time, and only a
 * charge changes the plan.
 */
export const planOf = (
  { endsAt, plan }: Settled,
  { cameWithTrial, createdAt, trialEndsAt }: Pick<Workspace, "createdAt" | "trialEndsAt"> & Pick<Customer, "cameWithTrial">,
  now: DateTime.Utc
): Plan | null =>
  cameWithTrial && endsAt !== null && trialEndsAt !== null && DateTime.isLessThanOrEqualTo(endsAt, now)
    && DateTime.isLessThan(endsAt, DateTime.min(trialEndsAt, DateTime.add(createdAt, TRIAL.lasts))) ? TRIAL.plan : plan

/** What the audit log says of a settling: only what changed, so that a repeated reading adds nothing. */
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

/** When each mail is due, in days relative to the lapse: from `from` on, and before `until`. */
export const TRIAL_MAILS: ReadonlyArray<{ readonly kind: TrialMail; readonly from: number; readonly until: number; readonly ofTrial: boolean }> = [
  { kind: "ending", from: -2, until: 0, ofTrial: true },
  { kind: "ended", from: 0, until: GRACE.days - 7, ofTrial: true },
  { kind: "links_going_down", from: GRACE.days - 7, until: GRACE.days, ofTrial: false }
]

export interface Due {
  readonly kind: TrialMail
  /** The end that the mail is about; another end gets a mail of its own. */
  readonly end: DateTime.Utc
  readonly linksDownOn: DateTime.Utc
}

/** Whether the trial is what ends last; of a subscription's end the payment service tells. */
const endsAsTrial = ({ subscriptionEndsAt, trialEndsAt }: BillingFacts): boolean =>
  trialEndsAt !== null && (subscriptionEndsAt === null || DateTime.isLessThan(subscriptionEndsAt, trialEndsAt))

/** Only for a workspace that will lapse or has lapsed; a mail that missed its time is not sent late. */
export const mailDue = (facts: BillingFacts, policy: TrialPolicy, now: DateTime.Utc): Due | undefined => {
  const end = lapsesAt(facts, policy)
  if (end === null) return undefined
  const found = TRIAL_MAILS.find(({ from, ofTrial, until }) =>
    (!ofTrial || endsAsTrial(facts))
    && DateTime.isGreaterThanOrEqualTo(now, DateTime.add(end, { days: from }))
    && DateTime.isLessThan(now, DateTime.add(end, { days: until }))
  )
  return found && { kind: found.kind, end, linksDownOn: DateTime.add(end, GRACE) }
}
