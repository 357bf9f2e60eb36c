/** Deletes packs that no version names any more, once nobody can still read them or publish their contents again. */
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import { inBatches } from "../../batches.ts"
import { Packs } from "../../ports/packs.ts"
import { areOurs, belonging, knowsSome } from "./belonging.ts"
import { GUARD } from "../rules.ts"
import { PackStore } from "../store.ts"

const AT_ONCE = 500

export class Collection extends Context.Service<Collection>()("svc/domain/projects/Collection", {
  make: Effect.gen(function*() {
    const store = yield* PackStore
    const packs = yield* Packs
    const both = Context.make(PackStore, store).pipe(Context.add(Packs, packs))

    /** Rows are deleted first: bytes without a row are found again as strays, but a row without bytes would be a broken page. */
    const collectUnnamed = Effect.fn("Collection.collectUnnamed")(function*() {
      const cutoff = DateTime.subtract(yield* DateTime.now, GUARD)
      return yield* inBatches(AT_ONCE, store.forget(cutoff, AT_ONCE).pipe(
        Effect.tap((ids) => Effect.forEach(ids, packs.remove, { concurrency: 4, discard: true })),
        Effect.map((ids) => ids.length)
      ))
    })

    /**
     * Deletes packs without a row: left by a publish that was killed between making its bytes durable and its commit. To another
     * deployment's database every pack looks like that, so ownership is checked each time, and a database that knows none of
     * the packs deletes none.
     */
    const collectStrays = Effect.fn("Collection.collectStrays")(function*() {
      const cutoff = DateTime.subtract(yield* DateTime.now, GUARD)
      const old = Stream.filter(packs.list, (pack) => DateTime.isLessThan(pack.storedAt, cutoff))
      const found = yield* belonging
      if (!areOurs(found)) {
        yield* Effect.logError("no stray pack is removed: the packs are not this database's").pipe(
          Effect.annotateLogs({ database: found.database, packs: Option.getOrElse(found.packs, () => "unknown") })
        )
        return 0
      }
      const known = yield* knowsSome(old)
      if (Option.isNone(known)) return 0
      if (!known.value) {
        yield* Effect.logError("no stray pack is removed: the database knows none of all that are older than a day")
        return 0
      }
      return yield* old.pipe(
        Stream.grouped(AT_ONCE),
        Stream.mapEffect(Effect.fnUntraced(function*(batch) {
          const known = yield* store.known(batch.map((pack) => pack.id))
          const strays = batch.filter((pack) => !known.has(pack.id))
          yield* Effect.forEach(strays, (pack) => packs.remove(pack.id), { discard: true })
          return strays.length
        })),
        Stream.runSum
      )
    }, Effect.provideContext(both))

    return { collectUnnamed, collectStrays }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
