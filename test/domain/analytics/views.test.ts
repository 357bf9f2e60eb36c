/** Recording views: exact figures by UTC day, readers nobody can name, keys that end, batches that count once. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Logger, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { dateOf, dayOf } from "../../../src/domain/days.ts"
import { MOST_BROWSERS } from "../../../src/domain/analytics/browsers.ts"
import { ViewStore } from "../../../src/domain/analytics/store.ts"
import type { Batch } from "../../../src/domain/analytics/store.ts"
import type { Seen } from "../../../src/domain/analytics/model.ts"
import { Views } from "../../../src/domain/analytics/views.ts"
import { Tokens } from "../../../src/domain/ports/tokens.ts"
import type { ProjectId } from "../../../src/domain/projects/model.ts"
import { Publishing } from "../../../src/domain/projects/publishing.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { TokensRandom } from "../../../src/services/crypto/tokens.ts"
import { ViewStoreSql } from "../../../src/services/database/views.ts"
import { keepOnce } from "../../../src/workers/keep-view-days.ts"
import { houseWith } from "../../support/house.ts"
import { locked } from "../../support/locked.ts"
import { at, bytesOf } from "../../support/moments.ts"

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 10, 21, 12)
const AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0"

let made = 0

const project = Effect.gen(function*() {
  const store = yield* AccountStore
  const now = yield* DateTime.now
  const id = UserId.make(yield* (yield* Tokens).uuid)
  const home = { id: WorkspaceId.make(yield* (yield* Tokens).uuid), name: "Home", plan: "studio", trialEndsAt: DateTime.add(now, { days: 7 }) } as const
  yield* store.create({ id, email: `${id}@example.com`, name: "Ada", passwordHash: "none", home }, now)
  yield* store.verifyEmail(id, now)
  const user = Option.getOrThrow(yield* store.find(id))
  const file = { path: undefined, contentType: "text/html", length: undefined, bytes: bytesOf("<h1>Hello</h1>") }
  return (yield* (yield* Publishing).put(user, `seen-${++made}`, file, {})).project.id
})

const seen = (projectId: ProjectId, more: Partial<Seen> = {}): Seen => ({
  projectId, at: NOON, address: "192.0.2.7", userAgent: AGENT, shareLinkId: null, ...more
})

const recorded = Effect.fnUntraced(function*(...all: ReadonlyArray<Seen>) {
  const views = yield* Views
  all.forEach(views.record)
  yield* views.flush
})

const figures = (projectId: ProjectId) =>
  Effect.map(
    ViewStore.use((store) => store.days(projectId, dayOf(NOON) - 400, dayOf(NOON) + 400)),
    (days) => days.toSorted((a, b) => a.day - b.day).map(({ day, uniqueVisitors, views }) => [day - dayOf(NOON), views, uniqueVisitors])
  )

const rows = <Row extends object>(of: string, projectId: ProjectId) =>
  SqlClient.SqlClient.use((sql) => sql<Row>`SELECT * FROM ${sql.literal(of)} WHERE project_id = ${projectId}`)

layer(houseWith())("views", (it) => {
  it.effect("are counted one by one; a person is one visitor a day, told by address and browser", () =>
    Effect.gen(function*() {
      const id = yield* project
      yield* recorded(seen(id), seen(id), seen(id, { at: NOON + 5 }))
      // The same reader's loads close together are one row, which counts them.
      assert.deepStrictEqual((yield* rows<{ loads: number }>("views", id)).map((row) => row.loads), [3])
      assert.deepStrictEqual(yield* figures(id), [[0, 3, 1]])
      yield* recorded(seen(id), seen(id, { address: "192.0.2.8" }), seen(id, { userAgent: "curl/8.5.0" }))
      assert.deepStrictEqual(yield* figures(id), [[0, 6, 3]])
      const [day] = yield* ViewStore.use((store) => store.days(id, dayOf(NOON), dayOf(NOON)))
      assert.strictEqual(day!.lastViewedAt, NOON + 5)
    }))

  it.effect("belong to their UTC day to the millisecond, where the same person is somebody new", () =>
    Effect.gen(function*() {
      const [id, other] = [yield* project, yield* project]
      const midnight = NOON + 12 * HOUR
      yield* recorded(seen(id, { at: midnight - 1 }), seen(id, { at: midnight }), seen(id, { at: midnight + 1 }), seen(other))
      assert.deepStrictEqual(yield* figures(id), [[0, 1, 1], [1, 2, 1]])
      const visitors = [...(yield* rows<{ visitor: Uint8Array }>("views", id)), ...(yield* rows<{ visitor: Uint8Array }>("views", other))]
        .map((row) => Buffer.from(row.visitor).toString("hex"))
      assert.lengthOf(new Set(visitors), 3)
      for (const visitor of visitors) assert.match(visitor, /^[0-9a-f]{32}$/)
    }))

  it.effect("leave neither address nor browser anywhere", () =>
    Effect.gen(function*() {
      const id = yield* project
      yield* recorded(seen(id, { address: "198.51.100.77", userAgent: "Telltale/7.7" }))
      const kept = yield* SqlClient.SqlClient.use((sql) => sql<{ text: string }>`
        SELECT v::text AS text FROM views v UNION ALL SELECT v::text FROM view_visitors v UNION ALL SELECT v::text FROM view_days v
        UNION ALL SELECT v::text FROM view_keys v UNION ALL SELECT v::text FROM view_batches v`)
      const words = ["198.51.100.77", "Telltale"].flatMap((word) => [word, Buffer.from(word).toString("hex")])
      assert.isAbove(kept.length, 4)
      for (const word of words) assert.isFalse(kept.some(({ text }) => text.includes(word)), word)
    }))

  it.effect("know which link they came by, and count a reader of two links once", () =>
    Effect.gen(function*() {
      const id = yield* project
      const link = "01890000-0000-7000-8000-00000000000a" as NonNullable<Seen["shareLinkId"]>
      yield* recorded(seen(id, { shareLinkId: link }), seen(id))
      const links = (yield* rows<{ share_link_id: string | null }>("views", id)).map((row) => row.share_link_id)
      assert.deepStrictEqual(links.sort(), [link, null].sort())
      assert.deepStrictEqual(yield* figures(id), [[0, 2, 1]])
    }))

  it.effect("lose their key and their visitors 48 hours after the day, to the millisecond, and keep their figures", () =>
    Effect.gen(function*() {
      const id = yield* project
      yield* recorded(seen(id))
      const ends = NOON + 12 * HOUR + 48 * HOUR
      const left = Effect.map(Effect.all([rows("view_keys", id), rows("view_visitors", id), rows("views", id)]), (all) => all.map((one) => one.length))
      yield* at(ends - 1, keepOnce)
      assert.deepStrictEqual(yield* left, [1, 1, 1])
      yield* at(ends, keepOnce)
      assert.deepStrictEqual(yield* left, [0, 0, 1])
      assert.deepStrictEqual(yield* figures(id), [[0, 1, 1]])
      // Raw views are dropped a whole day at a time, beyond what any plan shows.
      yield* at(NOON + 12 * HOUR + 400 * 24 * HOUR - 1, keepOnce)
      assert.deepStrictEqual(yield* left, [0, 0, 1])
      yield* at(NOON + 12 * HOUR + 400 * 24 * HOUR, keepOnce)
      assert.deepStrictEqual(yield* left, [0, 0, 0])
      assert.deepStrictEqual(yield* figures(id), [[0, 1, 1]])
    }))

  it.effect("lose their key on time while a dump reads all tables, which keeps nobody from making room either", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const id = yield* project
      const later = NOON + 40 * 24 * HOUR
      const ends = later + 12 * HOUR + 48 * HOUR
      yield* recorded(seen(id, { at: later }))
      const left = Effect.map(Effect.all([rows("view_keys", id), rows("view_visitors", id)]), (all) => all.map((one) => one.length))
      const newest = `views_${dateOf(dayOf(ends) + 3).replaceAll("-", "")}`
      const room = Effect.map(sql<{ made: boolean }>`SELECT to_regclass(${newest}) IS NOT NULL AS made`, (found) => found[0]!.made)
      assert.isFalse(yield* room)
      const letGo = yield* locked("LOCK TABLE views, view_visitors IN ACCESS SHARE MODE")
      yield* at(ends, keepOnce)
      assert.deepStrictEqual(yield* left, [0, 1])
      assert.isTrue(yield* room)
      yield* letGo
      yield* at(ends, keepOnce)
      assert.deepStrictEqual(yield* left, [0, 0])
    }))

  it.effect("are not lost by a clock that leaps, nor by a day whose room is gone", () =>
    Effect.gen(function*() {
      const id = yield* project
      const leap = NOON + 365 * 24 * HOUR
      yield* recorded(seen(id, { at: leap }), seen(id, { at: NOON - 365 * 24 * HOUR }), seen(id))
      assert.deepStrictEqual(yield* figures(id), [[-365, 1, 1], [0, 1, 1], [365, 1, 1]])
      yield* ViewStore.use((store) => store.forget({ readers: dayOf(NOON), views: dayOf(NOON) }))
      const store = yield* ViewStore
      const batch: Batch = { id: yield* (yield* Tokens).uuid, loads: [{ ...seen(id), day: dayOf(NOON), count: 2 }] }
      yield* store.add(batch, yield* DateTime.now)
      assert.deepStrictEqual(yield* figures(id), [[-365, 1, 1], [0, 3, 2], [365, 1, 1]])
    }))

  it.effect("count once however often their batch is tried, also at the same time", () =>
    Effect.gen(function*() {
      const id = yield* project
      const store = yield* ViewStore
      const loads = Array.from({ length: 20 }, (_, index) => ({ ...seen(id, { address: `192.0.2.${index}` }), day: dayOf(NOON), count: index + 1 }))
      const batch: Batch = { id: yield* (yield* Tokens).uuid, loads }
      const now = yield* DateTime.now
      yield* Effect.forEach(Array.from({ length: 50 }), () => store.add(batch, now), { concurrency: "unbounded", discard: true })
      assert.deepStrictEqual(yield* figures(id), [[0, 210, 20]])
    }))

  it.effect("are exact where many batches meet the same visitors of the same projects at once, in any order", () =>
    Effect.gen(function*() {
      const ids = [yield* project, yield* project, yield* project]
      const store = yield* ViewStore
      const now = yield* DateTime.now
      const batches = yield* Effect.forEach(Array.from({ length: 60 }, (_, index) => index), (index) =>
        Effect.map((Tokens.use((tokens) => tokens.uuid)), (batchId): Batch => {
          const loads = ids.flatMap((id) =>
            Array.from({ length: 10 }, (_, visitor) => ({ ...seen(id, { address: `10.0.0.${visitor}` }), day: dayOf(NOON) + visitor % 2, count: 1 })))
          return { id: batchId, loads: index % 2 === 0 ? loads : loads.toReversed() }
        }))
      yield* Effect.forEach(batches, (batch) => store.add(batch, now), { concurrency: "unbounded", discard: true })
      for (const id of ids) assert.deepStrictEqual(yield* figures(id), [[0, 300, 5], [1, 300, 5]])
    }))

  it.effect("are exact where another instance wrote their readers first, at once and ever after", () =>
    Effect.gen(function*() {
      const id = yield* project
      const [one, other] = [yield* ViewStore, yield* Effect.provide(ViewStore, Layer.fresh(ViewStoreSql))]
      const now = yield* DateTime.now
      const readers = Effect.fnUntraced(function*(from: number, to: number) {
        const loads = Array.from({ length: to - from }, (_, n) => ({ ...seen(id, { address: `10.0.1.${from + n}` }), day: dayOf(NOON), count: 1 }))
        return { id: yield* Tokens.use((tokens) => tokens.uuid), loads } satisfies Batch
      })
      yield* one.add(yield* readers(0, 10), now)
      const twice = yield* readers(5, 15)
      yield* other.add(twice, now)
      yield* other.add(twice, now)
      yield* other.add(yield* readers(0, 16), now)
      yield* one.add(yield* readers(0, 20), DateTime.add(now, { seconds: 59 }))
      yield* other.add(yield* readers(10, 25), DateTime.add(now, { minutes: 1 }))
      assert.deepStrictEqual(yield* figures(id), [[0, 71, 25]])
      assert.lengthOf(yield* rows("view_visitors", id), 25)
    }))

  it.effect("of a project that is gone are left out, and hold up no others", () =>
    Effect.gen(function*() {
      const id = yield* project
      const gone = "01890000-0000-7000-8000-0000000000ff" as ProjectId
      yield* recorded(seen(gone), seen(id))
      assert.deepStrictEqual(yield* figures(id), [[0, 1, 1]])
      assert.deepStrictEqual(yield* rows("views", gone), [])
    }))
})

/** A database that can be taken away, and records what was written. */
const shelf = () => {
  const held = { away: false, batches: [] as Array<Batch>, tries: [] as Array<string>, meanwhile: () => {} }
  const Shelf = Layer.succeed(ViewStore, ViewStore.of({
    add: (batch) =>
      Effect.suspend(() => {
        held.tries.push(batch.id)
        if (held.away) return Effect.die("away")
        held.batches.push(batch)
        held.meanwhile()
        return Effect.void
      }),
    days: () => Effect.succeed([]), makeRoom: () => Effect.void, forget: () => Effect.succeed(0)
  }))
  const views = () => held.batches.flatMap((batch) => batch.loads).reduce((sum, one) => sum + one.count, 0)
  return { held, views, over: Views.layer.pipe(Layer.provide([Shelf, TokensRandom]), Layer.provideMerge(Logger.layer([]))) }
}

