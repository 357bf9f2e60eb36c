/** Accounts as plain decisions: lifetimes, limits, names (SPEC §8, CONTRACT §3). */
import { DateTime, Result } from "effect"
import { EmailNotVerified } from "../failures.ts"
import { shortened, shown } from "../labels/model.ts"
import type { Limit } from "../ports/rate-limits.ts"
import { MAX_NAME } from "../workspaces/model.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { TRIAL } from "../workspaces/rules.ts"
import type { TokenPurpose, User } from "./model.ts"
import type { NewAccount } from "./store.ts"

export const LIFETIMES: Record<TokenPurpose, { readonly minutes: number }> = {
  "verify-email": { minutes: 48 * 60 },
  "magic-link": { minutes: 15 },
  "password-reset": { minutes: 60 }
}

export const tokenExpiry = (purpose: TokenPurpose, now: DateTime.Utc): DateTime.Utc =>
  DateTime.add(now, LIFETIMES[purpose])

export const LIMITS = {
  loginByAddress: { name: "login.address", limit: 5, window: "1 minute" },
  loginByEmail: { name: "login.email", limit: 20, window: "1 hour" },
  signupByAddress: { name: "signup.address", limit: 20, window: "1 minute" },
  signupByAddressHourly: { name: "signup.address.hour", limit: 200, window: "1 hour" },
  /** Beyond this nothing is mailed, and the answer stays the same. */
  signupMails: { name: "signup.mails", limit: 3, window: "1 hour" },
  magicLink: { name: "magic-link", limit: 3, window: "1 hour" },
  passwordReset: { name: "password-reset", limit: 3, window: "1 hour" },
  /** One limit for each endpoint that takes a mailed token, by client address. */
  magicLinkVerify: { name: "magic-link.verify", limit: 20, window: "1 minute" },
  resetConfirm: { name: "password-reset.confirm", limit: 20, window: "1 minute" },
  inviteAccept: { name: "invites.accept", limit: 20, window: "1 minute" },
  /** Password confirmations and changes, by user. */
  reauthentication: { name: "reauthentication", limit: 5, window: "1 minute" },
  verificationResend: { name: "verify-email.resend", limit: 3, window: "1 hour" }
} as const satisfies Record<string, Limit>

export const nameFor = (name: string | undefined, email: string): string =>
  name === undefined || name === "" ? email.slice(0, email.indexOf("@")) : name

/** Required for whatever others see or are mailed: publishing, commenting, inviting (SPEC §5.5). */
export const verified = (user: User): Result.Result<void, EmailNotVerified> =>
  user.emailVerified
    ? Result.succeed(undefined)
    : Result.fail(new EmailNotVerified({ message: "Verify your email first: the link is in the mail we sent you." }))

const HOME = "’s workspace"

/** The workspace that an account of this name starts with, on trial. */
export const home = (id: WorkspaceId, name: string, now: DateTime.Utc): NewAccount["home"] =>
  ({ id, name: shown(shortened(name, MAX_NAME - HOME.length)) + HOME, plan: TRIAL.plan, trialEndsAt: DateTime.add(now, TRIAL.lasts) })
