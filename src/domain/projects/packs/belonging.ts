/**
 * Whether the pack store belongs to this database.
 *
 * Each holds the id of its deployment: the database since it was created, the store since the first start with it. A store
 * without an id is claimed by a database that knows some of its packs; an empty store by the first database that knows no packs. To one
 * that knows some, an empty store is a disk that is not mounted, or a bucket that they were not copied to.
 */
import { Context, Effect, Option, Stream } from "effect"
import { Unavailable } from "../../failures.ts"
import { Packs } from "../../ports/packs.ts"
import type { StoredPack } from "../../ports/packs.ts"
import { PackStore } from "../store.ts"

const AT_ONCE = 500

export interface Belonging {
  /** The deployment of the database. */
  readonly database: string
  /** The deployment of the packs; none if the store holds no id, and no pack that the database knows. */
  readonly packs: Option.Option<string>
  /** How many packs the database knows where the store is empty. */
  readonly missing: number
}

export const areOurs = ({ database, packs }: Belonging): boolean => Option.isSome(packs) && packs.value === database

/** Whether the database knows any of these packs; none if the list is empty. Stops at the first batch with a known one. */
export const knowsSome = Effect.fnUntraced(function*(listed: Stream.Stream<StoredPack, Unavailable>) {
  const store = yield* PackStore
  return yield* listed.pipe(
    Stream.grouped(AT_ONCE),
    Stream.mapEffect((batch) => Effect.map(store.known(batch.map(({ id }) => id)), (known) => known.size > 0)),
    Stream.takeUntil((known) => known),
    Stream.runFold(Option.none<boolean>, (_, known) => Option.some(known))
  )
})

export const belonging = Effect.gen(function*() {
  const packs = yield* Packs
  const store = yield* PackStore
  const database = yield* store.deployment
  const said = yield* packs.deployment
  if (Option.isSome(said)) return { database, packs: said, missing: 0 }
  // Counted before they are listed: a pack is stored before it is known, also by another instance that starts at this moment.
  const count = yield* store.count
  const known = yield* knowsSome(packs.list)
  const takes = Option.getOrElse(known, () => count === 0)
  return {
    database,
    packs: takes ? Option.some(yield* packs.claim(database)) : Option.none(),
    missing: Option.isNone(known) ? count : 0
  }
}).pipe(Effect.withSpan("belonging"))

/** Fails while the store cannot be reached or written, and while it is not this database's: its disk may be gone from beneath it. */
export const packsReady = Effect.gen(function*() {
  const packs = yield* Packs
  const store = yield* PackStore
  const both = Context.make(PackStore, store).pipe(Context.add(Packs, packs))
  // Read once: the packs have to be told apart from a database that is away.
  const database = yield* store.deployment
  return Effect.gen(function*() {
    const said = yield* packs.ready
    const found = Option.isSome(said) ? { database, packs: said, missing: 0 } : yield* Effect.provideContext(belonging, both)
    if (areOurs(found)) return
    yield* Effect.logError("Blob store: what is there is not this database's")
    return yield* new Unavailable({ message: "Storage is not there right now. Try again in a moment." })
  })
})
