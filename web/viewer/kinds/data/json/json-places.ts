/** Finds a value of an earlier version in this one: at its path, or in another item of a list that it was in, by what is beside it. Pure. */
import type { Quoted } from "../../../text-anchor.ts"
import { FEW } from "../table/beside.ts"
import { digitsOf, inDigits } from "./json-numbers.ts"
import type { Path } from "./paths.ts"

/** A value as it is copied and quoted. */
export const valueText = (value: unknown): string =>
  typeof value === "string" ? digitsOf(value) ?? value : inDigits(JSON.stringify(value, undefined, 2) ?? "")

/** Characters of a value that an anchor quotes. */
export const QUOTE = 1_000
/** More values than fit in a quote. */
const MOST = 400

/** The beginning of that text, without serialising all of a large value. */
const beginning = (value: unknown): string => {
  let left = MOST
  if (typeof value === "string") return valueText(value)
  return inDigits(JSON.stringify(value, (_, one: unknown) => --left < 0 ? undefined : Array.isArray(one) ? one.slice(0, MOST) : one, 2) ?? "")
}

const isFolded = (value: unknown): value is object => typeof value === "object" && value !== null

/** Undefined where there is no such path. */
type ValueAt = (path: Path) => unknown

/** How many values on either side identify one, and how many characters of each. */
const [BESIDE, EACH] = [4, 40]
/** Of the values on a side, only so many are looked at, so deep; of a list's items, so many on either side are compared. */
const [LOOKED_AT, DEEP] = [500, 20]

const saidAs = (name: string | undefined, value: unknown): string =>
  `${name === undefined ? "" : `${name}: `}${valueText(value).slice(0, 2 * EACH)}`.replace(/[\s\0]+/g, " ").slice(0, EACH).toWellFormed()

/** What is said on one side of a value, outwards, by values that are no objects or lists. */
class Side {
  readonly said: Array<string> = []
  readonly #by: 1 | -1
  #left = LOOKED_AT

  constructor(by: 1 | -1) {
    this.#by = by
  }

  /** Adds what is beside a key; without one, all from that end; with a depth, also what objects and lists hold. */
  add(parent: unknown, key?: string | number, deep = 0): this {
    if (!isFolded(parent)) return this
    const keys = Array.isArray(parent) ? undefined : Object.keys(parent)
    const count = keys?.length ?? (parent as ReadonlyArray<unknown>).length
    const from = key === undefined ? this.#by === 1 ? -1 : count : keys?.indexOf(String(key)) ?? Number(key)
    for (let index = from + this.#by; index >= 0 && index < count && this.said.length < BESIDE && this.#left-- > 0; index += this.#by) {
      const name = keys?.[index]
      const value = (parent as Record<string | number, unknown>)[name ?? index]
      if (!isFolded(value)) this.said.push(saidAs(name, value))
      else if (deep > 0) this.add(value, undefined, deep - 1)
    }
    return this
  }
}

interface Around {
  readonly before: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
  /** Among values with names, not among a list's own. */
  readonly isNamed: boolean
}

/** What is beside a value, outwards. A plain value with none beside it is known by the others in its item. */
const around = (path: Path, at: ValueAt): Around => {
  const parent = path.length === 0 ? undefined : at(path.slice(0, -1))
  const beside = (by: 1 | -1): ReadonlyArray<string> => new Side(by).add(parent, path.at(-1)).said
  const [before, after] = [beside(-1), beside(1)]
  const item = path.slice(0, -1).findLastIndex((key) => typeof key === "number") + 1
  if (before.length + after.length > 0 || item === 0 || isFolded(at(path))) return { before, after, isNamed: !Array.isArray(parent) }
  const within = (by: 1 | -1): ReadonlyArray<string> => {
    const side = new Side(by)
    for (let depth = path.length - 1; depth >= item; depth--) side.add(at(path.slice(0, depth)), path[depth], DEEP)
    return side.said
  }
  return { before: within(-1), after: within(1), isNamed: true }
}

export const besideOf = (path: Path, at: ValueAt): { readonly prefix: string; readonly suffix: string } => {
  const { after, before } = around(path, at)
  return { prefix: before.toReversed().join("\t"), suffix: after.join("\t") }
}

const sideOf = (text: string): ReadonlyArray<string> => text === "" ? [] : text.split("\t")

/** The lines of an object or list that say something, whatever comes after each. */
const linesOf = (text: string): ReadonlyArray<string> => text.replace(/,$/gm, "").split("\n").filter((line) => /[^\s[\]{}]/.test(line))

const saying = (wanted: ReadonlyArray<string>, now: ReadonlyArray<string>): number => wanted.filter((one) => now.includes(one)).length

