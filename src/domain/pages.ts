/** A list that goes on by key, page by page. */
import { Effect, Option, Stream } from "effect"

export interface Page<Id extends string = string> {
  /** The id after which the page starts. */
  readonly after: Id | undefined
  readonly limit: number
}

/** `found` is read with a limit of one more than `limit`; where it is that long, another page follows. */
export const pageOf = <Id extends string, A extends { readonly id: Id }>(found: ReadonlyArray<A>, limit: number) => {
  const page = found.slice(0, limit)
  return { page, nextCursor: found.length > page.length ? page.at(-1)!.id : null }
}

/** All of the list: a page is read when the one before it is used up. */
export const every = <Id extends string, A extends { readonly id: Id }, E, R>(
  limit: number,
  read: (page: Page<Id>) => Effect.Effect<ReadonlyArray<A>, E, R>
): Stream.Stream<A, E, R> =>
  Stream.paginate(undefined as Id | undefined, (after) =>
    Effect.map(read({ after, limit }), (page) => [page, page.length < limit ? Option.none() : Option.some(page.at(-1)!.id)] as const))
