/** Turns: who goes next, and that nobody's claims keep another waiting. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { after, makeQueues, makeTurns, nextOf } from "../../src/domain/turns.ts"
import type { Claim } from "../../src/domain/turns.ts"
import { WorkspaceId } from "../../src/domain/workspaces/model.ts"

const [eve, bob, kim] = [1, 2, 3].map((n) => WorkspaceId.make(`00000000-0000-7000-8000-00000000000${n}`)) as [WorkspaceId, WorkspaceId, WorkspaceId]

const claims = (of: WorkspaceId, count: number, awaited = true): ReadonlyArray<Claim> =>
  Array.from({ length: count }, () => ({ of, awaited }))

const NOBODY: ReadonlySet<string> = new Set()

/** Whose turns they were, in order. */
const order = (waiting: ReadonlyArray<Claim>): ReadonlyArray<string> => {
  const next = nextOf(waiting, NOBODY)
  return next === undefined ? [] : [next.of, ...order(after(next, waiting))]
}

describe("whose turn it is", () => {
  it("goes round the workspaces, however many claims each has", () => {
    assert.deepStrictEqual(order([...claims(eve, 4), ...claims(kim, 2), ...claims(bob, 1)]), [eve, kim, bob, eve, kim, eve, eve])
    assert.deepStrictEqual(order([]), [])
  })

  it("is theirs first who wait for it", () => {
    const [ahead] = claims(bob, 1, false)
    assert.deepStrictEqual(order([...claims(kim, 2, false), ahead!, ...claims(eve, 2)]), [eve, eve, kim, bob, kim])
    ahead!.awaited = true
    assert.deepStrictEqual(order([...claims(kim, 2, false), ahead!]), [bob, kim, kim])
  })

  it("is nobody's whose workspace has one", () => {
    const [own, other] = [...claims(eve, 1), ...claims(bob, 1, false)]
    assert.strictEqual(nextOf([own!, other!], new Set<string>([eve])), other)
    assert.isUndefined(nextOf([own!], new Set<string>([eve])))
  })
})

describe("turns", () => {
  it.effect("are as many at once as there may be, one a workspace, and are passed on however they end", () =>
    Effect.gen(function*() {
      const { inTurn } = makeTurns(2)
      const gate = yield* Deferred.make<void>()
      const begun: Array<string> = []
      const one = (name: string, workspaceId: WorkspaceId, ends: Effect.Effect<void, string> = Deferred.await(gate)) =>
        Effect.forkChild(Effect.exit(inTurn({ of: workspaceId, awaited: true }, Effect.andThen(Effect.sync(() => begun.push(name)), ends))), { startImmediately: true })
      const first = yield* one("eve 1", eve)
      const cut = yield* one("eve 2", eve)
      const rest = [yield* one("eve 3", eve), yield* one("bob", bob, Effect.fail("no")), yield* one("kim", kim)]
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["eve 1", "bob", "kim"])
      yield* Fiber.interrupt(cut)
      // Giving up while waiting frees no turn, since none was held.
      assert.deepStrictEqual(begun, ["eve 1", "bob", "kim"])
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of rest) yield* Fiber.join(fiber)
      assert.deepStrictEqual(begun, ["eve 1", "bob", "kim", "eve 3"])
    }))
})

describe("turns of several for each", () => {
  it.effect("leave room for others, whoever claimed first and most", () =>
    Effect.gen(function*() {
      const { inTurn } = makeTurns(4, 2)
      const begun: Array<string> = []
      const gates = new Map<string, Deferred.Deferred<void>>()
      const one = Effect.fnUntraced(function*(name: string, of: WorkspaceId) {
        const gate = yield* Deferred.make<void>()
        gates.set(name, gate)
        return yield* Effect.forkChild(inTurn({ of, awaited: true }, Effect.andThen(Effect.sync(() => begun.push(name)), Deferred.await(gate))), { startImmediately: true })
      })
      const fibers = []
      for (let at = 1; at <= 5; at++) fibers.push(yield* one(`eve ${at}`, eve))
      fibers.push(yield* one("bob", bob), yield* one("kim", kim))
      assert.deepStrictEqual(begun, ["eve 1", "eve 2", "bob", "kim"])
      for (const name of ["bob", "kim"]) yield* Deferred.succeed(gates.get(name)!, undefined)
      for (const fiber of fibers.slice(-2)) yield* Fiber.join(fiber)
      assert.lengthOf(begun, 4)
      for (const gate of gates.values()) yield* Deferred.succeed(gate, undefined)
      for (const fiber of fibers) yield* Fiber.join(fiber)
      assert.deepStrictEqual(begun.slice(4), ["eve 3", "eve 4", "eve 5"])
    }))
})

describe("queues", () => {
  it.effect("are gone through one at a time, each by itself, and nobody waits behind one who gave up", () =>
    Effect.gen(function*() {
      const queue = yield* makeQueues
      const begun: Array<string> = []
      const one = (key: string, name: string, ends: Effect.Effect<void, string> = Effect.never) =>
        Effect.forkChild(Effect.exit(queue(key)(Effect.andThen(Effect.sync(() => begun.push(name)), ends))), { startImmediately: true })
      const first = yield* one("a", "a 1")
      const cut = yield* one("a", "a 2")
      const rest = [yield* one("a", "a 3", Effect.fail("no")), yield* one("a", "a 4", Effect.void), yield* one("b", "b 1", Effect.void)]
      assert.deepStrictEqual(begun, ["a 1", "b 1"])
      yield* Fiber.interrupt(cut)
      yield* Fiber.interrupt(first)
      for (const fiber of rest) yield* Fiber.join(fiber)
      assert.deepStrictEqual(begun, ["a 1", "b 1", "a 3", "a 4"])
    }))
})
