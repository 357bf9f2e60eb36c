/** Staged uploads that nobody finished are removed with their bytes, however many there are. */
import { assert, layer } from "@effect/vitest"
import { Cause, DateTime, Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Packs } from "../../../src/domain/ports/packs.ts"
import { Uploads } from "../../../src/domain/uploads/uploads.ts"
import { houseWith } from "../../support/house.ts"
import { somebody } from "../../support/somebody.ts"

const stored = Packs.use(({ list }) => Effect.map(Stream.runCount(list), Number))

layer(houseWith())("a sweep of uploads", (it) => {
  it.effect("takes all that are over, with chunks or without, and none before", () =>
    Effect.gen(function*() {
      const [sql, uploads, user] = [yield* SqlClient.SqlClient, yield* Uploads, yield* somebody({ plan: "studio", trialDays: 9 })]
      const begun = yield* uploads.begin(user, { slug: "swept", fileName: undefined, contentType: undefined, sizeBytes: undefined, workspace: undefined })
      yield* uploads.append(user, begun.id, 0, new TextEncoder().encode("never finished"))
      const at = DateTime.toDateUtc(yield* DateTime.now)
      // The one with bytes is the newest of the expired ones.
      yield* sql`
        INSERT INTO uploads (id, user_id, workspace_id, slug, max_bytes, created_at)
        SELECT gen_random_uuid(), user_id, workspace_id, slug, max_bytes, ${at}::timestamptz + (CASE WHEN n <= 120 THEN -1 ELSE 1 END) * interval '1 millisecond'
        FROM uploads, generate_series(1, 121) n`
      assert.strictEqual(yield* stored, 1)
      const left = Effect.map(sql<{ count: number }>`SELECT count(*)::int AS count FROM uploads`, ([row]) => row!.count)
      yield* TestClock.adjust("75 minutes")
      assert.strictEqual(yield* uploads.sweep(), 1)
      assert.deepStrictEqual([yield* left, yield* stored], [1, 0])
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* uploads.sweep(), 0)
      assert.strictEqual(yield* left, 0)
    }))

  it.effect("finds nothing of a chunk whose row could not be written", () =>
    Effect.gen(function*() {
      const [sql, uploads, user, before] = [yield* SqlClient.SqlClient, yield* Uploads, yield* somebody({ plan: "studio", trialDays: 9 }), yield* stored]
      const { id } = yield* uploads.begin(user, { slug: "locked", fileName: undefined, contentType: undefined, sizeBytes: undefined, workspace: undefined })
      yield* sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'locked' USING ERRCODE = '55P03'; END $$`
      yield* sql`CREATE TRIGGER refused BEFORE INSERT ON upload_chunks FOR EACH ROW EXECUTE FUNCTION refuse()`
      const append = uploads.append(user, id, 0, new TextEncoder().encode("a chunk"))
      assert.isTrue(Cause.hasDies(yield* Effect.flip(Effect.sandbox(append))))
      assert.strictEqual(yield* stored, before)
      yield* sql`DROP TRIGGER refused ON upload_chunks`
      assert.strictEqual((yield* append).received, 7)
    }))
})
