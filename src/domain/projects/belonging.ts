/**
 * Whether the packs that are there are this database's.
 *
 * Both say of which deployment they are: the database since it was made, the store since the first start with it. A store
 * that does not say yet is taken by a database that knows some of its packs, and an empty one by whoever comes first.
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
  /** That of the packs; none where the store does not say and the database knows none of them. */
  readonly packs: Option.Option<string>
}

export const areOurs = ({ database, packs }: Belonging): boolean => Option.isSome(packs) && packs.value === database

/** Whether the database knows some of these packs; none where there are none. Looks no further than the first it knows. */
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
