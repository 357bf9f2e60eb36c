/** Password hashing: parameters, the same work without a hash, turns. */
import { assert, layer } from "@effect/vitest"
import argon2 from "argon2"
import { Cause, Effect, Exit, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { readdirSync, readFileSync } from "node:fs"
import { stat } from "node:fs/promises"
import { getPriority } from "node:os"
import { Passwords } from "../../../src/domain/ports/passwords.ts"
import { atOnce, NICE, PasswordsArgon2 } from "../../../src/services/crypto/passwords.ts"

layer(PasswordsArgon2)("passwords", (it) => {
  it.effect("are kept as Argon2id with 19 MiB, two passes, one lane, and a salt of their own", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      const [one, two] = yield* Effect.all([passwords.hash("correct horse", "one"), passwords.hash("correct horse", "one")])
      assert.match(one, /^\$argon2id\$v=19\$/)
      assert.deepStrictEqual(one.split("$")[3]!.split(",").sort(), ["m=19456", "p=1", "t=2"])
      assert.notStrictEqual(one, two)
      assert.deepStrictEqual(yield* passwords.verify(one, "correct horse", "one"), { matches: true, outdated: false })
      assert.deepStrictEqual(yield* passwords.verify(one, "correct horsf", "one"), { matches: false, outdated: false })
    }))

  it.effect("typed on another system, composed otherwise, are the same", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      const hash = yield* passwords.hash("Zoe\u0308 and more", "one")
      assert.isTrue((yield* passwords.verify(hash, "Zo\u00eb and more", "one")).matches)
    }))

  it.effect("a hash with other parameters, or of another kind, is outdated", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      const weak = yield* Effect.promise(() => argon2.hash("correct horse", { memoryCost: 8192, timeCost: 1, parallelism: 1 }))
      const other = yield* Effect.promise(() =>
        argon2.hash("correct horse", { memoryCost: 19_456, timeCost: 2, parallelism: 1, type: argon2.argon2i })
      )
      assert.deepStrictEqual(yield* passwords.verify(weak, "correct horse", "one"), { matches: true, outdated: true })
      assert.deepStrictEqual(yield* passwords.verify(other, "correct horse", "one"), { matches: true, outdated: true })
    }))

  it.effect("without a hash the answer is no, whatever the password, after the same work", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      const hash = yield* passwords.hash("correct horse", "one")
      const no = { matches: false, outdated: false }
      for (const password of ["correct horse", "a password that nobody has", ""]) {
        assert.deepStrictEqual(yield* passwords.verify(null, password, "one"), no)
      }
      // Processor time, which other processes on the machine do not affect.
      const spent = () => process.cpuUsage().user / 1_000
      const work = (of: string | null) =>
        Effect.sync(spent).pipe(Effect.flatMap((before) => Effect.map(passwords.verify(of, "x", "one"), () => spent() - before)))
      const median = (all: ReadonlyArray<number>) => [...all].sort((a, b) => a - b)[3]!
      const known: Array<number> = []
      const unknown: Array<number> = []
      for (let round = 0; round < 7; round++) {
        known.push(yield* work(hash))
        unknown.push(yield* work(null))
      }
      const ratio = median(unknown) / median(known)
      assert.isTrue(ratio > 0.5 && ratio < 2, `unknown / known = ${ratio}`)
    }))

  it.effect("fewer than all threads hash at once, so the others go on", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      const queue = yield* Effect.forkChild(
        Effect.all(Array.from({ length: 24 }, () => passwords.hash("x", "one")), { concurrency: "unbounded" })
      )
      yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
      yield* Effect.promise(() => stat("."))
      assert.isUndefined(queue.pollUnsafe(), "a look at a file waited for all the hashes")
      assert.strictEqual(new Set(yield* Fiber.join(queue)).size, 24)
    }))

  it.effect.skipIf(process.platform !== "linux")("hashes give way to whoever answers requests", () =>
    Effect.gen(function*() {
      yield* Passwords
      const pool = readdirSync("/proc/self/task").filter((id) => readFileSync(`/proc/self/task/${id}/comm`, "utf8") === "libuv-worker\n")
      assert.isAbove(pool.length, 0)
      for (const id of pool) assert.strictEqual(getPriority(Number(id)), Math.min(getPriority() + NICE, 19))
      assert.deepStrictEqual([1, 2, 8].map((cores) => [atOnce(cores, true), atOnce(cores, false)]), [[1, 1], [2, 1], [2, 2]])
    }))

  it.effect("turns go round: one network that sends many holds nobody else up", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      const many = yield* Effect.all(Array.from({ length: 60 }, () => Effect.forkChild(passwords.hash("x", "192.0.2"))))
      yield* passwords.hash("x", "198.51.100")
      assert.isAtMost(many.filter((fiber) => fiber.pollUnsafe() !== undefined).length, 6)
      yield* Fiber.interruptAll(many)
    }))

  it.effect("whose turn does not come is told to try again, and nothing is hashed for them", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      const many = yield* Effect.all(Array.from({ length: 60 }, () => Effect.forkChild(Effect.exit(passwords.hash("x", "192.0.2")))))
      yield* TestClock.adjust("14999 millis")
      assert.isAtLeast(many.filter((fiber) => fiber.pollUnsafe() === undefined).length, 50)
      yield* TestClock.adjust("1 millis")
      const exits = yield* Fiber.joinAll(many)
      const refused = exits.filter(Exit.isFailure)
      assert.isAtLeast(refused.length, 50)
      for (const { cause } of refused) assert.strictEqual(Option.getOrThrow(Cause.findErrorOption(cause))._tag, "unavailable")
      assert.match(yield* passwords.hash("x", "192.0.2"), /^\$argon2id/)
    }))

  it.effect("whoever gives up waiting leaves the queue in order", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      const fibers = yield* Effect.all(Array.from({ length: 12 }, () => Effect.forkChild(passwords.hash("x", "one"))))
      yield* Fiber.interruptAll(fibers)
      assert.match(yield* passwords.hash("x", "one"), /^\$argon2id/)
    }))
})
