/** How work grows with what it is given, by the processor's time: a pause of the machine counts for nothing. */

/** Long enough for clocks that tick some hundred times a second. */
const ENOUGH = 20_000

const spent = (work: () => unknown, times: number): number => {
  const before = process.threadCpuUsage().user
  for (let time = 0; time < times; time++) work()
  return process.threadCpuUsage().user - before
}

/** How many times as long one takes as the other: by turns, and the middle of three, since what is new to the engine is slow at first. */
export const ratio = (work: () => unknown, other: () => unknown): number => {
  let times = 1
  while (spent(other, times) < ENOUGH) times *= 2
  return Array.from({ length: 3 }, () => spent(work, times) / spent(other, times)).sort((one, two) => one - two)[1]!
}

/** How many times as long four times as much takes: 4 where it grows alike, 16 where with the square. */
export const growth = (work: (size: number) => unknown, size: number): number => ratio(() => work(4 * size), () => work(size))
