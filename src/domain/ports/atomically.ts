/** All-or-nothing: everything written inside commits together, queued mail included. */
import { Context, Effect } from "effect"

/**
 * Whether whoever a transaction is for may still ask for it: looked at as it begins. A request may take long to arrive, and what
 * was revoked meanwhile comes to nothing. It ends in a defect, since any program may meet it; the door that knows the credential
 * provides it, and answers.
 */
export const StillSignedIn = Context.Reference<Effect.Effect<void>>("svc/domain/ports/StillSignedIn", { defaultValue: () => Effect.void })

export class SignedOutMeanwhile extends Error {}

export class Atomically extends Context.Service<Atomically, {
  readonly atomically: <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}>()("svc/domain/ports/Atomically") {}