export const movedTo = (path: Path, quoted: Quoted | undefined, at: ValueAt): Path | undefined => {
  const own = at(path)
  const { prefix = "", quote = "", suffix = "" } = quoted ?? {}
  if (quote === "") return own === undefined ? undefined : path
  // A key is the same place with another value; a value in a list is not.
  if (own !== undefined && path.every((key) => typeof key === "string")) return path
  const isCut = quote.length >= QUOTE
  // It may have been cut in the middle of a character.
  const wanted = isCut ? quote.replace(/\uFFFD$/, "") : quote
  const says = (value: unknown): boolean => {
    if (value === undefined) return false
    const text = beginning(value)
    return isCut || isFolded(value) ? text.startsWith(wanted) : text === wanted
  }
  const [before, after] = [sideOf(prefix).toReversed(), sideOf(suffix)]
  const whole = before.length + after.length
  /** Values with names are the same wherever they are; others count at their own distance. */
  const same = (wanted: ReadonlyArray<string>, now: ReadonlyArray<string>, isNamed: boolean): number =>
    isNamed ? saying(wanted, now) : wanted.filter((one, index) => now[index] === one).length
  const alike = (one: Path): number => {
    if (whole === 0) return 0
    const now = around(one, at)
    return same(before, now.before, now.isNamed) + same(after, now.after, now.isNamed)
  }
  const isOnly = (one: Path, step: number, amount: (one: Path) => number): boolean => {
    const [key, best] = [Number(one[step]), amount(one)]
    const { length } = at(one.slice(0, step)) as ReadonlyArray<unknown>
    const from = Math.max(0, key - LOOKED_AT)
    const others = Array.from({ length: Math.min(length, key + LOOKED_AT) - from }, (_, index) => from + index)
    return others.every((other) => other === key || amount(one.with(step, other)) < best)
  }
  /** At least half of what it was known by is there, and no other item has as much of it. */
  const isOwn = (one: Path, step: number, amount: (one: Path) => number, all: number): boolean => {
    const best = amount(one)
    return best === all || (best * 2 >= all && isOnly(one, step, amount))
  }
  /** Where a list says nothing twice, the same value with one of its neighbours is the same, however many were added between them. */
  const isSame = (one: Path): boolean => {
    const list = at(one.slice(0, -1))
    if (!Array.isArray(list) || [...before, ...after].includes(saidAs(undefined, wanted))) return false
    const now = around(one, at)
    const texts = list.filter((value) => !isFolded(value)).map(valueText)
    return saying(before, now.before) + saying(after, now.after) > 0 && new Set(texts).size === texts.length
  }

  const isThere = own !== undefined && alike(path) === whole
  if (isThere && says(own)) return path
  // Items before it may have been added or removed: one step of the path differs, and the value is the same.
  const moved: Array<{ readonly step: number; readonly path: Path; readonly alike: number; readonly far: number; readonly isOne: boolean }> = []
  for (let step = path.length - 1; step >= 0; step--) {
    const key = path[step]
    const list = typeof key === "number" ? at(path.slice(0, step)) : undefined
    if (typeof key !== "number" || !Array.isArray(list)) continue
    let best: typeof moved[number] | undefined
    let count = 0
    for (let index = 0; index < list.length; index++) {
      const one = path.with(step, index)
      if (!says(at(one))) continue
      count++
      const now = { step, path: one, alike: alike(one), far: Math.abs(index - key), isOne: true }
      if (best === undefined || now.alike > best.alike) best = now
      else if (now.alike === best.alike) best = { ...(now.far < best.far ? now : best), isOne: false }
    }
    if (best !== undefined) moved.push({ ...best, isOne: best.isOne && count <= FEW })
  }
  const all = moved.filter((one) => one.alike === whole)
  // An anchor written by hand may quote only a few words of a text.
  const mentions = typeof own === "string" && /\p{L}/u.test(wanted) && own.includes(wanted)
  // All beside it is there still: it has changed, unless one other place says all of it, and few say the quote.
  if (isThere && whole > 0 && all.length === 1 && all[0]!.isOne) return all[0]!.path
  if (isThere && mentions) return path
  if (!isThere || whole === 0) {
    const found = all[0] ?? moved.find((one) => isOwn(one.path, one.step, alike, whole) || (one.step === path.length - 1 && isSame(one.path)))
    if (found !== undefined) return found.path
  }
  // Where all that is beside an object or list is still there, or most of its lines are, it was not moved but changed.
  if (!isThere || !isFolded(own)) return undefined
  const told = linesOf(wanted)
  const step = path.findLastIndex((key) => typeof key === "number")
  const lines = (one: Path): number => saying(told, linesOf(beginning(at(one))))
  const isChanged = whole > 0 ? isOnly(path, step, (one) => alike(one) + lines(one)) : told.length > 0 && isOwn(path, step, lines, told.length)
  return isChanged ? path : undefined
}
