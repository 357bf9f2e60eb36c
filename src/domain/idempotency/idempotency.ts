/**
 * Idempotent calls (CONTRACT §1): the first call runs, and every later one with the same key and body gets its answer. The
 * claim is one conditional statement, so one of many parallel calls runs, across all instances; what it writes is confirmed by
 * another as it commits, since a process that froze may have lost its claim. Answers are kept sealed: they may hold a doorcode.
 * The answer is stored right after the program commits; if the process dies in between, or the database never confirms the
 * commit, a retry runs the call once more.
 */
import { Context, DateTime, Effect, Layer, Option, Schedule, Schema } from "effect"
import { inBatches } from "../batches.ts"
import type { Conflict, Invalid } from "../failures.ts"
import { orFail } from "../found.ts"
import { StillClaimed, TakenOver } from "../ports/atomically.ts"
import { Seals } from "../ports/seals.ts"
import { Tokens } from "../ports/tokens.ts"
import { Kept } from "./model.ts"
import type { Call, Print } from "./model.ts"
import * as Rules from "./rules.ts"
import { IdempotencyStore } from "./store.ts"

const PURPOSE = "idempotent answer"

const AT_ONCE = 1000

/** Pauses of 1.5 s in all, which outlast a restart of the database. With a database that does not answer, each try also waits for its timeout. */
const SOON = { schedule: Schedule.exponential("100 millis"), times: 4 } as const

/** For retries that may go on until the lease ends. */
const LATER = Schedule.spaced("1 second")

const decodeKept = Schema.decodeUnknownOption(Kept)

interface Once<A, E, R, E2, R2> {
  /** Runs the call; `kept` where its answer may be given again. */
  readonly run: Effect.Effect<{ readonly value: A; readonly kept: Kept | undefined }, E, R>
  /** The fingerprint of this call's input, read only up to the length of the first call's; none if it is longer. */
  readonly print: (length: number) => Effect.Effect<Option.Option<Print>, never, R2>
  /** Gives the first answer again, if the caller may still see it. */
  readonly again: (answer: Kept["answer"]) => Effect.Effect<A, E2, R2>
}

export class Idempotency extends Context.Service<Idempotency>()("svc/domain/idempotency/Idempotency", {
  make: Effect.gen(function*() {
    const store = yield* IdempotencyStore
    const seals = yield* Seals
    const tokens = yield* Tokens
    const scope = yield* Effect.scope

    /** The call's effect is committed by now: an answer that cannot be stored is logged, not raised. */
    const noted = (note: Effect.Effect<unknown>) =>
      Effect.catchDefect(note, Effect.fail).pipe(
        Effect.retry(SOON),
        Effect.catchCause((cause) => Effect.logError("idempotent call not noted", cause))
      )

    /** Releases a failed call's key as soon as the database is back, so that a retry need not wait for the lease to end. */
    const released = (call: Call, claim: string) => {
      const release = Effect.catchDefect(store.release(call, claim), Effect.fail).pipe(Effect.retry(SOON))
      const later = release.pipe(Effect.retry(LATER), Effect.timeoutOption(Rules.LEASE), Effect.interruptible)
      return Effect.catch(release, () => Effect.asVoid(Effect.forkIn(later, scope)))
    }

    const renewed = (call: Call, claim: string) => Effect.flatMap(DateTime.now, (now) => store.renew(call, claim, now))

    const renewing = (call: Call, claim: string) =>
      Effect.forever(Effect.andThen(Effect.sleep(Rules.RENEWED_EVERY), noted(renewed(call, claim))))

    const confirmed = (call: Call, claim: string) =>
      Effect.flatMap(renewed(call, claim), (ours) => ours ? Effect.void : Effect.die(new TakenOver()))

    const finish = Effect.fn("Idempotency.finish")(function*(call: Call, claim: string, kept: Kept | undefined) {
      if (kept === undefined) return yield* store.release(call, claim)
      const sealed = yield* seals.seal(PURPOSE, kept)
      return yield* store.answer(call, claim, sealed, yield* DateTime.now)
    })

    const first = <A, E, R>(call: Call, claim: string, run: Once<A, E, R, never, never>["run"]) =>
      Effect.gen(function*() {
        yield* Effect.forkScoped(renewing(call, claim))
        const { kept, value } = yield* Effect.provideService(run, StillClaimed, confirmed(call, claim))
        yield* noted(finish(call, claim, kept))
        return value
      }).pipe(Effect.scoped)

    const once = Effect.fn("Idempotency.once")(function*<A, E, R, E2, R2>(
      call: Call,
      { again, print, run }: Once<A, E, R, E2, R2>
    ): Effect.fn.Return<A, E | E2 | Conflict | Invalid, R | R2> {
      const now = yield* DateTime.now
      const claim = yield* tokens.uuid
      const limits = { now, silentSince: Rules.silentSince(now), forgottenSince: Rules.forgottenSince(now) }
      // Uninterruptible: a client that hangs up must neither leave a claim behind nor prevent the answer of a call that ran from being stored.
      const ran = yield* Effect.uninterruptible(Effect.gen(function*() {
        if (!(yield* store.claim(call, claim, limits))) return Option.none<A>()
        return Option.some(yield* first(call, claim, run))
      }).pipe(
        Effect.catchDefect((defect) => defect instanceof TakenOver ? Effect.succeedNone : Effect.die(defect)),
        Effect.onError(() => released(call, claim))
      ))
      if (Option.isSome(ran)) return ran.value
      const sealed = yield* store.answered(call, limits.forgottenSince).pipe(orFail(Rules.stillRunning))
      // Sealed with a secret that is no longer configured: the first call's input is unknown, so no retry can be shown to match it.
      const kept = yield* Effect.fromOption(Option.flatMap(yield* seals.open(PURPOSE, sealed), decodeKept), Rules.otherCall)
      const given = yield* print(kept.print.length).pipe(orFail(Rules.otherCall))
      return Rules.isSame(given, kept.print) ? yield* again(kept.answer) : yield* Rules.otherCall()
    })

    const sweep = Effect.fn("Idempotency.sweep")(function*() {
      return yield* inBatches(AT_ONCE, store.sweep(Rules.forgottenSince(yield* DateTime.now), AT_ONCE))
    })

    return { once, sweep }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
