/** The persistence port of OAuth. Implemented by services/database/oauth.ts. */
import { Context } from "effect"
import type { Array, DateTime, Effect, Option } from "effect"
import type { User, UserId } from "../accounts/model.ts"
import type { Code, Family, FamilyId, OauthClient, TokenKind } from "./model.ts"

export interface NewToken {
  readonly hash: string
  readonly kind: TokenKind
  readonly expiresAt: DateTime.Utc
}

export class OauthStore extends Context.Service<OauthStore, {
  readonly addClient: (client: OauthClient, now: DateTime.Utc) => Effect.Effect<void>
  /**
   * Deletes clients that registered before `before`, at most `limit` of them; returns how many. A client with a code, a family
   * or a device grant stays, whatever the state of these.
   */
  readonly sweepClients: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  readonly client: (id: string) => Effect.Effect<Option.Option<OauthClient>>
  readonly addCode: (code: Omit<Code, "usedAt">, hash: string) => Effect.Effect<void>
  /** Deletes codes that expired before `before`, at most `limit` of them; returns how many. */
  readonly sweepCodes: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  readonly code: (hash: string) => Effect.Effect<Option.Option<Code>>
  /** One conditional UPDATE: of any number of exchanges, one gets true. */
  readonly consumeCode: (hash: string, now: DateTime.Utc) => Effect.Effect<boolean>
  /** Drops the codes not exchanged yet: for password resets and changes. */
  readonly forgetCodesOf: (userId: UserId) => Effect.Effect<void>
  readonly addFamily: (family: Family, now: DateTime.Utc) => Effect.Effect<void>
  readonly addTokens: (family: FamilyId, tokens: Array.NonEmptyReadonlyArray<NewToken>, now: DateTime.Utc) => Effect.Effect<void>
  /** Deletes tokens that expired before `before`, at most `limit` of them; returns how many. */
  readonly sweepTokens: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  /** Deletes families that were last used before `before` and have no tokens any more, at most `limit` of them; returns how many. */
  readonly sweepFamilies: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  /** One conditional UPDATE: of any number of refreshes, one gets the family. */
  readonly consumeRefresh: (hash: string, clientId: string, now: DateTime.Utc) => Effect.Effect<Option.Option<Family>>
  /** The family of a token, whatever the state of either; `used`: a refresh token that was exchanged for its successor. */
  readonly familyOf: (hash: string) => Effect.Effect<Option.Option<Family & { readonly used: boolean }>>
  readonly revoke: (family: FamilyId, now: DateTime.Utc) => Effect.Effect<void>
  /** Revokes every family of an account: for password resets, which revoke every token. */
  readonly revokeAllOf: (userId: UserId, now: DateTime.Utc) => Effect.Effect<void>
  readonly access: (hash: string, resource: string, now: DateTime.Utc) => Effect.Effect<
    Option.Option<{ readonly user: User; readonly family: FamilyId; readonly lastUsedAt: DateTime.Utc | null }>
  >
  readonly used: (family: FamilyId, now: DateTime.Utc) => Effect.Effect<void>
}>()("svc/domain/oauth/OauthStore") {}
