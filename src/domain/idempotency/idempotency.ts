/**
 * Calls that may be sent again (CONTRACT §1): the first one runs, and its answer is what every later one with its key
 * and its body gets. The claim is one conditional statement, so of many at once one runs, on whichever instance. What
 * is kept is sealed: an answer may hold a doorcode. Between a program's commit and the note of its answer nothing
 * stands but an instant; a process that dies in it, or whose database never says that it committed, leaves a call that runs once more.
 */
import { Context, DateTime, Effect, Layer, Option, Schedule, Schema } from "effect"
import { inBatches } from "../batches.ts"
import type { Conflict, Invalid } from "../failures.ts"
import { Seals } from "../ports/seals.ts"
import { Tokens } from "../ports/tokens.ts"
import { Kept } from "./model.ts"
import type { Call, Print } from "./model.ts"
import * as Rules from "./rules.ts"
import { IdempotencyStore } from "./store.ts"

const PURPOSE = "idempotent answer"

const AT_ONCE = 1000

/** Pauses of a second and a half in all, which outlast a database that restarts; one that is silent holds each try up until it is given up. */
const SOON = { schedule: Schedule.exponential("100 millis"), times: 4 } as const

/** For what may take until the lease is over. */
const LATER = Schedule.spaced("1 second")

const decodeKept = Schema.decodeUnknownOption(Kept)

export interface Once<A, E, R, E2, R2> {
  /** Does it; `kept` where the answer may be given again. */
  readonly run: Effect.Effect<{ readonly value: A; readonly kept: Kept | undefined }, E, R>
  /** What this call was given, read no further than the first one's length; none where it is longer. */
  readonly print: (length: number) => Effect.Effect<Option.Option<Print>, never, R2>
  /** The first answer, where whoever asks may still have it. */
  readonly again: (answer: Kept["answer"]) => Effect.Effect<A, E2, R2>
}

export class Idempotency extends Context.Service<Idempotency>()("svc/domain/idempotency/Idempotency", {
  make: Effect.gen(function*() {
    const store = yield* IdempotencyStore
    const seals = yield* Seals
    const tokens = yield* Tokens
    const scope = yield* Effect.scope

    /** What was done stays done, whatever becomes of the note of it. */
    const noted = (note: Effect.Effect<void>) =>
      Effect.catchDefect(note, Effect.fail).pipe(
        Effect.retry(SOON),
        Effect.catchCause((cause) => Effect.logError("idempotent call not noted", cause))
      )

    /** Whoever was refused for want of a database tries again once it is back, and not when the lease is over. */
    const released = (call: Call, claim: string) => {
      const release = Effect.catchDefect(store.release(call, claim), Effect.fail).pipe(Effect.retry(SOON))
      const later = release.pipe(Effect.retry(LATER), Effect.timeoutOption(Rules.LEASE), Effect.interruptible)
      return Effect.catch(release, () => Effect.asVoid(Effect.forkIn(later, scope)))
    }

    const renewing = (call: Call, claim: string) =>
      Effect.forever(Effect.andThen(
        Effect.sleep(Rules.RENEWED_EVERY),
        noted(Effect.flatMap(DateTime.now, (now) => store.renew(call, claim, now)))
      ))

    const settle = Effect.fn("Idempotency.settle")(function*(call: Call, claim: string, kept: Kept | undefined) {
      if (kept === undefined) return yield* store.release(call, claim)
      const sealed = yield* seals.seal(PURPOSE, kept)
      return yield* store.answer(call, claim, sealed, yield* DateTime.now)
    })

    /** Somebody who hangs up must not part what is done from the note of it: begun, it runs to its end. */
    const first = <A, E, R>(call: Call, claim: string, run: Once<A, E, R, never, never>["run"]) =>
      Effect.gen(function*() {
        yield* Effect.forkScoped(renewing(call, claim))
        const { kept, value } = yield* run.pipe(Effect.onError(() => released(call, claim)))
        yield* noted(settle(call, claim, kept))
        return value
      }).pipe(Effect.scoped, Effect.uninterruptible)

    const once = Effect.fn("Idempotency.once")(function*<A, E, R, E2, R2>(
      call: Call,
      { again, print, run }: Once<A, E, R, E2, R2>
    ): Effect.fn.Return<A, E | E2 | Conflict | Invalid, R | R2> {
      const now = yield* DateTime.now
      const claim = yield* tokens.uuid
      const limits = { now, silentSince: Rules.silentSince(now), forgottenSince: Rules.forgottenSince(now) }
      if (yield* store.claim(call, claim, limits)) return yield* first(call, claim, run)
      const sealed = yield* store.answered(call, limits.forgottenSince)
      if (Option.isNone(sealed)) return yield* Rules.stillRunning()
      const kept = Option.flatMap(yield* seals.open(PURPOSE, sealed.value), decodeKept)
      // Sealed with a secret that is gone: what it was cannot be told, so that nothing is as it was.
      if (Option.isNone(kept)) return yield* Rules.otherCall()
      const given = yield* print(kept.value.print.length)
      if (Option.isNone(given) || !Rules.isSame(given.value, kept.value.print)) return yield* Rules.otherCall()
      return yield* again(kept.value.answer)
    })

    const sweep = Effect.fn("Idempotency.sweep")(function*() {
      return yield* inBatches(AT_ONCE, store.sweep(Rules.forgottenSince(yield* DateTime.now), AT_ONCE))
    })

    return { once, sweep }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
