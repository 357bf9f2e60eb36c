/** One page of a list that goes on by key. */

/** `found` is read with a limit of one more than `limit`; where it is that long, another page follows. */
export const pageOf = <Id extends string, A extends { readonly id: Id }>(found: ReadonlyArray<A>, limit: number) => {
  const page = found.slice(0, limit)
  return { page, nextCursor: found.length > page.length ? page.at(-1)!.id : null }
}
