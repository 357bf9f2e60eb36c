/**
 * Whether the pack store belongs to this database.
 *
 * Each holds the id of its deployment: the database since it was created, the store since the first start with it. A store
 * without an id is claimed by a database that knows some of its packs; an empty store by the first database.
 */
import { Effect, Option, Stream } from "effect"
import type { Unavailable } from "../failures.ts"
import { Packs } from "../ports/packs.ts"
import type { StoredPack } from "../ports/packs.ts"
import { PackStore } from "./store.ts"

const AT_ONCE = 500

export interface Belonging {
  /** The deployment of the database. */
  readonly database: string
  /** The deployment of the packs; none if the store holds no id and the database knows none of its packs. */
  readonly packs: Option.Option<string>
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
  const database = yield* (yield* PackStore).deployment
  const said = yield* packs.deployment
  if (Option.isSome(said)) return { database, packs: said }
  const known = yield* knowsSome(packs.list)
  const takes = Option.getOrElse(known, () => true)
  return { database, packs: takes ? Option.some(yield* packs.claim(database)) : Option.none() }
}).pipe(Effect.withSpan("belonging"))
