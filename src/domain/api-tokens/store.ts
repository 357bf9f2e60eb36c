/** What the API token programs need remembered. Implemented by services/database/api-tokens.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { User, UserId } from "../accounts/model.ts"
import type { ApiToken, ApiTokenId } from "./model.ts"

export class ApiTokenStore extends Context.Service<ApiTokenStore, {
  /** Newest first. */
  readonly list: (userId: UserId) => Effect.Effect<ReadonlyArray<ApiToken>>
  readonly add: (userId: UserId, token: ApiToken, hash: string) => Effect.Effect<void>
  /** Without those of devices. */
  readonly count: (userId: UserId) => Effect.Effect<number>
  /** Revokes those of devices but for the `most` that were used last. */
  readonly retire: (userId: UserId, most: number) => Effect.Effect<void>
  /** False if the user has no token of that id. */
  readonly remove: (userId: UserId, id: ApiTokenId) => Effect.Effect<boolean>
  readonly removeAll: (userId: UserId) => Effect.Effect<void>
  readonly authenticate: (hash: string) => Effect.Effect<Option.Option<{ readonly token: Pick<ApiToken, "id" | "lastUsedAt">; readonly user: User }>>
  readonly used: (id: ApiTokenId, now: DateTime.Utc) => Effect.Effect<void>
}>()("svc/domain/api-tokens/ApiTokenStore") {}
