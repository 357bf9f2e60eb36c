/** A publish that is slow to arrive or to be written: what it must not leave behind, hold up, or run into. */
import { assert, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Fiber, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Unavailable } from "../../../src/domain/failures.ts"
import { Packs } from "../../../src/domain/ports/packs.ts"
import { Projects } from "../../../src/domain/projects/projects.ts"
import { Publishing } from "../../../src/domain/projects/publishing.ts"
import { arrived } from "../../../src/domain/projects/receiving.ts"
import { ProjectStore } from "../../../src/domain/projects/store.ts"
import { Workspaces } from "../../../src/domain/workspaces/workspaces.ts"
import { houseWith } from "../../support/house.ts"
import { locked, waiting } from "../../support/locked.ts"
import { somebody } from "../../support/somebody.ts"
import { zipOf } from "../../support/zips.ts"

const text = (body: string) => ({
  path: undefined,
  contentType: "text/plain",
  length: undefined,
  bytes: Stream.make(new TextEncoder().encode(body))
})

const stored = Packs.use((packs) => Effect.map(Stream.runCollect(packs.list), (all) => all.length))

/** Publishes whose pack becomes durable only when `late` says so. */
const withPacks = (late: (durable: Effect.Effect<void, Unavailable>) => Effect.Effect<void, Unavailable>) =>
  Effect.gen(function*() {
    const packs = yield* Packs
    const draft = Effect.map(packs.draft, (one) => ({
      ...one,
      begin: (...given: Parameters<typeof one.begin>) => Effect.map(one.begin(...given), (begun) => ({ ...begun, durable: late(begun.durable) }))
    }))
    return yield* Effect.provideService(Publishing.make, Packs, { ...packs, draft })
  })

