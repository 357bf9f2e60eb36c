/** What an account is, and the inputs that change one (SPEC §2, CONTRACT §3). */
import { Schema } from "effect"
import { isId } from "../ids.ts"

export const UserId = Schema.String.check(isId).pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

export const User = Schema.Struct({
  id: UserId,
  name: Schema.String,
  email: Schema.String,
  emailVerified: Schema.Boolean,
  hasPassword: Schema.Boolean,
  /** To the identity provider that is configured now. */
  idpLinked: Schema.Boolean,
  /** Bumped to end every session at once. */
  sessionEpoch: Schema.Int,
  createdAt: Schema.DateTimeUtcFromDate
})
export type User = typeof User.Type

/** The one thing that a mailed token is good for. */
export const TokenPurpose = Schema.Literals(["verify-email", "magic-link", "password-reset"])
export type TokenPurpose = typeof TokenPurpose.Type

export interface Signup {
  readonly email: string
  readonly password: string
  readonly name: string | undefined
  /** A path that the caller has checked to be on our own origin; the mailed link leads on to it. */
  readonly next?: string | undefined
}

export interface Credentials {
  readonly email: string
  readonly password: string
}
