/** A cache bounded by weight, for things that never change. */

interface Slot<V> {
  readonly value: V
  readonly weight: number
  used: boolean
}

/**
 * First in, first out, with a second chance for what was asked for again: a hit costs one lookup and one
 * write, and a single pass over a large file does not push out what others keep asking for.
 */
export class Memory<V> {
  readonly #slots = new Map<string, Slot<V>>()
  readonly #limit: number
  #weight = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get weight(): number {
    return this.#weight
  }

  get(key: string): V | undefined {
    const slot = this.#slots.get(key)
    if (slot === undefined) return undefined
    slot.used = true
    return slot.value
  }

  has(key: string): boolean {
    return this.#slots.has(key)
  }

  put(key: string, value: V, weight: number): void {
    const before = this.#slots.get(key)
    if (before !== undefined) {
      this.#slots.delete(key)
      this.#weight -= before.weight
    }
    this.#slots.set(key, { value, weight, used: false })
    this.#weight += weight
    this.#shrink(key)
  }

  /** The newest stays whatever it weighs: it is about to be used. */
  #shrink(newest: string): void {
    if (this.#weight <= this.#limit) return
    for (const [key, slot] of this.#slots) {
      if (this.#weight <= this.#limit) return
      if (key === newest && this.#slots.size === 1) return
      this.#slots.delete(key)
      if (slot.used || key === newest) {
        slot.used = false
        this.#slots.set(key, slot)
      } else {
        this.#weight -= slot.weight
      }
    }
  }
}

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
