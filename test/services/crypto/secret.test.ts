/** The secret that the embedded default makes for itself: once, whole, and never one that can be guessed. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { secretIn } from "../../../src/services/crypto/secret.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "svc-secret-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

describe("the secret beside the data", () => {
  it.live("is made once, however many start at once, for its owner alone, and leaves nothing beside it", () =>
    Effect.gen(function*() {
      const dataDir = join(yield* folder, "data")
      const made = yield* Effect.all(Array.from({ length: 20 }, () => secretIn(dataDir)), { concurrency: "unbounded" })
      assert.strictEqual(new Set(made.map(Redacted.value)).size, 1)
      assert.strictEqual(readFileSync(join(dataDir, "secret"), "utf8"), Redacted.value(made[0]!))
      assert.strictEqual(Buffer.from(Redacted.value(made[0]!), "base64url").length, 48)
      assert.strictEqual(statSync(join(dataDir, "secret")).mode & 0o777, 0o600)
      assert.deepStrictEqual(readdirSync(dataDir), ["secret"])
    }).pipe(Effect.scoped))

  it.live("stops the start where it is empty or cut off, and stays as it is", () =>
    Effect.gen(function*() {
      const dataDir = yield* folder
      const file = join(dataDir, "secret")
      for (const left of ["", "\n", "k".repeat(31)]) {
        writeFileSync(file, left)
        const refused = yield* Effect.flip(secretIn(dataDir))
        assert.strictEqual(refused._tag, "StartRefused")
        assert.include(refused.message, `${file} holds ${left.trim().length} bytes and wants at least 32; put it back`)
        assert.notInclude(refused.message, "k".repeat(8))
        assert.strictEqual(readFileSync(file, "utf8"), left)
      }
      writeFileSync(file, `${"k".repeat(32)}\n`)
      assert.strictEqual(Redacted.value(yield* secretIn(dataDir)), "k".repeat(32))
    }).pipe(Effect.scoped))

  it.live("is not there at all where it could not be written", () =>
    Effect.gen(function*() {
      const file = join(yield* folder, "no-folder")
      writeFileSync(file, "a file")
      assert.match((yield* Effect.flip(secretIn(file))).message, /^The secret cannot be read or made \(/)
      assert.isFalse(existsSync(join(file, "secret")))
    }).pipe(Effect.scoped))
})
