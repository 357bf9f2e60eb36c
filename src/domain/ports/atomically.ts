/** All-or-nothing: everything written inside commits together, queued mail included. */
import { Context, Effect } from "effect"

/**
 * Checked as a transaction begins: is its caller still signed in? A request may take long to arrive, and its credential may be
 * revoked meanwhile. A caller who is not is a defect, `SignedOutMeanwhile`, since any program may meet it; the middleware that
 * knows the credential provides the check and turns the defect into an answer.
 */
export const StillSignedIn = Context.Reference<Effect.Effect<void>>("svc/domain/ports/StillSignedIn", { defaultValue: () => Effect.void })

export class SignedOutMeanwhile extends Error {}

export class Atomically extends Context.Service<Atomically, {
  readonly atomically: <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}>()("svc/domain/ports/Atomically") {}
