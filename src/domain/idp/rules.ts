/** Who may come in through the identity provider, and who may link to it: plain decisions (SPEC §4.1). */
import { Schema } from "effect"
import type { DateTime } from "effect"
import { UserId } from "../accounts/model.ts"
import type { User } from "../accounts/model.ts"
import { Forbidden } from "../failures.ts"
import { Checks } from "../ports/identity-provider.ts"
import type { Identity } from "../ports/identity-provider.ts"
import { isFresh } from "../ports/seals.ts"

/** Whoever was refused, and why: one refusal. */
export const refused = () => new Forbidden({ message: "Signing in through the identity provider did not work." })

/** How long someone may take at the provider. */
export const LASTS = { minutes: 10 } as const

/** What the browser carries, sealed, while it is at the provider. */
export const Attempt = Schema.Struct({
  checks: Checks,
  at: Schema.Number,
  /** The link intent: whose account shall be linked. Null: somebody wants to sign in. */
  linkFor: Schema.NullOr(UserId),
  /** The path on our own origin to go on to; absent: the app. */
  next: Schema.optionalKey(Schema.String)
})
export type Attempt = typeof Attempt.Type

export const isOver = ({ at }: Attempt, now: DateTime.Utc): boolean => !isFresh(at, LASTS, now)

/** What we know of whom the provider names. */
export interface Known {
  readonly bySubject: User | undefined
  readonly byEmail: User | undefined
  /** Whether somebody invited this address, and the invitation still stands. */
  readonly invited: boolean
}

export type Entry =
  | { readonly _tag: "SignIn"; readonly user: User }
  | { readonly _tag: "LinkAndSignIn"; readonly user: User }
  | { readonly _tag: "Join"; readonly email: string }
  | { readonly _tag: "Refuse" }

const refuse: Entry = { _tag: "Refuse" }

/** The five rules of signing in, in their order. */
export const enter = ({ email, emailVerified }: Identity, { byEmail, bySubject, invited }: Known): Entry => {
  // 1. An address that the provider did not verify proves nothing.
  if (!emailVerified) return refuse
  // 2. Someone we know by their subject, whatever their address is by now.
  if (bySubject !== undefined) return { _tag: "SignIn", user: bySubject }
  if (email === null) return refuse
  // 3. An account that nobody can sign in to otherwise is theirs who owns the address; one with a password is not.
  if (byEmail !== undefined) {
    return byEmail.hasPassword || byEmail.idpLinked ? refuse : { _tag: "LinkAndSignIn", user: byEmail }
  }
  // 4. and 5. Strangers come in by invitation alone.
  return invited ? { _tag: "Join", email } : refuse
}

export type Linking = "link" | "linked" | "email_not_verified" | "conflict"

/** One account has one identity, and one identity has one account. */
export const link = (user: User, { emailVerified }: Identity, bySubject: User | undefined): Linking => {
  if (!emailVerified) return "email_not_verified"
  if (bySubject !== undefined) return bySubject.id === user.id ? "linked" : "conflict"
  return user.idpLinked ? "conflict" : "link"
}

export type Unlinking = "unlink" | "not_linked" | "no_password"

/** Nobody unlinks the only way into their account. */
export const unlink = (user: User): Unlinking => !user.idpLinked ? "not_linked" : user.hasPassword ? "unlink" : "no_password"
