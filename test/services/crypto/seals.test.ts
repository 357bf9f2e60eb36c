/** Seals: what was sealed comes back, and nothing else does. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { CompactEncrypt } from "jose"
import { Seals } from "../../../src/domain/ports/seals.ts"
import { SealsJose } from "../../../src/services/crypto/seals.ts"

const first = Redacted.make("first secret, thirty-two bytes long!")
const second = Redacted.make("second secret, thirty-two bytes long")

const only = SealsJose({ secret: first, previous: Option.none() })
const rotated = SealsJose({ secret: second, previous: Option.some(first) })
const later = SealsJose({ secret: second, previous: Option.none() })
const foreign = SealsJose({ secret: Redacted.make("somebody else’s, thirty-two bytes"), previous: Option.some(first) })

const seal = (layer: typeof only, purpose: string, value: unknown) =>
  Seals.use((seals) => seals.seal(purpose, value)).pipe(Effect.provide(layer))
const open = (layer: typeof only, purpose: string, sealed: string) =>
  Seals.use((seals) => seals.open(purpose, sealed)).pipe(Effect.provide(layer))

describe("seals", () => {
  it.effect("give back what was sealed, for the same purpose", () =>
    Effect.gen(function*() {
      for (const value of [{ user: "u", at: 1 }, "text", 0, null, [1, "ä"], undefined]) {
        const sealed = yield* seal(only, "session", value)
        assert.deepStrictEqual(yield* open(only, "session", sealed), Option.some(value))
        assert.deepStrictEqual(yield* open(only, "gate", sealed), Option.none())
      }
    }))

  it.effect("are opened again and again, each time as if for the first: what one reader does with a value, the next does not see", () =>
    Effect.gen(function*() {
      const { open, seal } = yield* Seals
      const sealed = yield* seal("session", { user: "u", load: { seen: 1 } })
      const first = Option.getOrThrow(yield* open("session", sealed)) as { load: { seen: number } }
      first.load.seen = 2
      assert.deepStrictEqual(yield* open("session", sealed), Option.some({ user: "u", load: { seen: 1 } }))
      assert.deepStrictEqual(yield* open("session ", sealed), Option.none())
      // One character of it changed is another seal, remembered or not.
      const at = sealed.lastIndexOf(".") + 3
      const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1)
      assert.deepStrictEqual(yield* open("session", changed), Option.none())
      // Far more of them than are remembered, and one that is too long to be.
      const [long, many] = [yield* seal("mail", "x".repeat(5_000)), yield* Effect.forEach(Array.from({ length: 2_500 }, (_, n) => n), (n) => seal("session", n))]
      for (const _time of [1, 2]) {
        assert.deepStrictEqual(yield* Effect.forEach(many, (one) => open("session", one)), many.map((_, n) => Option.some(n)))
        assert.deepStrictEqual(yield* open("mail", long), Option.some("x".repeat(5_000)))
        assert.deepStrictEqual(yield* open("session", sealed), Option.some({ user: "u", load: { seen: 1 } }))
      }
    }).pipe(Effect.provide(only)))

  it.effect("show nothing and never repeat", () =>
    Effect.gen(function*() {
      const one = yield* seal(only, "session", { email: "ada@example.com" })
      const two = yield* seal(only, "session", { email: "ada@example.com" })
      assert.notStrictEqual(one, two)
      assert.notInclude(Buffer.from(one.replaceAll(".", ""), "base64url").toString("latin1"), "ada@")
    }))

  it.effect("open with the current and the previous secret, not with an older one", () =>
    Effect.gen(function*() {
      const old = yield* seal(only, "session", 1)
      assert.deepStrictEqual(yield* open(rotated, "session", old), Option.some(1))
      assert.deepStrictEqual(yield* open(later, "session", old), Option.none())
      const fresh = yield* seal(rotated, "session", 2)
      assert.deepStrictEqual(yield* open(later, "session", fresh), Option.some(2))
      assert.deepStrictEqual(yield* open(only, "session", fresh), Option.none())
      assert.deepStrictEqual(yield* open(foreign, "session", fresh), Option.none())
      assert.deepStrictEqual(yield* open(foreign, "session", old), Option.some(1))
    }))

  it.effect("open at instances of the step before and of the step after, while a secret is changed in the steps of docs/deploy.md", () =>
    Effect.gen(function*() {
      const prepared = SealsJose({ secret: first, previous: Option.some(second) })
      for (const [step, next] of [[only, prepared], [prepared, rotated], [rotated, later]] as const) {
        assert.deepStrictEqual(yield* open(step, "session", yield* seal(next, "session", 1)), Option.some(1))
        // Only what was sealed thirty days ago is no longer opened at the last step.
        if (next !== later) assert.deepStrictEqual(yield* open(next, "session", yield* seal(step, "session", 2)), Option.some(2))
      }
    }))

  it.effect("any change, and anything else, is None and no failure", () =>
    Effect.gen(function*() {
      const sealed = yield* seal(only, "session", { user: "u" })
      for (let at = 0; at < sealed.length; at++) {
        if (sealed[at] === ".") continue
        const other = sealed[at] === "A" ? "g" : "A"
        assert.isTrue(Option.isNone(yield* open(only, "session", sealed.slice(0, at) + other + sealed.slice(at + 1))), `at ${at}`)
      }
      const made = yield* Effect.promise(() =>
        new CompactEncrypt(new TextEncoder().encode(`{"value":1}`))
          .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
          .encrypt(new Uint8Array(32))
      )
      const bad = ["", ".", "....", "x".repeat(100_000), sealed.slice(0, -1), `${sealed}A`, `${sealed}.`, sealed.toUpperCase(), made, "\0", "\ud800"]
      for (const one of bad) assert.isTrue(Option.isNone(yield* open(only, "session", one)))
    }))
})
