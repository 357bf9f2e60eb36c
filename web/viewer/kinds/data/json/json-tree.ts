/** The rows of a tree that are unfolded now, over a value of any size and depth. Pure; not recursive. */
import { digitsOf } from "./json-numbers.ts"
import { shortOf } from "./json-short.ts"
import type { Path } from "./paths.ts"

const SLICE = 100
const PREVIEW = 300

export interface Node {
  /** Of this unfolding: what is folded and unfolded again has others. */
  readonly id: number
  readonly key: string | number | undefined
  readonly value: unknown
  readonly depth: number
  readonly parent: Node | undefined
  /** A part of a long list: start and end (exclusive). */
  readonly part?: readonly [number, number]
  /** Among the rows of its parent, from 1, and how many these are. */
  readonly place: Place
  open: boolean
}

type Place = readonly [at: number, of: number]

export interface TreeRow {
  readonly id: number
  readonly key: string | undefined
  readonly depth: number
  readonly type: "object" | "array" | "part" | "string" | "number" | "boolean" | "null"
  /** For an object or list that is folded: its beginning. */
  readonly text: string
  readonly size: number
  readonly place: Place
  readonly open: boolean
}

const typeOf = (value: unknown): TreeRow["type"] =>
  value === null ? "null" : Array.isArray(value) ? "array" : digitsOf(value) !== undefined ? "number" : typeof value as "object" | "string" | "number" | "boolean"

/** A list has its items alone. */
const has = (value: unknown, key: string | number): value is Record<string | number, unknown> =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key) && !(Array.isArray(value) && key === "length")

export class JsonTree {
  readonly rows: Array<Node>
  #ids = 0
  readonly #keys = new WeakMap<object, ReadonlyArray<string>>()

