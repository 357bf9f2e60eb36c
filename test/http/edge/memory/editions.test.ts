/** The files of versions in memory: how many are read at once, and what they weigh. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import type { Manifest } from "../../../../src/domain/hosting/model.ts"
import { HostingStore } from "../../../../src/domain/hosting/store.ts"
import type { Editions } from "../../../../src/http/edge/memory/editions.ts"
import { makeEditions } from "../../../../src/http/edge/memory/editions.ts"

const versionOf = (id: string) => ({ id }) as unknown as Parameters<Editions["held"]>[0]

const manifestOf = (count: number, path: string): Manifest =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${path}${n}.txt`, { pack: "p", offset: 0, length: 1, hash: "h", type: "text/plain" }]))

const shelf = (manifest: HostingStore["Service"]["manifest"]) => Layer.mock(HostingStore, { manifest })

it.effect("are read from the database a few at a time, however many are asked for", () => {
  let [now, most] = [0, 0]
  const slow = shelf(() =>
    Effect.acquireUseRelease(
      Effect.sync(() => (most = Math.max(most, ++now))),
      () => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5))).pipe(Effect.as(Option.some(manifestOf(1, "a")))),
      () => Effect.sync(() => now--)
    ))
  return Effect.gen(function*() {
    const { load } = yield* makeEditions(1_000_000)
    const loaded = yield* Effect.promise(() => Promise.all(Array.from({ length: 40 }, (_, n) => load(versionOf(`v${n}`)))))
    assert.isTrue(loaded.every((one) => one !== undefined))
    assert.strictEqual(most, 4)
  }).pipe(Effect.provide(slow))
})

it.effect("weigh what their paths do: of long ones fewer are kept", () => {
  const kept = (path: string) =>
    Effect.gen(function*() {
      const { held, load } = yield* makeEditions(120_000)
      for (const id of ["first", "second"]) yield* Effect.promise(() => load(versionOf(id)))
      return ["first", "second"].map((id) => held(versionOf(id)) !== undefined)
    }).pipe(Effect.provide(shelf(() => Effect.succeed(Option.some(manifestOf(50, path))))))
  return Effect.gen(function*() {
    assert.deepStrictEqual(yield* kept("a"), [true, true])
    assert.deepStrictEqual(yield* kept("a".repeat(1_000)), [false, true])
  })
})
