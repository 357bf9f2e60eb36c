/** What the account programs need remembered. Implemented by services/database/accounts.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { Plan, WorkspaceId } from "../workspaces/model.ts"
import type { TokenPurpose, User, UserId } from "./model.ts"

export interface NewAccount {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly home: { readonly id: WorkspaceId; readonly name: string; readonly plan: Plan; readonly trialEndsAt: DateTime.Utc }
}

/** Someone invited, without a workspace of their own; their address is verified. */
export interface NewGuest {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly passwordHash: string | null
  readonly idpSub: string | null
}

export interface NewEmailToken {
  readonly hash: string
  readonly userId: UserId
  readonly purpose: TokenPurpose
  readonly expiresAt: DateTime.Utc
}

export class AccountStore extends Context.Service<AccountStore, {
  readonly find: (id: UserId) => Effect.Effect<Option.Option<User>>
  /** The same, unless the session with this end was signed out; `end`: the hash of its name (sessions/sessions.ts). */
  readonly findSignedIn: (id: UserId, end: string) => Effect.Effect<Option.Option<User>>
  readonly byEmail: (email: string) => Effect.Effect<Option.Option<{ readonly user: User; readonly passwordHash: string | null }>>
  /** The account with its home workspace and admin membership; false when the address is taken. */
  readonly create: (account: NewAccount, now: DateTime.Utc) => Effect.Effect<boolean>
  /** Whose address it is, and when their account is erased; null if it is not scheduled for that. */
  readonly holder: (email: string) => Effect.Effect<Option.Option<{ readonly name: string; readonly eraseOn: DateTime.Utc | null }>>
  /** None when the address, or the identity provider's subject, is taken. */
  readonly createGuest: (guest: NewGuest, now: DateTime.Utc) => Effect.Effect<Option.Option<User>>
  readonly rename: (id: UserId, name: string) => Effect.Effect<void>
  /** Sets the password and removes the link to a provider. */
  readonly leaveOnlyPassword: (id: UserId, hash: string) => Effect.Effect<void>
  /** One conditional UPDATE: false if the hash is no longer the `proven` one. */
  readonly replacePasswordHash: (id: UserId, proven: string, hash: string) => Effect.Effect<boolean>
  readonly dropWaysIn: (id: UserId) => Effect.Effect<void>
  /** Ends every session, and answers the user as of now. */
  readonly bumpEpoch: (id: UserId) => Effect.Effect<User>
  /** Whether the session epoch that this user was read with is still current; if so, it is held until the caller’s transaction ends, and nobody else holds it meanwhile. */
  readonly holdSession: (user: User) => Effect.Effect<boolean>
  /** Marks every unused mailed token of these purposes as used. */
  readonly voidTokens: (id: UserId, purposes: ReadonlyArray<TokenPurpose>, now: DateTime.Utc) => Effect.Effect<void>
  readonly verifyEmail: (id: UserId, now: DateTime.Utc) => Effect.Effect<void>
  readonly addToken: (token: NewEmailToken) => Effect.Effect<void>
  /** One conditional UPDATE: of any number of tries, one gets the user. */
  readonly consumeToken: (hash: string, purpose: TokenPurpose, now: DateTime.Utc) => Effect.Effect<Option.Option<User>>
  /** Forgets at most `limit` mailed tokens that expired before this time; answers how many. */
  readonly sweepTokens: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
}>()("svc/domain/accounts/AccountStore") {}