layer(houseWith())("a publish that takes its time", (it) => {
  it.effect("leaves nothing where the pack fails while the transaction is open", () =>
    Effect.gen(function*() {
      const [user, projects, before] = [yield* somebody(), yield* ProjectStore, yield* stored]
      const failing = yield* withPacks((durable) => Effect.andThen(durable, new Unavailable({ message: "The disk is gone." })))
      const failed = yield* Effect.flip(failing.put(user, "never-durable", text("never"), {}))
      assert.strictEqual(failed._tag, "unavailable")
      assert.isTrue(Option.isNone(yield* projects.reach("never-durable", user.id)))
      const [home] = yield* Workspaces.use(({ of }) => of(user.id))
      assert.deepStrictEqual([home!.projectCount, home!.storageBytes, yield* stored], [0, 0, before])
    }))

  it.effect("locks nothing while the disk is slow, and goes live once it has caught up", () =>
    Effect.gen(function*() {
      const [user, projects, before] = [yield* somebody(), yield* ProjectStore, yield* stored]
      const caughtUp = yield* Deferred.make<void>()
      const waits = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      let waited = 0
      const slow = yield* withPacks((durable) =>
        Effect.suspend(() => Deferred.succeed(waits[waited++]!, undefined)).pipe(Effect.andThen(Deferred.await(caughtUp)), Effect.andThen(durable))
      )
      const late = yield* Effect.forkChild(slow.put(user, "late", text("late"), {}))
      yield* Deferred.await(waits[0]!)
      yield* TestClock.adjust("100 millis")
      yield* Deferred.await(waits[1]!)
      // Rolled back: the workspace is free for others, and the address is still free.
      yield* Publishing.use(({ put }) => put(user, "meanwhile", text("meanwhile"), {}))
      assert.isTrue(Option.isNone(yield* projects.reach("late", user.id)))
      yield* Deferred.succeed(caughtUp, undefined)
      const { created, project } = yield* Fiber.join(late)
      assert.deepStrictEqual([created, project.version, yield* stored], [true, 1, before + 2])
      const [home] = yield* Workspaces.use(({ of }) => of(user.id))
      assert.deepStrictEqual([home!.projectCount, home!.storageBytes], [2, "late".length + "meanwhile".length])
    }))

  it.effect("leaves no pack where the publish is refused before the pack is durable", () =>
    Effect.gen(function*() {
      const [user, projects] = [yield* somebody(), yield* Projects]
      yield* Publishing.use(({ put }) => put(user, "taken-away", text("first"), {}))
      const before = yield* stored
      const refused = yield* withPacks((durable) => durable)
      const bytes = Stream.fromEffect(Effect.as(Effect.orDie(projects.remove(user, "taken-away")), new TextEncoder().encode("second")))
      const failed = yield* Effect.flip(refused.put(user, "taken-away", { ...text(""), bytes }, {}))
      assert.strictEqual(failed._tag, "not_found")
      assert.strictEqual(yield* stored, before)
    }))

  it.effect("leaves no pack where a statement fails, and touches none where COMMIT does, which may have kept it", () =>
    Effect.gen(function*() {
      const [sql, user, publishing, before] = [yield* SqlClient.SqlClient, yield* somebody(), yield* Publishing, yield* stored]
      yield* sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'locked' USING ERRCODE = '55P03'; END $$`
      for (const [fails, left] of [["", 0], ["DEFERRABLE INITIALLY DEFERRED", 1]] as const) {
        yield* sql.unsafe(`CREATE CONSTRAINT TRIGGER refused AFTER INSERT ON versions ${fails} FOR EACH ROW EXECUTE FUNCTION refuse()`)
        assert.isTrue(Cause.hasDies(yield* Effect.flip(Effect.sandbox(publishing.put(user, "locked-out", text(`locked out ${fails}`), {})))))
        yield* sql`DROP TRIGGER refused ON versions`
        assert.strictEqual(yield* stored, before + left, fails)
      }
      assert.isTrue((yield* publishing.put(user, "locked-out", text("let in"), {})).created)
    }))

  it.effect("runs once more where others held for too long what it needs, and is then live with its own pack", () =>
    Effect.gen(function*() {
      const [sql, user, before] = [yield* SqlClient.SqlClient, yield* somebody(), yield* stored]
      yield* sql`CREATE SEQUENCE tries`
      yield* sql`CREATE FUNCTION refuse_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('tries') = 1 THEN RAISE EXCEPTION 'locked' USING ERRCODE = '55P03'; END IF; RETURN NEW; END $$`
      yield* sql`CREATE TRIGGER refused BEFORE INSERT ON versions FOR EACH ROW EXECUTE FUNCTION refuse_once()`
      const { created, project } = yield* Publishing.use(({ put }) => put(user, "held-up", text("held up"), {}))
      yield* sql`DROP TRIGGER refused ON versions`
      assert.deepStrictEqual([created, project.version, yield* stored], [true, 1, before + 1])
    }))

  it.effect("waits for those of its workspace without a connection: one of them waits for the lock, and other workspaces for nothing", () =>
    Effect.gen(function*() {
      const [sql, user, other, { put }] = [yield* SqlClient.SqlClient, yield* somebody(), yield* somebody(), yield* Publishing]
      const [home] = yield* Workspaces.use(({ of }) => of(user.id))
      const letGo = yield* locked(`SELECT 1 FROM workspaces WHERE id = '${home!.id}' FOR UPDATE`)
      const many = yield* Effect.forkChild(Effect.forEach(Array.from({ length: 9 }), (_, n) => put(user, "burst", text(`${n}`), {}), { concurrency: "unbounded" }))
      yield* Effect.repeat(waiting(sql), { until: (count) => count > 0 })
      yield* put(other, "beside-a-burst", text("beside"), {})
      assert.strictEqual(yield* waiting(sql), 1)
      yield* letGo
      assert.strictEqual(new Set((yield* Fiber.join(many)).map(({ project }) => project.version)).size, 9)
    }))

  it.effect("takes the place of the version it was meant for, or of none", () =>
    Effect.gen(function*() {
      const [user, projects, publishing] = [yield* somebody(), yield* Projects, yield* Publishing]
      yield* publishing.put(user, "based", text("one"), {})
      const another = Effect.orDie(publishing.put(user, "based", text("two"), {}))
      const bytes = Stream.fromEffect(Effect.as(another, new TextEncoder().encode("late")))
      const failed = yield* Effect.flip(publishing.replace(user, "based", { ...text(""), bytes }, 1))
      assert.deepStrictEqual([failed._tag, (yield* projects.get(user, "based")).version], ["conflict", 2])
    }))

  it.effect("of one text takes no site of several files with it that its page became meanwhile", () =>
    Effect.gen(function*() {
      const [user, projects, publishing] = [yield* somebody(), yield* Projects, yield* Publishing]
      const page = { ...text("<h1>One</h1>"), contentType: "text/html" }
      yield* publishing.put(user, "grown", page, {})
      const grows = Effect.orDie(publishing.addFiles(user, "grown", arrived([{ ...text("more"), path: "more.txt" }], {})))
      const bytes = Stream.fromEffect(Effect.as(grows, new TextEncoder().encode("<h1>Two</h1>")))
      const failed = yield* Effect.flip(publishing.replace(user, "grown", { ...page, bytes }))
      const { fileCount, version } = yield* projects.get(user, "grown")
      assert.deepStrictEqual([failed._tag, fileCount, version], ["validation_error", 2, 2])
    }))

  it.effect("of single files goes into the site it was meant for, or nowhere", () =>
    Effect.gen(function*() {
      const [user, projects, publishing] = [yield* somebody(), yield* Projects, yield* Publishing]
      const page = (words: string) => ({ ...text(`<h1>${words}</h1>`), path: "index.html", contentType: "text/html" })
      const site = (slug: string, words: string) => Effect.orDie(publishing.create(user, arrived([page(words), { ...text("more"), path: "more.txt" }], { slug })))
      /** Adds a file while something else happens to its address. */
      const meanwhile = (slug: string, happens: Effect.Effect<unknown>) => {
        const bytes = Stream.fromEffect(Effect.as(happens, new TextEncoder().encode("slow")))
        return publishing.addFiles(user, slug, arrived([{ ...text(""), path: "slow.txt", bytes }], {}))
      }
      const versionOf = (slug: string) => Effect.map(projects.get(user, slug), ({ version }) => version)

      yield* site("slow-kind", "One")
      const became = yield* Effect.flip(meanwhile("slow-kind", Effect.orDie(publishing.put(user, "slow-kind", { ...text("# Words"), contentType: "text/markdown" }, {}))))
      assert.deepStrictEqual([became._tag, became.message], ["conflict", "The project is at version 2 by now. Look at its files again."])
      assert.strictEqual(yield* versionOf("slow-kind"), 2)

      yield* site("slow-other", "One")
      const other = yield* Effect.flip(meanwhile("slow-other", Effect.andThen(Effect.orDie(projects.remove(user, "slow-other")), site("slow-other", "Another"))))
      assert.deepStrictEqual([other._tag, yield* versionOf("slow-other")], ["not_found", 1])

      yield* site("slow-same", "One")
      yield* meanwhile("slow-same", Effect.orDie(publishing.addFiles(user, "slow-same", arrived([page("Two")], {}))))
      assert.strictEqual(yield* versionOf("slow-same"), 3)
    }))

  it.effect("of very many files is made into a version in turn, one of a person; what is small, and another's, is not held up", () =>
    Effect.gen(function*() {
      const [eve, bob] = [yield* somebody(), yield* somebody()]
      const packs = yield* Packs
      const gate = yield* Deferred.make<void>()
      let begun = 0
      const draft = Effect.map(packs.draft, (one) => ({
        ...one,
        unzip: (...given: Parameters<typeof one.unzip>) => Effect.sync(() => begun++).pipe(Effect.andThen(Deferred.await(gate)), Effect.andThen(one.unzip(...given)))
      }))
      const { put } = yield* Effect.provideService(Publishing.make, Packs, { ...packs, draft })
      const zip = yield* Effect.promise(() => zipOf(Object.fromEntries([["index.html", "<h1>Many</h1>"], ...Array.from({ length: 1000 }, (_, n) => [`${n}.txt`, `${n}`])])))
      const site = { path: undefined, contentType: "application/zip", length: undefined, bytes: Stream.make(new Uint8Array(zip)) }
      const hers = yield* Effect.forEach(["many-1", "many-2", "many-3"], (slug) => Effect.forkChild(put(eve, slug, site, {})))
      while (begun < 1) yield* Effect.promise(() => new Promise(setImmediate))
      assert.isTrue((yield* put(eve, "small", text("small"), {})).created)
      const his = yield* Effect.forkChild(put(bob, "many-of-bob", site, {}))
      while (begun < 2) yield* Effect.promise(() => new Promise(setImmediate))
      assert.isTrue((yield* put(eve, "small-too", text("small"), {})).created)
      assert.strictEqual(begun, 2)
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of [...hers, his]) assert.strictEqual((yield* Fiber.join(fiber)).project.version, 1)
    }))
})

layer(houseWith({ SVC_TRIAL: "enforced" }))("a publish whose workspace lapses", (it) => {
  it.effect("is refused where that happened while its bytes were on their way", () =>
    Effect.gen(function*() {
      const [user, projects, sql] = [yield* somebody({ trialDays: 7 }), yield* ProjectStore, yield* SqlClient.SqlClient]
      const { put } = yield* Publishing
      yield* put(user, "in-time", text("in time"), {})
      const lapses = sql`UPDATE workspaces SET trial_ends_at = ${new Date(0)} WHERE id IN (SELECT workspace_id FROM members WHERE user_id = ${user.id})`
      const late = (body: string) => ({ ...text(body), bytes: Stream.fromEffect(Effect.as(Effect.orDie(lapses), new TextEncoder().encode(body))) })
      assert.strictEqual((yield* Effect.flip(put(user, "in-time", late("too late"), {})))._tag, "payment_required")
      yield* sql`UPDATE workspaces SET trial_ends_at = ${new Date(Date.UTC(2100, 0))} WHERE id IN (SELECT workspace_id FROM members WHERE user_id = ${user.id})`
      assert.strictEqual((yield* Effect.flip(put(user, "new-and-late", late("too late"), {})))._tag, "payment_required")
      assert.deepStrictEqual(Option.map(yield* projects.reach("in-time", user.id), ({ project }) => project.version), Option.some(1))
      assert.isTrue(Option.isNone(yield* projects.reach("new-and-late", user.id)))
    }))
})
