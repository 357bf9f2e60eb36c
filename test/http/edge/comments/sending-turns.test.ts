/** Much data for many clients: sent in turns, in the order of the requests, skipping whoever left. */
import { Effect, Fiber } from "effect"
import { assert, it } from "vitest"
import { makeSendingTurns } from "../../../../src/http/edge/comments/sending-turns.ts"
import { eventually } from "../../../support/program.ts"

const MB = 1024 * 1024

it("sends a megabyte at once and the next in turn; a small event waits only for large ones before it", async () => {
  const turn = makeSendingTurns()
  const went: Array<number> = []
  const ask = (bytes: number) => Effect.runFork(Effect.map(turn(bytes), (atOnce) => (went.push(bytes), atOnce)))
  const asked = [ask(10), ask(MB), ask(MB + 1), ask(MB + 2), ask(20)]
  assert.deepStrictEqual(went, [10, MB])
  Effect.runSync(Fiber.interrupt(asked[3]!).pipe(Effect.forkDetach))
  await eventually("all but who left went", () => went.length >= 4)
  assert.deepStrictEqual(went, [10, MB, MB + 1, 20])
  assert.deepStrictEqual(await Promise.all([asked[0]!, asked[2]!, asked[4]!].map((fiber) => Effect.runPromise(Fiber.join(fiber)))), [true, false, false])
  assert.deepStrictEqual(await Promise.all(Array.from({ length: 100 }, () => Effect.runPromise(turn(1000)))), Array.from({ length: 100 }, () => true))
})
