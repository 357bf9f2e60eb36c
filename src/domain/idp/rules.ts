/** Who may sign in through the identity provider, and who may link an account to it (SPEC §4.1). */
import { Schema } from "effect"
import type { DateTime } from "effect"
import { UserId } from "../accounts/model.ts"
import type { User } from "../accounts/model.ts"
import { Forbidden } from "../failures.ts"
import { Checks } from "../ports/identity-provider.ts"
import type { Identity } from "../ports/identity-provider.ts"
import { isFresh } from "../ports/seals.ts"

/** The same refusal whatever the reason. */
export const refused = () => new Forbidden({ message: "Signing in through the identity provider did not work. Begin again, or sign in another way." })

/** How long a person may take at the provider. */
const LASTS = { minutes: 10 } as const

/** An attempt to sign in or link, which the browser carries sealed while it is at the provider. */
export const Attempt = Schema.Struct({
  checks: Checks,
  at: Schema.Number,
  /** The link intent: the account to link. Null for a sign-in. */
  linkFor: Schema.NullOr(UserId),
  /** The path on our own origin to continue to; the app if absent. */
  next: Schema.optionalKey(Schema.String)
})
export type Attempt = typeof Attempt.Type

export const isOver = ({ at }: Attempt, now: DateTime.Utc): boolean => !isFresh(at, LASTS, now)

/** What we know about the person that the provider names. */
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
  // 1. An address that the provider has not verified proves nothing.
  if (!emailVerified) return refuse
  // 2. A known subject signs in, even if the address has changed.
  if (bySubject !== undefined) return { _tag: "SignIn", user: bySubject }
  if (email === null) return refuse
  // 3. An account with neither password nor link belongs to whoever owns its address; one with a password is not handed over.
  //    A link to an earlier provider is none: it lets nobody in any more, and a mailed link opens the account to the same owner.
  if (byEmail !== undefined) {
    return byEmail.hasPassword || byEmail.idpLinked ? refuse : { _tag: "LinkAndSignIn", user: byEmail }
  }
  // 4. and 5. Strangers need an invitation.
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

/** The only way to sign in to an account cannot be unlinked. */
export const unlink = (user: User): Unlinking => !user.idpLinked ? "not_linked" : user.hasPassword ? "unlink" : "no_password"
