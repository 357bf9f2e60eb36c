/** How many tasks run at a time: one for a key, or so many of all. */

/** Concurrent loads of one key share a single load. */
export class Shared<V> {
  readonly #running = new Map<string, Promise<V>>()

  load(key: string, start: () => Promise<V>): Promise<V> {
    const running = this.#running.get(key)
    if (running !== undefined) return running
    const started = start().finally(() => this.#running.delete(key))
    this.#running.set(key, started)
    return started
  }
}

/** At most `width` tasks run at a time; the others wait in order. */
export class Lanes {
  #free: number
  readonly #waiting: Array<() => void> = []

  constructor(width: number) {
    this.#free = width
  }

  get idle(): boolean {
    return this.#free > 0
  }

  get queued(): number {
    return this.#waiting.length
  }

  async run<A>(task: () => Promise<A>): Promise<A> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}