  constructor(value: unknown) {
    this.rows = [{ id: this.#ids, key: undefined, value, depth: 0, parent: undefined, place: [1, 1], open: false }]
    this.toggle(0)
  }

  keys(value: object): ReadonlyArray<string> {
    let keys = this.#keys.get(value)
    if (keys === undefined) this.#keys.set(value, keys = Object.keys(value))
    return keys
  }

  size({ part, value }: Node): number {
    if (part !== undefined) return part[1] - part[0]
    return Array.isArray(value) ? value.length : typeof value === "object" && value !== null ? this.keys(value).length : 0
  }

  #children(node: Node): Array<Node> {
    const { part: [from, to] = [0, this.size(node)], value } = node
    const depth = node.depth + 1
    const step = SLICE ** Math.max(0, Math.ceil(Math.log(to - from) / Math.log(SLICE) - 1e-9) - 1)
    const at = Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step)
    const placeOf = (index: number): Place => [index + 1, at.length]
    if (step > 1) return at.map((start, index) => ({ id: ++this.#ids, key: undefined, value, depth, parent: node, part: [start, Math.min(to, start + step)], place: placeOf(index), open: false }))
    return at.map((index) => {
      const key = Array.isArray(value) ? index : this.keys(value as object)[index]!
      return { id: ++this.#ids, key, value: (value as Record<string | number, unknown>)[key], depth, parent: node, place: placeOf(index - from), open: false }
    })
  }

  toggle(index: number): void {
    const node = this.rows[index]
    if (node === undefined || this.size(node) === 0) return
    if (node.open) {
      let end = index + 1
      while (end < this.rows.length && this.rows[end]!.depth > node.depth) end++
      this.rows.splice(index + 1, end - index - 1)
    } else this.rows.splice(index + 1, 0, ...this.#children(node))
    node.open = !node.open
  }

  /** -1 where it is folded away. */
  rowWith(id: number): number {
    return this.rows.findIndex((node) => node.id === id)
  }

  /** Unfolds or folds a node, whether it is so already or not. Its row, as by `rowWith`. */
  fold(id: number, open: boolean): number {
    const index = this.rowWith(id)
    if (index !== -1 && this.rows[index]!.open !== open) this.toggle(index)
    return index
  }

  /** Unfolds in reading order until there are this many rows. */
  openAll(most: number): void {
    for (let index = 0; index < this.rows.length && this.rows.length < most; index++) if (!this.rows[index]!.open) this.toggle(index)
  }

  /** Unfolds everything, if that takes no more than this many rows: short documents are read whole. Of a longer one, the first part of its list; false then. */
  openShort(most: number): boolean {
    if (this.#isShort(most)) {
      this.openAll(most)
      return true
    }
    for (let at = 1; this.rows[at]?.part !== undefined; at++) this.toggle(at)
    return false
  }

  #isShort(most: number): boolean {
    const left = [this.rows[0]!.value]
    let count = 0
    for (let value = left.pop(); value !== undefined; value = left.pop()) {
      if (++count > most) return false
      if (typeof value !== "object" || value === null) continue
      const size = Array.isArray(value) ? value.length : this.keys(value).length
      if (count + left.length + size > most) return false
      left.push(...Object.values(value))
    }
    return true
  }

  closeAll(): void {
    if (this.rows[0]!.open) this.toggle(0)
    this.toggle(0)
  }

  row(index: number): TreeRow | undefined {
    const node = this.rows[index]
    if (node === undefined) return undefined
    const { depth, id, key, open, part, place, value } = node
    const type = part === undefined ? typeOf(value) : "part"
    const size = type === "string" ? (value as string).length : this.size(node)
    return { id, key: key === undefined ? undefined : String(key), depth, type, text: this.#text(node, type), size, place, open }
  }

  #text({ open, part, value }: Node, type: TreeRow["type"]): string {
    if (part !== undefined) return `${part[0]} … ${part[1] - 1}`
    if (type === "string") return (value as string).slice(0, PREVIEW)
    if (type === "object" || type === "array") return open ? "" : shortOf(value as object, (one) => this.keys(one))
    const digits = digitsOf(value) ?? String(value)
    return digits.length > PREVIEW ? `${digits.slice(0, PREVIEW)}…` : digits
  }

  path(index: number): Path {
    const path: Array<string | number> = []
    for (let node = this.rows[index]; node !== undefined; node = node.parent) if (node.key !== undefined) path.push(node.key)
    return path.toReversed()
  }

  /** Undefined where there is no such path; no JSON value is undefined. */
  value(path: Path): unknown {
    let value: unknown = this.rows[0]!.value
    for (const key of path) {
      if (!has(value, key)) return undefined
      value = value[key]
    }
    return value
  }

  /** The row of that path; where it is folded away, the row of the nearest ancestor shown. Unfolds nothing. */
  nearest(path: Path): number {
    let index = 0
    for (const key of path) {
      const { value } = this.rows[index]!
      if (typeof value !== "object" || value === null) return index
      const place = Array.isArray(value) ? Number(key) : this.keys(value).indexOf(String(key))
      for (let found = false; !found;) {
        const node = this.rows[index]!
        const next = node.open ? this.#child(index, String(key), place) : -1
        if (next === -1) return index
        index = next
        found = this.rows[index]!.part === undefined
      }
    }
    return index
  }

  /** Among the unfolded children of that row: the part or value that has the key; -1 if there is none. */
  #child(index: number, key: string, place: number): number {
    const depth = this.rows[index]!.depth + 1
    for (let at = index + 1; at < this.rows.length && this.rows[at]!.depth >= depth; at++) {
      const one = this.rows[at]!
      if (one.depth === depth && (one.part === undefined ? String(one.key) === key : one.part[0] <= place && place < one.part[1])) return at
    }
    return -1
  }

  /** Unfolds the way to that path. -1 where it does not exist. */
  reveal(path: Path): number {
    let index = 0
    for (const key of path) {
      const { value } = this.rows[index]!
      if (!has(value, key)) return -1
      const place = Array.isArray(value) ? Number(key) : this.keys(value).indexOf(String(key))
      for (let found = false; !found;) {
        if (!this.rows[index]!.open) this.toggle(index)
        index = this.#child(index, String(key), place)
        found = this.rows[index]!.part === undefined
      }
    }
    return index
  }
}
