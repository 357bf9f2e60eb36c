/** Finds a value of an earlier version in this one: at its path, or in another item of a list that it was in, by what is beside it. Pure. */
import type { Quoted } from "../../text-anchor.ts"
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

const isFolded = (value: unknown): boolean => typeof value === "object" && value !== null

/** Undefined where there is no such path. */
type ValueAt = (path: Path) => unknown

/** How many values on either side identify one, and how many characters of each. */
const [BESIDE, EACH] = [4, 40]
/** Of the values on a side, only so many are looked at; of a list's items, so many on either side are compared. */
const LOOKED_AT = 500

/** The values on one side of it that are no objects or lists, outwards. */
const beside = (path: Path, by: 1 | -1, at: ValueAt): ReadonlyArray<string> => {
  const parent = path.length === 0 ? undefined : at(path.slice(0, -1))
  if (!isFolded(parent)) return []
  const keys = Array.isArray(parent) ? undefined : Object.keys(parent as object)
  const count = keys?.length ?? (parent as ReadonlyArray<unknown>).length
  const own = keys?.indexOf(String(path.at(-1))) ?? Number(path.at(-1))
  const found: Array<string> = []
  for (let index = own + by; index >= 0 && index < count && Math.abs(index - own) <= LOOKED_AT && found.length < BESIDE; index += by) {
    const name = keys?.[index]
    const value = (parent as Record<string | number, unknown>)[name ?? index]
    if (isFolded(value)) continue
    const text = `${name === undefined ? "" : `${name}: `}${valueText(value).slice(0, 2 * EACH)}`
    found.push(text.replace(/[\s\0]+/g, " ").slice(0, EACH).toWellFormed())
  }
  return found
}

export const besideOf = (path: Path, at: ValueAt): { readonly prefix: string; readonly suffix: string } =>
  ({ prefix: beside(path, -1, at).toReversed().join("\t"), suffix: beside(path, 1, at).join("\t") })

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
  const same = (wanted: ReadonlyArray<string>, now: ReadonlyArray<string>): number =>
    typeof path.at(-1) === "string" ? saying(wanted, now) : wanted.filter((one, index) => now[index] === one).length
  const alike = (one: Path): number => whole === 0 ? 0 : same(before, beside(one, -1, at)) + same(after, beside(one, 1, at))
  /** At least half of what it was known by is there, and no other item has as much of it. */
  const isOwn = (one: Path, step: number, amount: (one: Path) => number, all: number): boolean => {
    const [key, best] = [Number(one[step]), amount(one)]
    if (best === all) return true
    const { length } = at(one.slice(0, step)) as ReadonlyArray<unknown>
    const from = Math.max(0, key - LOOKED_AT)
    const others = Array.from({ length: Math.min(length, key + LOOKED_AT) - from }, (_, index) => from + index)
    return best * 2 >= all && others.every((other) => other === key || amount(one.with(step, other)) < best)
  }

  const isThere = own !== undefined && alike(path) === whole
  // An anchor written by hand may quote only a few words of a text.
  const mentions = typeof own === "string" && /\p{L}/u.test(wanted) && own.includes(wanted)
  if (isThere && (says(own) || mentions)) return path
  // Where all that is beside it is still there, it was not moved but changed.
  if (isThere && whole > 0) return isFolded(own) ? path : undefined
  // Items before it may have been added or removed: one step of the path differs, and the value is the same.
  for (let step = path.length - 1; step >= 0; step--) {
    const key = path[step]
    const list = typeof key === "number" ? at(path.slice(0, step)) : undefined
    if (typeof key !== "number" || !Array.isArray(list)) continue
    let best: { readonly path: Path; readonly alike: number; readonly far: number } | undefined
    for (let index = 0; index < list.length; index++) {
      const one = path.with(step, index)
      if (!says(at(one))) continue
      const now = { path: one, alike: alike(one), far: Math.abs(index - key) }
      if (best === undefined || now.alike > best.alike || (now.alike === best.alike && now.far < best.far)) best = now
    }
    if (best !== undefined && isOwn(best.path, step, alike, whole)) return best.path
  }
  // An object with nothing beside it that changed a little is known by its lines.
  const told = linesOf(wanted)
  const step = path.findLastIndex((key) => typeof key === "number")
  return isFolded(own) && whole === 0 && told.length > 0 && isOwn(path, step, (one) => saying(told, linesOf(beginning(at(one)))), told.length) ? path : undefined
}
