/**
 * Recording views while serving: a load is noted in memory and written a moment later together with the others.
 *
 * 1. `record` only counts. The same reader's further loads until the next batch add to one entry, so a page under load
 *    costs a row a batch; its count keeps the figures exact.
 * 2. Every 100 ms, or at 1,000 entries, what was noted goes to the store as one batch.
 * 3. A batch that could not be written is tried again under the same id until it is: one whose commit went through
 *    and whose answer was lost is not counted twice.
 * 4. Closing writes what is left, within a few seconds.
 */
import { Context, DateTime, Effect, Latch, Layer, Metric, Semaphore } from "effect"
import { dayOf } from "../days.ts"
import { Tokens } from "../ports/tokens.ts"
import { makeBrowsers } from "./browsers.ts"
import type { Loads, Seen } from "./model.ts"
import type { Batch } from "./store.ts"
import { ViewStore } from "./store.ts"

const PAUSE = "100 millis"
const BATCH = 1_000

/** Entries kept while the database is away; beyond this, entries of the user agent seen first are dropped, oldest first. */
const MOST = 100_000

const RETRY = { first: 200, longest: 5_000 } as const
const CLOSING = "5 seconds"

const recorded = Metric.counter("svc_views_total", { description: "Views written", incremental: true })
const lost = Metric.counter("svc_views_dropped_total", { description: "Views that could not be written and were given up", incremental: true })

type Entry = { -readonly [Key in keyof Loads]: Loads[Key] }

/** By user agent first: that long string was hashed on its way here, and would be hashed again inside a combined key. */
type Noted = Map<string, Map<string, Entry>>

const sum = (loads: Iterable<Loads>): number => {
  let views = 0
  for (const { count } of loads) views += count
  return views
}

export class Views extends Context.Service<Views>()("svc/domain/analytics/Views", {
  make: Effect.gen(function*() {
    const store = yield* ViewStore
    // The counter exists before the first loss: an alert notices a counter that rises, not one that appears.
    yield* Metric.update(lost, 0)
    const tokens = yield* Tokens
    const lane = yield* Semaphore.make(1)
    const countedAs = makeBrowsers()
    const some = Latch.makeUnsafe()
    const many = Latch.makeUnsafe()
    let noted: Noted = new Map()
    /** What a flush found noted: it goes before what was noted since. */
    let leaving: Noted = new Map()
    /** Of both. */
    let size = 0
    let sending: Batch | undefined
    let dropped = 0

    const removed = (): Entry => {
      const oldest = leaving.size > 0 ? leaving : noted
      const [userAgent, readers] = oldest.entries().next().value!
      const [key, entry] = readers.entries().next().value!
      readers.delete(key)
      if (readers.size === 0) oldest.delete(userAgent)
      size--
      return entry
    }

    const add = (key: string, userAgent: string, seen: Seen): boolean => {
      const entry = noted.get(userAgent)?.get(key)
      if (entry === undefined) return false
      entry.count++
      if (seen.at > entry.at) entry.at = seen.at
      return true
    }

    const record = (seen: Seen): void => {
      const day = dayOf(seen.at)
      const from = `${seen.projectId} ${seen.address} ${day}`
      const key = `${from} ${seen.shareLinkId}`
      if (add(key, seen.userAgent, seen)) return
      const userAgent = countedAs(from, seen.userAgent)
      if (userAgent !== seen.userAgent && add(key, userAgent, seen)) return
      if (size >= MOST) dropped += removed().count
      const readers = noted.get(userAgent) ?? new Map<string, Entry>()
      noted.set(userAgent, readers.set(key, { ...seen, userAgent, day, count: 1 }))
      size++
      if (size === 1) some.openUnsafe()
      if (size === BATCH) many.openUnsafe()
    }

    const taken = (id: string): Batch => {
      const loads: Array<Loads> = []
      while (size > 0 && loads.length < BATCH) loads.push(removed())
      if (size < BATCH) many.closeUnsafe()
      return { id, loads }
    }

    const tellDropped = Effect.suspend(() => {
      if (dropped === 0) return Effect.void
      const views = dropped
      dropped = 0
      return Effect.andThen(
        Metric.update(lost, views),
        Effect.logWarning("views were given up").pipe(Effect.annotateLogs({ views }))
      )
    })

    /** A batch stays the one being sent until it is known to be written, whatever interrupts this step. */
    const step = Effect.fnUntraced(function*() {
      const now = yield* DateTime.now
      const id = yield* tokens.uuid
      sending ??= taken(id)
      yield* store.add(sending, now)
      const views = sum(sending.loads)
      sending = undefined
      // Not before: a flush that is cut off leaves its batch to the writer.
      if (size === 0) some.closeUnsafe()
      yield* Metric.update(recorded, views)
      yield* tellDropped
    })

    const persistent = Effect.fnUntraced(function*() {
      for (let pause: number = RETRY.first, told = false; ; pause = Math.min(pause * 2, RETRY.longest)) {
        const written = yield* Effect.catchDefect(Effect.as(step(), true), (cause) =>
          told ? Effect.succeed(false) : Effect.as(Effect.logWarning("Views wait for the database", cause), false))
        if (written) return
        told = true
        yield* Effect.sleep(pause)
      }
    })

    const left = Effect.gen(function*() {
      while (sending !== undefined || leaving.size > 0) yield* persistent()
    })

    /** Returns once everything recorded until now is written; what is recorded meanwhile may wait for others. */
    const flush = lane.withPermits(1)(Effect.gen(function*() {
      // An interrupted flush left some.
      yield* left
      leaving = noted
      noted = new Map()
      yield* left
    }))

    const writing = Effect.gen(function*() {
      yield* some.await
      yield* Effect.race(Effect.sleep(PAUSE), many.await)
      yield* flush
    }).pipe(Effect.forever)

    yield* Effect.addFinalizer(() =>
      Effect.timeoutOption(flush, CLOSING).pipe(Effect.andThen(Effect.suspend(() => {
        for (const readers of [...leaving.values(), ...noted.values()]) dropped += sum(readers.values())
        dropped += sum(sending?.loads ?? [])
        return tellDropped
      })))
    )
    yield* Effect.forkScoped(writing)

    return { record, flush }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