const nobody = "01890000-0000-7000-8000-000000000001" as ProjectId
const reader = (n: number) => seen(nobody, { address: `reader ${n}` })

layer(Layer.empty)("recording", (it) => {
  it.effect("waits 100 ms for others, and not for a full batch", () => {
    const { held, over, views } = shelf()
    return Effect.gen(function*() {
      const { record } = yield* Views
      record(reader(1))
      record(reader(2))
      yield* TestClock.adjust("99 millis")
      assert.strictEqual(views(), 0)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual([views(), held.batches.length], [2, 1])
      for (let n = 0; n < 2_500; n++) record(reader(n))
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(held.batches.map((batch) => batch.loads.length), [2, 1_000, 1_000, 500])
    }).pipe(Effect.provide(over))
  })

  it.effect("is written while others come: they wait for their own batch, and none before them waits for them", () => {
    const { held, over, views } = shelf()
    return Effect.gen(function*() {
      const { flush, record } = yield* Views
      for (let n = 0; n < 1_500; n++) record(reader(n))
      // Of a browser that came after all others.
      record({ ...reader(1), userAgent: "curl/8.5.0" })
      let more = 2_000
      held.meanwhile = () => {
        for (let n = 0; n < 1_000 && held.batches.length < 20; n++) record(reader(more++))
      }
      yield* flush
      assert.lengthOf(held.batches, 2)
      assert.include(held.batches.flatMap(({ loads }) => loads.map(({ userAgent }) => userAgent)), "curl/8.5.0")
      held.meanwhile = () => {}
      yield* TestClock.adjust("100 millis")
      assert.strictEqual(views(), 1_501 + more - 2_000)
    }).pipe(Effect.provide(over))
  })

  it.effect("tries a batch under the same id until it is in, and keeps counting meanwhile", () => {
    const { held, over, views } = shelf()
    return Effect.gen(function*() {
      const { record } = yield* Views
      held.away = true
      record(reader(1))
      yield* TestClock.adjust("2 seconds")
      assert.isAtLeast(held.tries.length, 3)
      record(reader(1))
      record(reader(2))
      held.away = false
      yield* TestClock.adjust("5 seconds")
      assert.lengthOf(new Set(held.tries), 2)
      assert.deepStrictEqual([views(), held.batches.length], [3, 2])
    }).pipe(Effect.provide(over))
  })

  it.effect("is written without another view where whoever waited for it left meanwhile", () => {
    const { held, over, views } = shelf()
    return Effect.gen(function*() {
      const { flush, record } = yield* Views
      held.away = true
      record(reader(1))
      const waiting = yield* Effect.forkChild(flush, { startImmediately: true })
      yield* Fiber.interrupt(waiting)
      assert.isAbove(held.tries.length, 0)
      held.away = false
      yield* TestClock.adjust("1 second")
      assert.strictEqual(views(), 1)
    }).pipe(Effect.provide(over))
  })

  it.effect("gives up the oldest beyond what memory holds", () => {
    const { held, over, views } = shelf()
    return Effect.gen(function*() {
      const { flush, record } = yield* Views
      for (let n = 0; n < 100_010; n++) record(reader(n))
      yield* flush
      assert.strictEqual(views(), 100_000)
      assert.strictEqual(held.batches[0]!.loads[0]!.address, "reader 10")
    }).pipe(Effect.provide(over))
  })

  it.effect("counts every load of a machine that names another browser each time, as 257 visitors at most", () => {
    const { held, over, views } = shelf()
    return Effect.gen(function*() {
      const { flush, record } = yield* Views
      const visitors = () => new Set(held.batches.flatMap(({ loads }) => loads.map(({ address, userAgent }) => `${address} ${userAgent}`))).size
      for (let round = 0; round < 2; round++) {
        for (let n = 0; n < 5_000; n++) record(seen(nobody, { userAgent: `Browser ${n}` }))
        yield* flush
        assert.deepStrictEqual([views(), visitors()], [5_000 * (round + 1), MOST_BROWSERS + 1])
      }
      // The next one, another project and another day are not concerned.
      record(seen(nobody, { address: "next", userAgent: "Browser 4999" }))
      record(seen("01890000-0000-7000-8000-000000000002" as ProjectId, { userAgent: "Browser 4999" }))
      yield* flush
      assert.deepStrictEqual(held.batches.at(-1)!.loads.map(({ userAgent }) => userAgent), ["Browser 4999", "Browser 4999"])
    }).pipe(Effect.provide(over))
  })

  it.effect("writes what is left when it closes", () => {
    const { over, views } = shelf()
    return Effect.gen(function*() {
      yield* Effect.provide(Views.useSync(({ record }) => {
        record(reader(1))
        record(reader(1))
      }), over)
      assert.strictEqual(views(), 2)
    })
  })
})
