/** Plans and the trial as data and plain decisions (CONTRACT §5, §6). */
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

/** The facts a workspace's standing is derived from. */
export interface BillingFacts {
  readonly trialEndsAt: DateTime.Utc | null
}

export const billingState = (facts: BillingFacts, policy: TrialPolicy, now: DateTime.Utc): BillingState => {
  if (facts.trialEndsAt !== null && DateTime.isLessThan(now, facts.trialEndsAt)) return "trialing"
  if (policy === "open" || facts.trialEndsAt === null) return "active"
  return DateTime.isLessThan(now, DateTime.add(facts.trialEndsAt, GRACE)) ? "lapsed" : "down"
}

/** When published links stop serving, once that is certain: only after the trial has lapsed. */
export const linksDownOn = (facts: BillingFacts, policy: TrialPolicy, now: DateTime.Utc): DateTime.Utc | null => {
  const state = billingState(facts, policy, now)
  return facts.trialEndsAt !== null && (state === "lapsed" || state === "down")
    ? DateTime.add(facts.trialEndsAt, GRACE)
    : null
}

export const mayPublish = (state: BillingState): boolean => state !== "lapsed" && state !== "down"
