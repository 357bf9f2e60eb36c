/** How work grows with its input, in processor time, which a pause of the machine does not affect. */

/** In microseconds: several times the tick of clocks that go on only some hundred times a second. */
const ENOUGH = 20_000

/** Of this thread, in microseconds. Both parts: systems that tell them apart by ticks may count a short run wholly as one or the other. */
export const busyFor = (): number => {
  const { system, user } = process.threadCpuUsage()
  return user + system
}

/** Of one time, in microseconds; never 0, since it is done until the clock has gone on by ENOUGH. */
const spent = (work: () => unknown): number => {
  const before = busyFor()
  for (let times = 0, more = 1; ; more *= 2) {
    for (let time = 0; time < more; time++) work()
    times += more
    const busy = busyFor() - before
    if (busy >= ENOUGH) return busy / times
  }
}

/**
 * How many times as long one takes as the other: the least of each, in turn, until neither has become faster for three rounds. New code and
 * collections of garbage only ever add; where the machine is busy, code stays new for long, so what comes to `limit` is measured on.
 */
export const ratio = (work: () => unknown, other: () => unknown, limit: number): number => {
  let least: readonly [number, number] = [Infinity, Infinity]
  for (let rounds = 0, still = 0; (still < 3 || least[0] >= limit * least[1]) && rounds < 30; rounds++) {
    const next = [Math.min(least[0], spent(work)), Math.min(least[1], spent(other))] as const
    still = next.every((one, at) => one >= 0.9 * least[at]!) ? still + 1 : 0
    least = next
  }
  return least[0] / least[1]
}

/** How many times as long four times the input takes: 4 if the work is linear, 16 if quadratic. */
export const growth = (work: (size: number) => unknown, size: number, limit = 9): number => ratio(() => work(4 * size), () => work(size), limit)
