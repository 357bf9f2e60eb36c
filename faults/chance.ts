/** Chance that can be repeated: the same choices for the same seed. */

/** mulberry32 */
const random = (seed: number) => () => {
  seed = (seed + 0x6D2B79F5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

export type Chance = ReturnType<typeof chance>

export const chance = (seed: number) => {
  const next = random(seed)
  const below = (many: number): number => Math.floor(next() * many)
  return {
    below,
    one: <A>(all: ReadonlyArray<A>): A => all[below(all.length)]!,
    some: <A>(all: ReadonlyArray<A>): A | undefined => all[below(all.length)],
    happens: (share: number): boolean => next() < share
  }
}
