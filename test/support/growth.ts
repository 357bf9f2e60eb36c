/** How work grows with its input, in processor time, which a pause of the machine does not affect. */

/** In microseconds; long enough for clocks that tick only some hundred times a second. */
const ENOUGH = 20_000

/** Of this thread, in microseconds. Both parts: systems that tell them apart by ticks may count a short run wholly as one or the other. */
export const busyFor = (): number => {
  const { system, user } = process.threadCpuUsage()
  return user + system
}

const spent = (work: () => unknown, times: number): number => {
  const before = busyFor()
  for (let time = 0; time < times; time++) work()
  return busyFor() - before
}

/** How many times as long one takes as the other: in turn, the median of three, since code that is new to the engine is slow at first. */
export const ratio = (work: () => unknown, other: () => unknown): number => {
  let times = 1
  while (spent(other, times) < ENOUGH) times *= 2
  return Array.from({ length: 3 }, () => spent(work, times) / spent(other, times)).sort((one, two) => one - two)[1]!
}

/** How many times as long four times the input takes: 4 if the work is linear, 16 if quadratic. */
export const growth = (work: (size: number) => unknown, size: number): number => ratio(() => work(4 * size), () => work(size))
