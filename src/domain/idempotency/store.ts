/** The persistence port of idempotent calls. Implemented by services/database/idempotency.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { Call } from "./model.ts"

export interface Limits {
  readonly now: DateTime.Utc
  readonly silentSince: DateTime.Utc
  readonly forgottenSince: DateTime.Utc
}

export class IdempotencyStore extends Context.Service<IdempotencyStore, {
  /** Claims a call that is new, forgotten, or abandoned by a process that died; false if it runs or is answered. */
  readonly claim: (call: Call, claim: string, limits: Limits) => Effect.Effect<boolean>
  /** The sealed answer of a call, while it is kept. */
  readonly answered: (call: Call, forgottenSince: DateTime.Utc) => Effect.Effect<Option.Option<string>>
  /** False if another process has claimed the call meanwhile. */
  readonly renew: (call: Call, claim: string, now: DateTime.Utc) => Effect.Effect<boolean>
  /** Does nothing if another process has claimed the call meanwhile. */
  readonly answer: (call: Call, claim: string, sealed: string, now: DateTime.Utc) => Effect.Effect<void>
  readonly release: (call: Call, claim: string) => Effect.Effect<void>
  /** Deletes at most `limit` calls that were last claimed, renewed or answered at this time or before; returns how many. */
  readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
}>()("svc/domain/idempotency/IdempotencyStore") {}
