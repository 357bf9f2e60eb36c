/** Tokens and ids: shape, hash, order. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Tokens } from "../../../src/domain/ports/tokens.ts"
import { TokensRandom } from "../../../src/services/crypto/tokens.ts"

layer(TokensRandom)("tokens", (it) => {
  it.effect("are 32 random bytes in base64url behind the prefix, kept as the SHA-256 of the whole", () =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      const token = yield* tokens.mint("svc_")
      assert.match(token.raw, /^svc_[A-Za-z0-9_-]{43}$/)
      assert.match(token.hash, /^[0-9a-f]{64}$/)
      assert.strictEqual(tokens.hash(token.raw), token.hash)
      assert.strictEqual(tokens.hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
      assert.match((yield* tokens.mint()).raw, /^[A-Za-z0-9_-]{43}$/)
      const many = yield* Effect.all(Array.from({ length: 500 }, () => tokens.mint()))
      assert.strictEqual(new Set(many.map(({ raw }) => raw)).size, 500)
    }))

  it.effect("random bytes come in the size asked for, on memory of their own", () =>
    Effect.gen(function*() {
      const bytes = yield* (yield* Tokens).random(16)
      assert.strictEqual(bytes.length, 16)
      assert.strictEqual(bytes.buffer.byteLength, 16)
    }))

  it.effect("ids are UUIDv7 of the clock's time and never go back, not within a millisecond either", () =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const ids = yield* Effect.all(Array.from({ length: 5000 }, () => tokens.uuid))
      for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.deepStrictEqual(ids, [...new Set(ids)].sort())
      assert.strictEqual(Number.parseInt(ids[0]!.replace("-", "").slice(0, 12), 16), Date.UTC(2026, 0, 1))
      yield* TestClock.adjust("1 millis")
      assert.isAbove((yield* tokens.uuid).localeCompare(ids.at(-1)!), 0)
    }))
})
