/** What calls that may be sent again need remembered. Implemented by services/database/idempotency.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { Call } from "./model.ts"

export interface Limits {
  readonly now: DateTime.Utc
  readonly silentSince: DateTime.Utc
  readonly forgottenSince: DateTime.Utc
}

export class IdempotencyStore extends Context.Service<IdempotencyStore, {
  /** Takes the call where it is new, forgotten, or was left by a process that died; false where it runs or is answered. */
  readonly claim: (call: Call, claim: string, limits: Limits) => Effect.Effect<boolean>
  /** The sealed answer of a call that has one still. */
  readonly answered: (call: Call, forgottenSince: DateTime.Utc) => Effect.Effect<Option.Option<string>>
  readonly renew: (call: Call, claim: string, now: DateTime.Utc) => Effect.Effect<void>
  /** Nothing where the claim was lost meanwhile. */
  readonly answer: (call: Call, claim: string, sealed: string, now: DateTime.Utc) => Effect.Effect<void>
  readonly release: (call: Call, claim: string) => Effect.Effect<void>
  /** Forgets at most `limit` calls last heard of at this time or before; answers how many. */
  readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
}>()("svc/domain/idempotency/IdempotencyStore") {}
