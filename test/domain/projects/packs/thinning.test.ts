/** Thinning packs: bytes that no version names stop counting within the hour and are gone a day later, whatever else their pack holds. */
import { assert, layer } from "@effect/vitest"
import { createHash } from "node:crypto"
import { Deferred, Effect, Exit, Fiber, Option, Random } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { User } from "../../../../src/domain/accounts/model.ts"
import type { Manifest } from "../../../../src/domain/hosting/model.ts"
import { Packs } from "../../../../src/domain/ports/packs.ts"
import { Versions } from "../../../../src/domain/projects/versions.ts"
import type { ProjectId } from "../../../../src/domain/projects/model.ts"
import { Projects } from "../../../../src/domain/projects/projects.ts"
import { Publishing } from "../../../../src/domain/projects/publishing.ts"
import { PackStore } from "../../../../src/domain/projects/store.ts"
import { ThinningStore } from "../../../../src/domain/projects/packs/thinning-store.ts"
import { Thinning } from "../../../../src/domain/projects/packs/thinning.ts"
import { Workspaces } from "../../../../src/domain/workspaces/workspaces.ts"
import { houseWith } from "../../../support/house.ts"
import { bytesOf } from "../../../support/moments.ts"
import { somebody } from "../../../support/somebody.ts"

const site = (files: Readonly<Record<string, string>>) =>
  Object.entries({ "index.html": "<h1>Hi</h1>", ...files }).map(([path, body]) => ({ path, contentType: undefined, length: undefined, bytes: bytesOf(body) }))

const publish = (user: User, slug: string, files: Readonly<Record<string, string>>) => Publishing.use(({ put }) => put(user, slug, site(files), {}))

const used = (user: User) => Workspaces.use(({ of }) => Effect.map(of(user.id), ([home]) => home!.storageBytes))

const manifests = (user: User) => SqlClient.SqlClient.use((sql) => sql<{ manifest: Manifest; id: ProjectId }>`
  SELECT v.manifest, p.id FROM versions v JOIN projects p ON p.id = v.project_id JOIN members m ON m.workspace_id = p.workspace_id WHERE m.user_id = ${user.id}`)

/** Everything in the store, as one text. */
const everything = Effect.gen(function*() {
  const [sql, packs] = [yield* SqlClient.SqlClient, yield* Packs]
  const all = yield* sql<{ id: string; length: number }>`SELECT id, coalesce(stored_bytes, size_bytes)::float8 AS length FROM packs`
  return (yield* Effect.forEach(all, ({ id, length }) => Effect.map(packs.slice(id, 0, length), (bytes) => Buffer.from(bytes).toString("latin1")))).join("")
})

/** Every byte that a version names is what it was, and these count and no others. */
const isWhole = Effect.fnUntraced(function*(user: User) {
  const packs = yield* Packs
  const assets = (yield* manifests(user)).flatMap(({ manifest }) => Object.values(manifest))
  const bodies = new Map(assets.map((asset) => [`${asset.pack} ${asset.offset}`, asset]))
  for (const { hash, length, offset, pack } of bodies.values()) {
    assert.strictEqual(createHash("sha256").update(yield* packs.slice(pack, offset, length)).digest("hex"), hash)
  }
  assert.strictEqual(yield* used(user), [...bodies.values()].reduce((sum, { length }) => sum + length, 0))
})

/** A day passes for what waits. As everything that changes rows of packs, behind the workspaces' locks. */
const aged = SqlClient.SqlClient.use((sql) => sql.withTransaction(Effect.andThen(
  sql`SELECT 1 FROM workspaces ORDER BY id FOR UPDATE`,
  sql`UPDATE packs SET thinning_since = thinning_since - interval '25 hours' WHERE thinning_since IS NOT NULL`
)))

/** What caches compare of all packs. */
const marks = Effect.gen(function*() {
  const [sql, store] = [yield* SqlClient.SqlClient, yield* PackStore]
  const all = yield* sql<{ id: string }>`SELECT id FROM packs`
  return yield* store.marks(all.map(({ id }) => id))
})

const drop = (user: User, slug: string) => Projects.use(({ remove }) => remove(user, slug))

