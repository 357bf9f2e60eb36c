/** An upload is finished once, whenever its caller is cut off, whatever fails, and whoever else finishes it. */
import { assert, layer } from "@effect/vitest"
import { Cause, DateTime, Effect, Exit, Fiber, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Projects } from "../../../src/domain/projects/projects.ts"
import { Publishing } from "../../../src/domain/projects/publishing.ts"
import { UploadStore } from "../../../src/domain/uploads/store.ts"
import { Uploads } from "../../../src/domain/uploads/uploads.ts"
import { houseWith } from "../../support/house.ts"
import { somebody } from "../../support/somebody.ts"

layer(houseWith())("finishing an upload", (it) => {
  it.effect("of 60 callers cut off at any moment, each has one version in the end, and none waits for a claim left behind", () =>
    Effect.gen(function*() {
      const [uploads, projects, user] = [yield* Uploads, yield* Projects, yield* somebody({ plan: "studio", trialDays: 9 })]
      for (let turn = 1; turn <= 60; turn++) {
        const { id } = yield* uploads.begin(user, { slug: "cut-off", fileName: "a.md", contentType: undefined, sizeBytes: undefined, workspace: undefined })
        yield* uploads.append(user, id, 0, new TextEncoder().encode(`# ${turn}`))
        const caller = yield* Effect.forkChild(uploads.finish(user, id, {}))
        for (let wait = 0; wait < turn; wait++) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* Fiber.interrupt(caller)
        const again = yield* Effect.exit(uploads.finish(user, id, {}))
        if (Exit.isFailure(again)) assert.include(String(again), "There is no such upload")
        assert.strictEqual((yield* projects.get(user, "cut-off", false)).version, turn)
      }
    }))

  for (const [slug, path] of [["consumed", undefined], ["consumed-file", "more.html"]] as const) {
    it.effect(`publishes ${path ?? "the whole"} once or not at all, where it cannot be consumed and where another attempt took it over`, () =>
      Effect.gen(function*() {
        const [sql, uploads, projects, publishing] = [yield* SqlClient.SqlClient, yield* Uploads, yield* Projects, yield* Publishing]
        const [user, page] = [yield* somebody({ plan: "studio", trialDays: 9 }), new TextEncoder().encode("<h1>One</h1>")]
        yield* publishing.put(user, slug, { path: "index.html", contentType: "text/html", length: undefined, bytes: Stream.make(page) }, {})
        const { id } = yield* uploads.begin(user, { slug, fileName: "index.html" })
        yield* uploads.append(user, id, 0, new TextEncoder().encode("<h1>Two</h1>"))
        const finish = uploads.finish(user, id, { path })
        const version = Effect.map(projects.get(user, slug, false), (project) => project.version)
        const failing = Effect.fnUntraced(function*(before: "DELETE ON uploads" | "INSERT ON versions", happens: string) {
          yield* sql.unsafe(`CREATE OR REPLACE FUNCTION meanwhile() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${happens}; END $$`)
          yield* sql.unsafe(`CREATE TRIGGER meanwhile BEFORE ${before} FOR EACH ROW EXECUTE FUNCTION meanwhile()`)
          const failed = yield* Effect.flip(Effect.sandbox(finish))
          yield* sql.unsafe(`DROP TRIGGER meanwhile ON ${before.split(" ")[2]!}`)
          assert.strictEqual(yield* version, 1, happens)
          return failed
        })
        assert.isTrue(Cause.hasDies(yield* failing("DELETE ON uploads", "RAISE EXCEPTION 'shutting down' USING ERRCODE = '57P01'")))
        const overtaken = yield* failing("INSERT ON versions", "UPDATE uploads SET claimed_at = claimed_at + interval '15 minutes'; RETURN new")
        assert.include(String(overtaken), "There is no such upload")
        assert.strictEqual((yield* finish).project.version, 2)
        assert.include(String(yield* Effect.flip(finish)), "There is no such upload")
        assert.strictEqual(yield* version, 2)
      }))
  }

  it.effect("makes no other project of what was meant for one that was renamed meanwhile, and goes into none", () =>
    Effect.gen(function*() {
      const [sql, uploads, projects, publishing] = [yield* SqlClient.SqlClient, yield* Uploads, yield* Projects, yield* Publishing]
      const [user, page] = [yield* somebody({ plan: "studio", trialDays: 9 }), new TextEncoder().encode("<h1>One</h1>")]
      const publish = (slug: string, visibility: "private" | "public") => publishing.put(user, slug, { path: "index.html", contentType: "text/html", length: undefined, bytes: Stream.make(page) }, { visibility })
      yield* publish("our-plans", "private")
      const { id } = yield* uploads.begin(user, { slug: "our-plans", fileName: "index.html" })
      yield* uploads.append(user, id, 0, new TextEncoder().encode("<h1>Two</h1>"))
      const refused = Effect.forEach([undefined, "more.html"], (path) =>
        Effect.map(Effect.flip(uploads.finish(user, id, { path })), (failure) => assert.include(String(failure), "renamed or deleted meanwhile")))
      yield* projects.change(user, "our-plans", { slug: "our-plans-2027" })
      yield* refused
      assert.strictEqual((yield* Effect.flip(projects.get(user, "our-plans")))._tag, "not_found")
      // Nor where another one has the address by now.
      yield* publish("our-plans", "public")
      yield* refused
      assert.strictEqual((yield* projects.get(user, "our-plans")).version, 1)
      yield* projects.remove(user, "our-plans")
      yield* projects.change(user, "our-plans-2027", { slug: "our-plans" })
      // Nor where it is renamed once the attempt is under way.
      yield* sql`CREATE FUNCTION renamed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE projects SET slug = 'our-plans-2028' WHERE slug = 'our-plans' AND deleted_at IS NULL; RETURN new; END $$`
      yield* sql`CREATE TRIGGER meanwhile BEFORE UPDATE ON uploads FOR EACH ROW WHEN (new.claimed_at IS NOT NULL) EXECUTE FUNCTION renamed()`
      assert.include(String(yield* Effect.flip(uploads.finish(user, id, {}))), "renamed or deleted meanwhile")
      yield* sql`DROP TRIGGER meanwhile ON uploads`
      assert.strictEqual((yield* Effect.flip(projects.get(user, "our-plans")))._tag, "not_found")
      yield* projects.change(user, "our-plans-2028", { slug: "our-plans" })
      const { project } = yield* uploads.finish(user, id, {})
      assert.deepStrictEqual([project.version, project.visibility], [2, "private"])
    }))

  it.effect("is over for whoever is no longer in its workspace", () =>
    Effect.gen(function*() {
      const [sql, uploads, store, user] = [yield* SqlClient.SqlClient, yield* Uploads, yield* UploadStore, yield* somebody({ plan: "studio", trialDays: 9 })]
      const { createdAt, id, workspaceId } = yield* uploads.begin(user, { slug: "left", fileName: "a.md" })
      const open = Effect.map(store.open(user.id, workspaceId, DateTime.subtract(createdAt, { minutes: 1 })), (all) => all.length)
      assert.strictEqual(yield* open, 1)
      const append = uploads.append(user, id, 0, new TextEncoder().encode("# One"))
      yield* append
      yield* sql`UPDATE members SET is_owner = false WHERE workspace_id = ${workspaceId} AND user_id = ${user.id}`
      yield* sql`DELETE FROM members WHERE workspace_id = ${workspaceId} AND user_id = ${user.id}`
      for (const tried of [Effect.asVoid(append), Effect.asVoid(uploads.finish(user, id, {}))]) assert.include(String(yield* Effect.flip(tried)), "There is no such upload")
      // Nor does it count among those that are open.
      assert.strictEqual(yield* open, 0)
    }))

  it.effect("takes no chunk while it is being published, and takes one again once that attempt has died", () =>
    Effect.gen(function*() {
      const [uploads, store, user] = [yield* Uploads, yield* UploadStore, yield* somebody({ plan: "studio", trialDays: 9 })]
      const { id } = yield* uploads.begin(user, { slug: "claimed", fileName: "a.md" })
      const append = uploads.append(user, id, 0, new TextEncoder().encode("# One"))
      yield* append
      const now = yield* DateTime.now
      assert.isTrue(yield* store.claim(id, now, now))
      assert.include(String(yield* Effect.flip(append)), "being published right now")
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual((yield* append).sizeBytes, 5)
    }))
})
