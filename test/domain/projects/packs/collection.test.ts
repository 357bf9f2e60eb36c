/** Collecting packs: a pack that no version names is removed a day later, a named one stays, leftovers of a killed publish are removed. */
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Packs } from "../../../../src/domain/ports/packs.ts"
import { Tokens } from "../../../../src/domain/ports/tokens.ts"
import { Collection } from "../../../../src/domain/projects/packs/collection.ts"
import { Publishing } from "../../../../src/domain/projects/publishing.ts"
import { houseWith } from "../../../support/house.ts"
import { bytesOf } from "../../../support/moments.ts"
import { somebody } from "../../../support/somebody.ts"

const stored = Effect.flatMap(Packs, (packs) => Effect.map(Stream.runCollect(packs.list), (all) => all.length))

/** The file system dates packs by the real clock, which is far ahead of the test's clock. */
const tomorrow = (clock: Clock.Clock): Clock.Clock => {
  const now = Date.now() + 25 * 3_600_000
  return Object.assign(Object.create(clock), { currentTimeMillis: Effect.succeed(now), currentTimeMillisUnsafe: () => now })
}

layer(houseWith())("collection", (it) => {
  it.effect("keeps what a version names, and takes the rest a day after its last one went", () =>
    Effect.gen(function*() {
      const user = yield* somebody()
      const publishing = yield* Publishing
      const collection = yield* Collection
      const publish = (body: string) =>
        publishing.put(user, "collected", { path: undefined, contentType: "text/plain", length: undefined, bytes: bytesOf(body) }, {})

      for (const body of ["one", "two", "three", "four"]) yield* publish(body)
      assert.strictEqual(yield* stored, 4)
      yield* TestClock.adjust("23 hours")
      assert.strictEqual(yield* collection.collectUnnamed(), 0)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* collection.collectUnnamed(), 0)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* collection.collectUnnamed(), 1)
      assert.strictEqual(yield* stored, 3)
      // The first body is gone from the store, so publishing it again writes it again.
      const { project } = yield* publish("one")
      assert.strictEqual(project.version, 5)
      assert.strictEqual(yield* stored, 4)
    }))

  it.effect("takes all that is due, however much went at once", () =>
    Effect.gen(function*() {
      yield* somebody()
      const collection = yield* Collection
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO packs (id, workspace_id, size_bytes, created_at, unnamed_since)
        SELECT gen_random_uuid(), w.id, 1, '1969-01-01', '1969-01-01' FROM (SELECT id FROM workspaces LIMIT 1) w, generate_series(1, 1001)`
      assert.strictEqual(yield* collection.collectUnnamed(), 1001)
    }))

  it.effect("bytes that come back as their pack goes are known by where they lie now, and stored once", () =>
    Effect.gen(function*() {
      const user = yield* somebody()
      const publishing = yield* Publishing
      const collection = yield* Collection
      const publish = (slug: string, body: string) =>
        publishing.put(user, slug, { path: undefined, contentType: "text/plain", length: undefined, bytes: bytesOf(body) }, {})
      for (const body of ["back 1", "back 2", "back 3", "back 4"]) yield* publish("came-back", body)
      yield* TestClock.adjust("13 hours")
      const before = yield* stored
      yield* publish("came-again", "back 1")
      assert.strictEqual(yield* stored, before + 1)
      yield* TestClock.adjust("12 hours")
      const gone = yield* collection.collectUnnamed()
      assert.isAtLeast(gone, 1)
      yield* publish("came-once-more", "back 1")
      assert.strictEqual(yield* stored, before + 1 - gone)
    }))

  it.effect("takes strays that no row knows, once they are old enough to be nobody's publish", () =>
    Effect.scoped(Effect.gen(function*() {
      const packs = yield* Packs
      const tokens = yield* Tokens
      const collection = yield* Collection
      const sql = yield* SqlClient.SqlClient
      const user = yield* somebody()
      yield* (yield* Publishing).put(user, "beside-strays", { path: undefined, contentType: "text/plain", length: undefined, bytes: bytesOf("known") }, {})
      const before = yield* stored
      const draft = yield* packs.draft
      const body = yield* draft.append(bytesOf("stray"), 100)
      const id = yield* tokens.uuid
      yield* draft.keep(id, [body])
      assert.strictEqual(yield* stored, before + 1)
      assert.strictEqual(yield* collection.collectStrays(), 0)
      const aDayLater = Effect.provideService(collection.collectStrays(), Clock.Clock, tomorrow(yield* Clock.Clock))
      // The database of another deployment knows almost none of it.
      const [deployment] = yield* sql<{ id: string }>`SELECT id FROM deployment`
      yield* sql`UPDATE deployment SET id = ${yield* tokens.uuid}`
      assert.strictEqual(yield* aDayLater, 0)
      assert.strictEqual(yield* stored, before + 1)
      yield* sql`UPDATE deployment SET id = ${deployment!.id}`
      assert.strictEqual(yield* aDayLater, 1)
      assert.strictEqual(yield* stored, before)
    })))
})

layer(houseWith())("collection by a database that knows none", (it) => {
  it.effect("takes nothing: its packs are strays to an empty database, whatever it says that it is", () =>
    Effect.gen(function*() {
      const user = yield* somebody()
      const sql = yield* SqlClient.SqlClient
      const collection = yield* Collection
      for (const slug of ["lost-1", "lost-2"]) {
        yield* (yield* Publishing).put(user, slug, { path: undefined, contentType: "text/plain", length: undefined, bytes: bytesOf(slug) }, {})
      }
      yield* sql`TRUNCATE packs CASCADE`
      assert.strictEqual(yield* Effect.provideService(collection.collectStrays(), Clock.Clock, tomorrow(yield* Clock.Clock)), 0)
      assert.strictEqual(yield* stored, 2)
    }))
})