/** A project of these files, and a second one that shares the logo with it, and so its pack. */
const sharing = (user: User, n: number, logo: string, files: Readonly<Record<string, string>>) =>
  Effect.andThen(publish(user, `first-${n}`, { "logo.txt": logo, ...files }), publish(user, `second-${n}`, { "logo.txt": logo }))

/** A publish that has looked its bytes up, and goes on when it is let. */
const held = Effect.fnUntraced(function*(user: User, slug: string, files: Readonly<Record<string, string>>) {
  const [packs, found, goOn] = [yield* Packs, yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const draft = Effect.map(packs.draft, (one) => ({
    ...one,
    begin: (...given: Parameters<typeof one.begin>) =>
      Deferred.succeed(found, undefined).pipe(Effect.andThen(Deferred.await(goOn)), Effect.andThen(one.begin(...given)))
  }))
  const publishing = yield* Effect.provideService(Publishing.make, Packs, { ...packs, draft })
  const fiber = yield* Effect.forkChild(Effect.exit(publishing.put(user, slug, site(files), {})))
  yield* Deferred.await(found)
  return Effect.andThen(Deferred.succeed(goOn, undefined), Fiber.join(fiber))
})

layer(houseWith())("thinning", (it) => {
  it.effect("takes a deleted project's bytes, where another project names its pack: they stop counting at once, and go a day later", () =>
    Effect.gen(function*() {
      const [user, thinning] = [yield* somebody({ plan: "studio" }), yield* Thinning]
      const [logo, secret] = ["logo ".repeat(50), "a deleted secret ".repeat(100)]
      yield* publish(user, "deleted", { "logo.txt": logo, "secret.txt": secret })
      yield* publish(user, "stays", { "logo.txt": logo, "other.txt": "other" })
      const all = yield* used(user)
      yield* drop(user, "deleted")
      assert.strictEqual(yield* used(user), all)
      assert.deepStrictEqual([...(yield* marks).values()], [null, null])
      assert.strictEqual(yield* thinning.settle(), 1)
      const waiting = (yield* marks).values().toArray()
      assert.strictEqual(yield* used(user), all - secret.length)
      yield* isWhole(user)
      assert.strictEqual(yield* thinning.settle(), 0)
      yield* TestClock.adjust("24 hours")
      assert.strictEqual(yield* thinning.wipe(), 0)
      assert.include(yield* everything, "a deleted secret")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* thinning.wipe(), 1)
      assert.sameMembers((yield* marks).values().toArray(), ["1", null])
      assert.match(waiting.find((mark) => mark !== null)!, /^0 \d/)
      assert.notInclude(yield* everything, "a deleted secret")
      yield* isWhole(user)
      assert.deepStrictEqual([yield* thinning.settle(), yield* thinning.wipe()], [0, 0])
      // Published again, it is written again.
      yield* publish(user, "again", { "secret.txt": secret })
      assert.include(yield* everything, "a deleted secret")
      yield* isWhole(user)
    }))

  it.effect("takes a pruned version's bytes, those that later turns find dead in the same pack too, and at last the pack", () =>
    Effect.gen(function*() {
      const [user, thinning] = [yield* somebody(), yield* Thinning]
      const part = (name: string) => `${name} of what is pruned. `.repeat(30)
      yield* publish(user, "pruned", { "a.txt": part("a"), "b.txt": part("b"), "c.txt": part("c") })
      yield* publish(user, "pruned", { "b.txt": part("b"), "c.txt": part("c") })
      for (const turn of ["2", "3"]) yield* publish(user, "pruned", { "c.txt": part("c"), "turn.txt": turn })
      assert.isAtLeast(yield* thinning.settle(), 1)
      yield* isWhole(user)
      yield* TestClock.adjust("12 hours")
      // The second version goes while the first one's bytes still wait.
      yield* publish(user, "pruned", { "c.txt": part("c"), "turn.txt": "4" })
      assert.isAtLeast(yield* thinning.settle(), 1)
      yield* isWhole(user)
      yield* TestClock.adjust("13 hours")
      assert.strictEqual(yield* thinning.wipe(), 1)
      const first = yield* everything
      assert.notInclude(first, part("a"))
      assert.include(first, part("b"))
      yield* thinning.settle()
      yield* TestClock.adjust("25 hours")
      assert.strictEqual(yield* thinning.wipe(), 1)
      const second = yield* everything
      assert.notInclude(second, part("b"))
      assert.include(second, part("c"))
      yield* isWhole(user)
      yield* drop(user, "pruned")
      assert.strictEqual(yield* used(user), 0)
      assert.deepStrictEqual([yield* thinning.settle(), yield* thinning.wipe()], [0, 0])
    }))

  it.effect("leaves bytes that a publish found before they were told dead, and counts them again", () =>
    Effect.gen(function*() {
      const [user, thinning] = [yield* somebody({ plan: "studio" }), yield* Thinning]
      const [logo, body] = ["shared 2 ".repeat(20), "taken up again ".repeat(40)]
      yield* sharing(user, 2, logo, { "body.txt": body, "gone.txt": "gone for good" })
      const finish = yield* held(user, "third-2", { "body.txt": body })
      yield* drop(user, "first-2")
      yield* thinning.settle()
      const before = yield* used(user)
      assert.isTrue(Exit.isSuccess(yield* finish))
      assert.isAtLeast(yield* thinning.settle(), 1)
      assert.strictEqual(yield* used(user), before + body.length)
      yield* TestClock.adjust("25 hours")
      assert.strictEqual(yield* thinning.wipe(), 1)
      assert.notInclude(yield* everything, "gone for good")
      yield* isWhole(user)
    }))

  it.effect("tells a publish that found bytes which are wiped by now, and no other one", () =>
    Effect.gen(function*() {
      const [user, thinning] = [yield* somebody({ plan: "studio" }), yield* Thinning]
      const [logo, body] = ["shared 3 ".repeat(20), "wiped meanwhile ".repeat(40)]
      yield* sharing(user, 3, logo, { "body.txt": body })
      const [dead, living] = [yield* held(user, "third-3", { "body.txt": body }), yield* held(user, "fourth-3", { "logo.txt": logo })]
      yield* drop(user, "first-3")
      yield* thinning.settle()
      yield* TestClock.adjust("25 hours")
      assert.strictEqual(yield* thinning.wipe(), 1)
      const [refused, taken] = [yield* dead, yield* living]
      assert.include(JSON.stringify(refused), "The publish met a clean-up")
      assert.isTrue(Exit.isSuccess(taken))
      yield* publish(user, "third-3", { "body.txt": body })
      yield* isWhole(user)
    }))

  it.effect("wipes nothing of a pack whose living bytes are not what manifests say, and does not ask again every hour", () =>
    Effect.gen(function*() {
      const [user, thinning, sql] = [yield* somebody({ plan: "studio" }), yield* Thinning, yield* SqlClient.SqlClient]
      const logo = "shared 4 ".repeat(20)
      yield* sharing(user, 4, logo, { "body.txt": "stays by mistake" })
      yield* drop(user, "first-4")
      yield* thinning.settle()
      const hash = createHash("sha256").update(logo).digest("hex")
      yield* sql`UPDATE versions SET manifest = replace(manifest::text, ${hash}, ${hash.replaceAll(/[0-7]/g, "8")})::json`
      yield* TestClock.adjust("25 hours")
      assert.strictEqual(yield* thinning.wipe(), 0)
      assert.include(yield* everything, "stays by mistake")
      assert.lengthOf(yield* sql`SELECT 1 FROM packs WHERE thinning_since IS NOT NULL OR loosened_at IS NOT NULL AND unnamed_since IS NULL`, 0)
      yield* sql`UPDATE versions SET manifest = replace(manifest::text, ${hash.replaceAll(/[0-7]/g, "8")}, ${hash})::json`
    }))

  it.effect("looks at a pack again whose bytes cannot be reached", () =>
    Effect.gen(function*() {
      const [user, thinning, packs, sql] = [yield* somebody({ plan: "studio" }), yield* Thinning, yield* Packs, yield* SqlClient.SqlClient]
      const logo = "shared 5 ".repeat(20)
      yield* sharing(user, 5, logo, { "body.txt": "out of reach" })
      yield* drop(user, "first-5")
      yield* thinning.settle()
      yield* TestClock.adjust("25 hours")
      const away = yield* Effect.provideService(Thinning.make, Packs, { ...packs, thin: () => packs.thin("00000000-0000-4000-8000-00000000dead", [], []) })
      assert.strictEqual(yield* away.wipe(), 0)
      assert.lengthOf(yield* sql`SELECT 1 FROM packs WHERE thinning_since IS NOT NULL`, 1)
      yield* TestClock.adjust("25 hours")
      assert.strictEqual(yield* thinning.wipe(), 1)
      assert.notInclude(yield* everything, "out of reach")
      yield* isWhole(user)
    }))

  it.effect("looks again at what went while it looked, or while it wiped", () =>
    Effect.gen(function*() {
      const [user, thinning, store, packs] = [yield* somebody({ plan: "studio" }), yield* Thinning, yield* ThinningStore, yield* Packs]
      const [one, two, three] = ["went while it looked ".repeat(9), "went while it wiped ".repeat(9), "went before ".repeat(9)]
      yield* publish(user, "first-6", { "one.txt": one, "two.txt": two, "three.txt": three })
      yield* publish(user, "second-6", { "one.txt": one })
      yield* publish(user, "third-6", { "two.txt": two })
      yield* publish(user, "fourth-6", {})
      yield* drop(user, "first-6")
      const context = yield* Effect.context<Projects>()
      const meanwhile = (slug: string) => Effect.cached(Effect.orDie(Effect.provideContext(drop(user, slug), context)))
      const [looking, wiping] = [yield* meanwhile("second-6"), yield* meanwhile("third-6")]
      const looks = yield* Effect.provideService(Thinning.make, ThinningStore, { ...store, bodies: (...asked) => Effect.tap(store.bodies(...asked), looking) })
      assert.strictEqual(yield* looks.settle(), 1)
      assert.strictEqual(yield* thinning.settle(), 1)
      yield* isWhole(user)
      yield* TestClock.adjust("25 hours")
      const wipes = yield* Effect.provideService(Thinning.make, Packs, {
        ...packs, thin: (...asked) => Effect.andThen(wiping, Effect.andThen(thinning.settle(), packs.thin(...asked)))
      })
      assert.strictEqual(yield* wipes.wipe(), 1)
      const all = yield* everything
      assert.deepStrictEqual([one, two, three].map((body) => all.includes(body)), [false, true, false])
      yield* thinning.settle()
      yield* isWhole(user)
      yield* TestClock.adjust("25 hours")
      yield* thinning.wipe()
      assert.notInclude(yield* everything, two)
    }))

  it.effect("leaves bytes that were named again a day of their own, once they are named no more", () =>
    Effect.gen(function*() {
      const [user, thinning] = [yield* somebody({ plan: "studio" }), yield* Thinning]
      const [logo, body] = ["shared 7 ".repeat(20), "named again ".repeat(40)]
      yield* sharing(user, 7, logo, { "body.txt": body })
      const finish = yield* held(user, "third-7", { "body.txt": body })
      yield* drop(user, "first-7")
      yield* thinning.settle()
      yield* TestClock.adjust("23 hours")
      assert.isTrue(Exit.isSuccess(yield* finish))
      yield* drop(user, "third-7")
      yield* TestClock.adjust("2 hours")
      assert.strictEqual(yield* thinning.wipe(), 0)
      yield* thinning.settle()
      assert.include(yield* everything, "named again")
      yield* isWhole(user)
      yield* TestClock.adjust("25 hours")
      assert.strictEqual(yield* thinning.wipe(), 1)
      assert.notInclude(yield* everything, "named again")
    }))

  it.effect("does not wipe what was named again, and went, after it was found due", () =>
    Effect.gen(function*() {
      const [user, thinning, store] = [yield* somebody({ plan: "studio" }), yield* Thinning, yield* ThinningStore]
      const [logo, body] = ["shared 9 ".repeat(20), "named at the last moment ".repeat(40)]
      yield* sharing(user, 9, logo, { "body.txt": body })
      const finish = yield* held(user, "third-9", { "body.txt": body })
      yield* drop(user, "first-9")
      yield* thinning.settle()
      yield* TestClock.adjust("25 hours")
      const gone = Effect.provideContext(Effect.andThen(finish, drop(user, "third-9")), yield* Effect.context<Projects>())
      const meets = yield* Effect.provideService(Thinning.make, ThinningStore, { ...store, due: (...asked) => Effect.tap(store.due(...asked), Effect.orDie(gone)) })
      assert.strictEqual(yield* meets.wipe(), 0)
      assert.include(yield* everything, "named at the last moment")
      yield* thinning.settle()
      yield* TestClock.adjust("25 hours")
      assert.strictEqual(yield* thinning.wipe(), 1)
      assert.notInclude(yield* everything, "named at the last moment")
      yield* isWhole(user)
    }))

  it.effect("goes on with the others where one pack fails, and leaves nothing of one whose workspace was erased meanwhile", () =>
    Effect.gen(function*() {
      const [thinning, store, packs, sql] = [yield* Thinning, yield* ThinningStore, yield* Packs, yield* SqlClient.SqlClient]
      const loosened = Effect.fnUntraced(function*(n: number) {
        const user = yield* somebody({ plan: "studio" })
        yield* publish(user, `first-8-${n}`, { "logo.txt": `shared 8 ${n}`, "body.txt": `one of several ${n}` })
        yield* publish(user, `second-8-${n}`, { "logo.txt": `shared 8 ${n}` })
        yield* drop(user, `first-8-${n}`)
        return user
      })
      const [, erased] = [yield* loosened(1), yield* loosened(2)]
      let asked = 0
      const failing = yield* Effect.provideService(Thinning.make, ThinningStore, {
        ...store, naming: (ids) => asked++ === 0 ? Effect.die(new Error("once")) : store.naming(ids)
      })
      yield* failing.settle()
      assert.lengthOf(yield* sql`SELECT 1 FROM packs WHERE loosened_at IS NOT NULL AND unnamed_since IS NULL`, 1)
      yield* thinning.settle()
      yield* TestClock.adjust("25 hours")
      const [mine] = yield* sql<{ id: string }>`
        SELECT p.id FROM packs p JOIN members m ON m.workspace_id = p.workspace_id WHERE m.user_id = ${erased.id} AND p.thinning_since IS NOT NULL`
      // Its bytes were removed first, then its row; the copy took its place in between.
      const gone = Effect.orDie(Effect.andThen(sql`DELETE FROM version_packs WHERE pack_id = ${mine!.id}`, sql`DELETE FROM packs WHERE id = ${mine!.id}`))
      const wipes = yield* Effect.provideService(Thinning.make, Packs, {
        ...packs, thin: (id, ...rest) => Effect.tap(packs.thin(id, ...rest), () => id === mine!.id ? gone : Effect.void)
      })
      yield* wipes.wipe()
      assert.isTrue(Exit.isFailure(yield* Effect.exit(packs.slice(mine!.id, 0, 1))))
    }))

  it.effect("of sixty publishes that meet the wiping of their bytes, each names bytes that are there or is told", () =>
    Effect.gen(function*() {
      const [user, thinning, sql] = [yield* somebody({ plan: "studio" }), yield* Thinning, yield* SqlClient.SqlClient]
      const outcomes = { foundInTime: 0, stored: 0, refused: 0 }
      yield* Effect.forEach(Array.from({ length: 60 }, (_, n) => n), Effect.fnUntraced(function*(n) {
        const [logo, body] = [`logo of ${n} `.repeat(20), `met at ${n} `.repeat(40)]
        yield* publish(user, "met-first", { "logo.txt": logo, "body.txt": body })
        yield* publish(user, "met-second", { "logo.txt": logo })
        const [pack] = yield* sql<{ id: string }>`SELECT pack_id AS id FROM contents WHERE hash = ${createHash("sha256").update(body).digest("hex")}`
        const steps = [drop(user, "met-first"), thinning.settle(), aged, thinning.wipe()]
        const finish = n % 3 > 0
          ? yield* held(user, "met-third", { "body.txt": body })
          : Effect.exit(publish(user, "met-third", { "body.txt": body }))
        yield* Effect.all(steps.slice(0, n % 5), { discard: true })
        const [exit] = yield* Effect.all([finish, Effect.all(steps.slice(n % 5), { discard: true })], { concurrency: 2 })
        if (Exit.isFailure(exit)) {
          assert.include(JSON.stringify(exit), "The publish met a clean-up")
          outcomes.refused++
        } else if ((yield* manifests(user)).some(({ manifest }) => manifest["body.txt"]?.pack === pack!.id)) outcomes.foundInTime++
        else outcomes.stored++
        yield* thinning.settle()
        yield* isWhole(user)
        for (const slug of Exit.isSuccess(exit) ? ["met-second", "met-third"] : ["met-second"]) yield* drop(user, slug)
      }), { discard: true })
      for (const times of Object.values(outcomes)) assert.isAbove(times, 0, JSON.stringify(outcomes))
    }).pipe(TestClock.withLive))

  it.effect("meets publishes, deletions and restored versions at any moment, and no byte that is named is gone", () =>
    Effect.gen(function*() {
      const [user, thinning, sql] = [yield* somebody(), yield* Thinning, yield* SqlClient.SqlClient]
      // New ones come together, so they lie in one pack, go one by one, and may come back.
      const bodies = (turn: number) => Array.from({ length: 24 }, (_, n) => [`${n}.txt`, `body ${n % 12} of the race, ${Math.floor(turn / 5) - (n < 12 ? 0 : 1)} `.repeat(20)] as const)
      const count = { published: 0, restored: 0, refused: 0, dropped: 0, settled: 0, wiped: 0 }
      const allowed = (exit: Exit.Exit<unknown, { readonly _tag: string }>, of: "published" | "restored" | "dropped") => {
        const failed = Option.getOrUndefined(Exit.findErrorOption(exit))
        if (Exit.isSuccess(exit)) return count[of]++
        assert.include(["unavailable", "not_found", "validation_error", "slug_taken", "conflict"], failed?._tag, String(exit))
        return count.refused++
      }
      const writer = (n: number) => Effect.forEach(Array.from({ length: 60 }, (_, turn) => turn), Effect.fnUntraced(function*(turn) {
        const slug = `race-${n % 3}`
        const some = yield* Effect.filter(bodies(turn), () => Effect.map(Random.next, (chance) => chance < 0.3))
        const chance = yield* Random.next
        if (chance < 0.1) return allowed(yield* Effect.exit(drop(user, slug)), "dropped")
        if (chance < 0.25) {
          const [found] = yield* sql<{ version: number }>`
            SELECT v.version FROM versions v JOIN projects p ON p.id = v.project_id WHERE p.slug = ${slug} AND p.deleted_at IS NULL ORDER BY v.version LIMIT 1`
          if (found !== undefined) return allowed(yield* Effect.exit(Versions.use(({ restore }) => restore(user, slug, found.version))), "restored")
        }
        return allowed(yield* Effect.exit(publish(user, slug, Object.fromEntries([...some, ["turn.txt", `${n} ${turn}`]]))), "published")
      }), { discard: true })
      const collector = Effect.forever(Effect.gen(function*() {
        count.settled += yield* thinning.settle()
        yield* aged
        count.wiped += yield* thinning.wipe()
      }))
      const collecting = yield* Effect.forEach([1, 2], () => Effect.forkChild(collector))
      yield* Effect.all(Array.from({ length: 5 }, (_, n) => writer(n)), { concurrency: "unbounded" })
      yield* Effect.forEach(collecting, Fiber.interrupt)
      assert.isAbove(count.published, 50)
      assert.isBelow(count.refused, 200)
      for (let turn = 0; turn < 3; turn++) {
        yield* thinning.settle()
        yield* aged
        count.wiped += yield* thinning.wipe()
      }
      assert.isAbove(count.wiped, 0)
      yield* isWhole(user)
      assert.lengthOf(yield* sql`SELECT 1 FROM packs WHERE unnamed_since IS NULL AND (thinning_since IS NOT NULL OR loosened_at IS NOT NULL)`, 0)
    }).pipe(TestClock.withLive))
})
