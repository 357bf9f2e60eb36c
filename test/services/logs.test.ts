/** The log's lines: gathered, in order, and none lost however the program ends. */
import { assert, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { gathered } from "../../src/services/logs.ts"

const saying = (written: Array<ReadonlyArray<unknown>>) => {
  const { flush, logger } = gathered((lines) => written.push(lines.split("\n").map((line) => JSON.parse(line).message)))
  return { flush, through: Effect.provide(Logger.layer([logger])) }
}

it.effect("information is written together; a warning or error is written at once, after the lines before it", () =>
  Effect.gen(function*() {
    const written: Array<ReadonlyArray<unknown>> = []
    const { flush, through } = saying(written)
    yield* through(Effect.andThen(Effect.logInfo("one"), Effect.logInfo("two")))
    assert.deepStrictEqual(written, [])
    yield* through(Effect.logWarning("three"))
    assert.deepStrictEqual(written, [["one", "two", "three"]])
    yield* through(Effect.logInfo("four"))
    flush()
    flush()
    assert.deepStrictEqual(written, [["one", "two", "three"], ["four"]])
  }))

it.live("a line waits for others a moment, and no longer", () =>
  Effect.gen(function*() {
    const line = yield* Effect.callback<string>((resume) => {
      const { logger } = gathered((lines) => resume(Effect.succeed(lines)))
      Effect.runSync(Effect.provide(Effect.logInfo("alone"), Logger.layer([logger])))
    })
    assert.strictEqual(JSON.parse(line).message, "alone")
  }))

const LOGS = JSON.stringify(join(import.meta.dirname, "../../src/services/logs.ts"))

/** The log of a program that ends in this way. */
const ended = (how: string) =>
  Effect.callback<ReadonlyArray<unknown>>((resume) => {
    const program = `
      import { Effect } from "effect"
      import { JsonLog } from ${LOGS}
      await Effect.runPromise(Effect.provide(Effect.forEach([1, 2, 3], (n) => Effect.logInfo(n)), JsonLog))
      ${how}`
    execFile(process.execPath, ["--input-type=module-typescript", "-e", program], { cwd: import.meta.dirname }, (_error, stdout) =>
      resume(Effect.succeed(stdout.trim().split("\n").map((line) => JSON.parse(line).message))))
  })

it.live("an end, an exit and an uncaught error lose no line", () =>
  Effect.gen(function*() {
    const ends = ["", "process.exit(1)", `throw new Error("uncaught")`, `void Promise.reject(new Error("unhandled"))`]
    for (const seen of yield* Effect.forEach(ends, ended, { concurrency: 2 })) assert.deepStrictEqual(seen, [1, 2, 3])
  }))
