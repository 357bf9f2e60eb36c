/** All-or-nothing: everything written inside commits together, queued mail included. */
import { Context, Effect } from "effect"
import type { AuthRequired } from "../failures.ts"

/**
 * Checked as a transaction begins: is its caller still signed in? A request may take long to arrive, and its credential may be
 * revoked meanwhile. A caller who is not is a defect, `SignedOutMeanwhile`, since any program may meet it; the door that knows
 * the credential provides the check and turns the defect into its refusal.
 */
export const StillSignedIn = Context.Reference<Effect.Effect<void>>("svc/domain/ports/StillSignedIn", { defaultValue: () => Effect.void })

export class SignedOutMeanwhile extends Error {
  readonly refusal: AuthRequired
  constructor(refusal: AuthRequired) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** Whose transactions these are: one account's many leave room for others'. Undefined where nobody has signed in, and for our own work. */
export const OnBehalfOf = Context.Reference<string | undefined>("svc/domain/ports/OnBehalfOf", { defaultValue: () => undefined })

/**
 * Checked last in a transaction: does its call still run here? A process that froze may be taken for dead, and its call run again
 * elsewhere. One that does not is a defect, `TakenOver`, which whoever claimed the call turns into the other one's answer.
 */
export const StillClaimed = Context.Reference<Effect.Effect<void>>("svc/domain/ports/StillClaimed", { defaultValue: () => Effect.void })

export class TakenOver extends Error {}

export class Atomically extends Context.Service<Atomically, {
  readonly atomically: <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}>()("svc/domain/ports/Atomically") {}
