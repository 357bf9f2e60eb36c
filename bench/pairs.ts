/** Measuring side by side: every contender once a round, in turn, in reverse order the next round. */

export type Measure = () => Promise<number> | number

/** Every contender's measurement, round by round. */
export type Rounds<Name extends string> = Readonly<Record<Name, ReadonlyArray<number>>>

export const interleaved = async <Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, Measure>>,
  begins: (round: number) => void = () => undefined
): Promise<Rounds<Name>> => {
  const names = Object.keys(contenders) as Array<Name>
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Array<number>>
  for (let round = 0; round < rounds; round++) {
    begins(round + 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) taken[name].push(await contenders[name]())
  }
  return taken
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * Our figure over the peer's, one ratio per two consecutive rounds: ours is measured first in one and the peer first in the
 * other, so that work which either leaves behind for the next (views to write, pages to flush) falls on both alike.
 */
export const ratios = (ours: ReadonlyArray<number>, peer: ReadonlyArray<number>): ReadonlyArray<number> => {
  const rounds = ours.map((value, round) => value / peer[round]!)
  return Array.from({ length: rounds.length >> 1 }, (_, pair) => Math.sqrt(rounds[2 * pair]! * rounds[2 * pair + 1]!))
}

/** For operations too short to be measured once: each round yields the medians of so many turns. */
export const inBlocks = async <Name extends string>(
  rounds: number,
  turns: number,
  contenders: Readonly<Record<Name, Measure>>
): Promise<Rounds<Name>> => {
  const names = Object.keys(contenders) as Array<Name>
  const blocks: Array<Rounds<Name>> = []
  for (let round = 0; round < rounds; round++) blocks.push(await interleaved(turns, contenders))
  return Object.fromEntries(names.map((name) => [name, blocks.map((block) => median(block[name]))])) as unknown as Rounds<Name>
}

export const timed = async (work: () => unknown): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}
