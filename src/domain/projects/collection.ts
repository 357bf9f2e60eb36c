/** Collecting packs that no version names, long enough after the last one did that nobody still reads or revives them. */
import { Context, DateTime, Effect, Layer, Stream } from "effect"
import { inBatches } from "../batches.ts"
import { Packs } from "../ports/packs.ts"
import { GUARD } from "./rules.ts"
import { PackStore } from "./store.ts"

const AT_ONCE = 500

export class Collection extends Context.Service<Collection>()("svc/domain/projects/Collection", {
  make: Effect.gen(function*() {
    const store = yield* PackStore
    const packs = yield* Packs

    /** Rows go first: bytes without a row are found again as strays, a row without bytes would be a torn page. */
    const collectUnnamed = Effect.fn("Collection.collectUnnamed")(function*() {
      const cutoff = DateTime.subtract(yield* DateTime.now, GUARD)
      return yield* inBatches(AT_ONCE, store.forget(cutoff, AT_ONCE).pipe(
        Effect.tap((ids) => Effect.forEach(ids, packs.remove, { concurrency: 4, discard: true })),
        Effect.map((ids) => ids.length)
      ))
    })

    /** Packs that no row knows: a publish was killed between making its bytes durable and its commit. */
    const collectStrays = Effect.fn("Collection.collectStrays")(function*() {
      const cutoff = DateTime.subtract(yield* DateTime.now, GUARD)
      return yield* packs.list.pipe(
        Stream.filter((pack) => DateTime.isLessThan(pack.storedAt, cutoff)),
        Stream.grouped(AT_ONCE),
        Stream.mapEffect(Effect.fnUntraced(function*(batch) {
          const known = yield* store.known(batch.map((pack) => pack.id))
          const strays = batch.filter((pack) => !known.has(pack.id))
          yield* Effect.forEach(strays, (pack) => packs.remove(pack.id), { discard: true })
          return strays.length
        })),
        Stream.runFold(() => 0, (sum, count) => sum + count)
      )
    })

    return { collectUnnamed, collectStrays }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
