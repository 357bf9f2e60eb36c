/** Reading files for agents, comparing versions, and zips of very many files: few at once, and nobody waits behind one who asks for many. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import type { Duration } from "effect"
import { TestClock } from "effect/testing"
import { HostingStore } from "../../../src/domain/hosting/store.ts"
import { Packs } from "../../../src/domain/ports/packs.ts"
import { Comparing } from "../../../src/domain/projects/comparing.ts"
import { Projects } from "../../../src/domain/projects/projects.ts"
import { Publishing } from "../../../src/domain/projects/publishing.ts"
import { ProjectStore } from "../../../src/domain/projects/store.ts"
import { Reading } from "../../../src/domain/projects/reading.ts"
import { houseWith } from "../../support/house.ts"
import { somebody } from "../../support/somebody.ts"
import { filesIn, zipOf } from "../../support/zips.ts"

layer(houseWith())("reading", (it) => {
  it.effect("is one file at a time for a person, and another's is read while theirs is slow to come", () =>
    Effect.gen(function*() {
      const [eve, bob] = [yield* somebody(), yield* somebody()]
      const { put } = yield* Publishing
      for (const [user, slug] of [[eve, "of-eve"], [bob, "of-bob"]] as const) {
        yield* put(user, slug, { path: undefined, contentType: "text/plain", length: undefined, bytes: Stream.make(new TextEncoder().encode(slug)) }, {})
      }
      const packs = yield* Packs
      const gate = yield* Deferred.make<void>()
      const asked: Array<string> = []
      let slow: string | undefined
      const slice: typeof packs.slice = (pack, offset, length) =>
        Effect.suspend(() => {
          asked.push(pack)
          return pack === slow ? Deferred.await(gate) : Effect.void
        }).pipe(Effect.andThen(packs.slice(pack, offset, length)))
      const { read } = yield* Effect.provideService(Reading.make, Packs, { ...packs, slice })
      assert.strictEqual((yield* read(eve, "of-eve", {})).text, "of-eve")
      slow = asked[0]!
      const many = yield* Effect.forEach(Array.from({ length: 6 }), () => Effect.forkChild(read(eve, "of-eve", {})))
      while (asked.length < 2) yield* Effect.yieldNow
      // By the last of these, all of hers have come to where they wait.
      for (let at = 0; at < 20; at++) assert.strictEqual((yield* read(bob, "of-bob", {})).text, "of-bob")
      assert.lengthOf(asked.filter((pack) => pack === slow), 2)
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of many) assert.strictEqual((yield* Fiber.join(fiber)).text, "of-eve")
    }))

  it.effect("of all who wait, nobody's manifest is in memory: four are read at once, and the pairs of two comparisons", () =>
    Effect.gen(function*() {
      const { put } = yield* Publishing
      const people = yield* Effect.forEach(Array.from({ length: 8 }, (_, n) => `of-person-${n}`), Effect.fnUntraced(function*(slug) {
        const user = yield* somebody()
        for (const text of ["one", "two"]) {
          yield* put(user, slug, { path: undefined, contentType: "text/plain", length: undefined, bytes: Stream.make(new TextEncoder().encode(text)) }, {})
        }
        return { user, slug }
      }))
      const store = yield* HostingStore
      let [now, most] = [0, 0]
      const manifest: typeof store.manifest = (version) =>
        Effect.sync(() => most = Math.max(most, ++now)).pipe(Effect.andThen(store.manifest(version)), Effect.ensuring(Effect.sync(() => now--)))
      const watched = Effect.provideService(HostingStore, HostingStore.of({ ...store, manifest }))
      const { missing, read } = yield* watched(Reading.make)
      const { compare } = yield* watched(Comparing.make)
      const mostOf = Effect.fnUntraced(function*(program: (person: typeof people[number]) => Effect.Effect<unknown, unknown>) {
        most = 0
        yield* Effect.forEach([...people, ...people], program, { concurrency: "unbounded" })
        return most
      })
      assert.isAtMost(yield* mostOf(({ slug, user }) => read(user, slug, {})), 4)
      assert.isAtMost(yield* mostOf(({ slug, user }) => missing(user, slug)), 4)
      assert.isAtMost(yield* mostOf(({ slug, user }) => compare(user, slug, 1, 2)), 2)
    }))

  it.effect("of one person two searches are under way at once, and of all four; lists do not wait for them", () =>
    Effect.gen(function*() {
      const people = yield* Effect.forEach(Array.from({ length: 6 }), () => somebody())
      const store = yield* ProjectStore
      let [now, most] = [0, 0]
      const gate = yield* Deferred.make<void>()
      const list: typeof store.list = (workspace, user, filter) =>
        filter.query === undefined
          ? store.list(workspace, user, filter)
          : Effect.sync(() => most = Math.max(most, ++now)).pipe(Effect.andThen(Deferred.await(gate)), Effect.andThen(store.list(workspace, user, filter)), Effect.ensuring(Effect.sync(() => now--)))
      const projects = yield* Effect.provideService(Projects.make, ProjectStore, ProjectStore.of({ ...store, list }))
      const page = { limit: 20, after: undefined, folderId: undefined }
      const search = (person: typeof people[number]) => Effect.forkChild(projects.list(person, undefined, { ...page, query: "x" }))
      const first = yield* Effect.forEach(Array.from({ length: 6 }), () => search(people[0]!))
      // By the last of these, all of the first one's have come to where they wait.
      for (let at = 0; at < 20; at++) yield* projects.list(people[1]!, undefined, { ...page, query: undefined })
      assert.strictEqual(most, 2)
      const rest = yield* Effect.forEach(people, search)
      for (let at = 0; at < 20; at++) yield* projects.list(people[1]!, undefined, { ...page, query: undefined })
      assert.strictEqual(most, 4)
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of [...first, ...rest]) assert.lengthOf((yield* Fiber.join(fiber)).projects, 0)
    }))

  it.effect("whoever reads a zip of more than a thousand files at less than 64 KB a second gives up the turn after ten minutes; of fewer files nobody waits", () =>
    Effect.gen(function*() {
      const eve = yield* somebody()
      const { put } = yield* Publishing
      const { download } = yield* Projects
      const slowly = Effect.fnUntraced(function*(files: number, wait: Duration.Input) {
        const slug = `slowly-${files}-${wait}`.replaceAll(" ", "-")
        const site = yield* Effect.promise(() => zipOf(Object.fromEntries([["index.html", "<h1>Many</h1>"], ...Array.from({ length: files - 1 }, (_, n) => [`${n}.txt`, `${n}`])])))
        yield* put(eve, slug, { path: undefined, contentType: "application/zip", length: undefined, bytes: Stream.make(new Uint8Array(site)) }, {})
        const { bytes } = yield* download(eve, slug, 1)
        let waited = false
        const read = Stream.runForEach(bytes, () => waited ? Effect.void : Effect.andThen(Effect.sync(() => waited = true), TestClock.adjust(wait)))
        return yield* Effect.match(read, { onFailure: ({ _tag }) => _tag, onSuccess: () => "all of it" })
      }, Effect.scoped)
      assert.deepStrictEqual([yield* slowly(1001, "9 minutes"), yield* slowly(1001, "10 minutes"), yield* slowly(10, "11 minutes")], ["all of it", "unavailable", "all of it"])
    }))

  it.effect("sixteen zips are sent to a person at once, and another's is not held up", () =>
    Effect.gen(function*() {
      const [eve, bob] = [yield* somebody(), yield* somebody()]
      const { put } = yield* Publishing
      const { download } = yield* Projects
      for (const [user, slug] of [[eve, "few-of-eve"], [bob, "few-of-bob"]] as const) {
        yield* put(user, slug, { path: undefined, contentType: "text/plain", length: undefined, bytes: Stream.make(new Uint8Array([65])) }, {})
      }
      const begun: Array<number> = []
      const zips = yield* Effect.forEach(Array.from({ length: 17 }), (_, n) =>
        Effect.forkChild(Effect.scoped(Effect.andThen(download(eve, "few-of-eve", 1), Effect.andThen(Effect.sync(() => begun.push(n)), Effect.never)))))
      while (begun.length < 16) yield* Effect.promise(() => new Promise(setImmediate))
      yield* Effect.scoped(download(bob, "few-of-bob", 1))
      assert.lengthOf(begun, 16)
      yield* Fiber.interrupt(zips[begun[0]!]!)
      while (begun.length < 17) yield* Effect.promise(() => new Promise(setImmediate))
    }))

  it.effect("two zips of more than a thousand files are sent to a person at once, and another's is not held up", () =>
    Effect.gen(function*() {
      const [eve, bob] = [yield* somebody(), yield* somebody()]
      const { put } = yield* Publishing
      const { download } = yield* Projects
      const site = yield* Effect.promise(() => zipOf(Object.fromEntries([["index.html", "<h1>Many</h1>"], ...Array.from({ length: 1000 }, (_, n) => [`${n}.txt`, `${n}`])])))
      for (const [user, slug] of [[eve, "many-of-eve"], [bob, "many-of-bob"]] as const) {
        yield* put(user, slug, { path: undefined, contentType: "application/zip", length: undefined, bytes: Stream.make(new Uint8Array(site)) }, {})
      }
      const begun: Array<number> = []
      const gates = yield* Effect.forEach([0, 1, 2], () => Deferred.make<void>())
      const zips = yield* Effect.forEach(gates, (gate, n) =>
        Effect.forkChild(Effect.scoped(Effect.flatMap(download(eve, "many-of-eve", 1), ({ bytes }) => {
          // Whose answer has begun without a byte would be cut off after two minutes.
          begun.push(n)
          return Stream.runForEach(bytes, () => Deferred.await(gate))
        }))))
      while (begun.length < 2) yield* Effect.promise(() => new Promise(setImmediate))
      const zip = yield* Effect.scoped(Effect.flatMap(download(bob, "many-of-bob", 1), ({ bytes }) => Stream.runCollect(bytes)))
      assert.strictEqual((yield* Effect.promise(() => filesIn(Buffer.concat([...zip])))).size, 1001)
      assert.lengthOf(begun, 2)
      // Nobody reads on: its turn is the next one's.
      yield* Fiber.interrupt(zips[begun[0]!]!)
      while (begun.length < 3) yield* Effect.promise(() => new Promise(setImmediate))
      for (const gate of gates) yield* Deferred.succeed(gate, undefined)
      for (const n of begun.slice(1)) yield* Fiber.join(zips[n]!)
    }))
})
