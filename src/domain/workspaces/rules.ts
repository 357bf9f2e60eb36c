/** Plans, trial and billing state: data and rules (CONTRACT §5, §6). */
import { DateTime } from "effect"
import type { BillingState, Plan, TrialPolicy } from "./model.ts"

const KB = 1024
const MB = 1024 * KB
const GB = 1024 * MB
const TB = 1024 * GB

export interface PlanLimits {
  readonly projects: number
  readonly storageBytes: number
  readonly seats: number
  readonly uploadBytes: number
  readonly versionsKept: number
  readonly analyticsDays: number
}

export const PLANS: Record<Plan, PlanLimits> = {
  starter: { projects: 5, storageBytes: GB, seats: 1, uploadBytes: 25 * MB, versionsKept: 3, analyticsDays: 7 },
  studio: { projects: 100, storageBytes: 100 * GB, seats: 5, uploadBytes: 500 * MB, versionsKept: 20, analyticsDays: 90 },
  agency: { projects: 1000, storageBytes: TB, seats: 25, uploadBytes: GB, versionsKept: 100, analyticsDays: 365 }
}

export const TRIAL = { plan: "studio", lasts: { days: 7 } } as const

/** How long published links keep serving after a lapse (SPEC §8). */
export const GRACE = { days: 30 } as const

/** When a workspace's trial and subscription end. */
export interface TermFacts {
  readonly trialEndsAt: DateTime.Utc | null
  /** The status of the subscription that was last charged for; null until the first charge. */
  readonly subscriptionStatus: "active" | "past_due" | null
  /** When that subscription ends or ended; null while it continues. */
  readonly subscriptionEndsAt: DateTime.Utc | null
}

/** The facts that a workspace's billing state is derived from. */
export interface BillingFacts extends TermFacts {
  /** Whether it was created without a trial and has not been paid for yet. */
  readonly needsCharge: boolean
}

const before = (now: DateTime.Utc, moment: DateTime.Utc | null): boolean => moment !== null && DateTime.isLessThan(now, moment)

/** Whether a subscription pays for it now. */
export const isPaid = (facts: TermFacts, now: DateTime.Utc): boolean =>
  facts.subscriptionStatus !== null && (facts.subscriptionEndsAt === null || before(now, facts.subscriptionEndsAt))

/** When both trial and subscription are over; null if that is not known yet, or there was neither. */
const endOf = ({ subscriptionEndsAt, subscriptionStatus, trialEndsAt }: TermFacts): DateTime.Utc | null => {
  if (subscriptionStatus === null) return trialEndsAt
  if (subscriptionEndsAt === null || trialEndsAt === null) return subscriptionEndsAt
  return DateTime.max(subscriptionEndsAt, trialEndsAt)
}

/** When it lapses: at that end, or as trials began to be enforced if that was later, since nothing lapsed until then. */
export const lapsesAt = (facts: TermFacts, policy: TrialPolicy): DateTime.Utc | null => {
  if (policy === "open") return null
  const end = endOf(facts)
  return end === null ? null : DateTime.max(end, policy.enforcedSince)
}

/** Whether its links have stopped. Runs on every request, so a workspace in good standing takes no calendar arithmetic. */
export const isDown = (facts: TermFacts, policy: TrialPolicy, now: DateTime.Utc): boolean => {
  if (isPaid(facts, now) || before(now, facts.trialEndsAt)) return false
  const lapse = lapsesAt(facts, policy)
  return lapse !== null && !before(now, DateTime.add(lapse, GRACE))
}

export const billingState = (facts: BillingFacts, policy: TrialPolicy, now: DateTime.Utc): BillingState => {
  if (isPaid(facts, now)) return facts.subscriptionStatus ?? "active"
  if (before(now, facts.trialEndsAt)) return "trialing"
  if (policy === "open") return "active"
  // Without a trial or a subscription nothing ended, so what was published in it while nothing lapsed stays up.
  if (endOf(facts) === null) return facts.needsCharge ? "lapsed" : "active"
  return isDown(facts, policy, now) ? "down" : "lapsed"
}

/** When published links stop being served; known only after a lapse. */
export const linksDownOn = (facts: BillingFacts, policy: TrialPolicy, now: DateTime.Utc): DateTime.Utc | null => {
  const state = billingState(facts, policy, now)
  const lapse = state === "lapsed" || state === "down" ? lapsesAt(facts, policy) : null
  return lapse === null ? null : DateTime.add(lapse, GRACE)
}

export const mayPublish = (state: BillingState): boolean => state !== "lapsed" && state !== "down"
