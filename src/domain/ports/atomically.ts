/** All-or-nothing: everything written inside commits together, queued mail included. */
import { Context } from "effect"
import type { Effect } from "effect"

export class Atomically extends Context.Service<Atomically, {
  readonly atomically: <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}>()("svc/domain/ports/Atomically") {}
