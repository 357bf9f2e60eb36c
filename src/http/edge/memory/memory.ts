/** A cache bounded by weight, for things that never change. */

/** A copy in memory of its own: a view would keep all of a larger buffer, such as a piece of Node's pool, which no weight counts. */
export const alone = (bytes: Uint8Array): Buffer => {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}

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
