/** Sorting by ranks: every key becomes a whole number, since browsers sort plain numbers fastest. Stable. Pure. */

/** Up to this many different texts are compared by the reader's language; more than that by their characters alone. */
const COLLATED = 50_000

export interface Ranks {
  readonly of: Float64Array
  /** Ranks from here on sort last in either direction. */
  readonly last: number
}

const before = (sorted: Float64Array, key: number): number => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < key) low = middle + 1
    else high = middle
  }
  return low
}

/** What is not a number comes after the numbers, empty cells at the end. */
export const numberRanks = (keys: Float64Array, isEmpty: (at: number) => boolean): Ranks => {
  const sorted = keys.filter((key) => !Number.isNaN(key)).sort()
  const last = sorted.length
  return { last, of: keys.map((key, at) => Number.isNaN(key) ? isEmpty(at) ? last + 1 : last : before(sorted, key)) }
}

/** `ids` are indexes into `texts`. */
export const textRanks = (ids: Uint32Array, texts: ReadonlyArray<string>): Ranks => {
  const folded = texts.map((text) => text.trim().toLowerCase())
  const collator = new Intl.Collator(undefined, { numeric: true })
  const compare = texts.length <= COLLATED
    ? (a: number, b: number) => collator.compare(texts[a]!, texts[b]!)
    : (a: number, b: number) => folded[a]! < folded[b]! ? -1 : folded[a]! > folded[b]! ? 1 : 0
  const ranks = new Float64Array(texts.length)
  const order = [...texts.keys()].filter((id) => folded[id] !== "").sort(compare)
  order.forEach((id, at) => (ranks[id] = at > 0 && compare(order[at - 1]!, id) === 0 ? ranks[order[at - 1]!]! : at))
  const last = order.length
  folded.forEach((text, id) => text === "" && (ranks[id] = last))
  return { last, of: Float64Array.from(ids, (id) => ranks[id]!) }
}

export const sorted = (records: Uint32Array, { last, of }: Ranks, down: boolean): Uint32Array => {
  const count = records.length
  const places = of.map((rank, at) => (down && rank < last ? last - 1 - rank : rank) * count + at).sort()
  return Uint32Array.from(places, (place) => records[place % count]!)
}
