/** Answers whose time says nothing, to the millisecond. */
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { InvalidCredentials } from "../../../src/domain/failures.ts"
import { evenly, refusedEvenly } from "../../../src/http/server/even-answers.ts"

const refused = new InvalidCredentials({ message: "Wrong." })

/** When it ends, if its work takes so long. */
const endOf = Effect.fnUntraced(function*(paced: Effect.Effect<unknown, unknown>) {
  const begun = yield* Clock.currentTimeMillis
  const running = yield* Effect.forkChild(Effect.andThen(Effect.exit(paced), Clock.currentTimeMillis))
  yield* TestClock.adjust("1 second")
  return (yield* Fiber.join(running)) - begun
})

it.effect("an answer comes at the next full tenth of a second, however long its work took", () =>
  Effect.gen(function*() {
    for (const [work, end] of [[0, 100], [20, 100], [99, 100], [101, 200], [130, 200], [350, 400]] as const) {
      assert.strictEqual(yield* endOf(evenly(Effect.sleep(work))), end)
      assert.strictEqual(yield* endOf(refusedEvenly(Effect.andThen(Effect.sleep(work), refused), "invalid_credentials")), end)
    }
  }))

it.effect("what reveals nothing is not delayed: a failure of a request, and a guess that is right", () =>
  Effect.gen(function*() {
    assert.strictEqual(yield* endOf(evenly(Effect.andThen(Effect.sleep(20), refused))), 20)
    assert.strictEqual(yield* endOf(refusedEvenly(Effect.sleep(20), "invalid_credentials" as never)), 20)
  }))
