/** Finds a value of an earlier version in this one: at its path, or in another item of a list that it was in. Pure. */
import { digitsOf, inDigits } from "./json-numbers.ts"
import type { Path } from "./paths.ts"

/** A value as it is copied and quoted. */
export const valueText = (value: unknown): string =>
  typeof value === "string" ? digitsOf(value) ?? value : inDigits(JSON.stringify(value, undefined, 2) ?? "")

/** More values than fit in a quote. */
const MOST = 400

/** The beginning of that text, without serialising all of a large value. */
const beginning = (value: unknown): string => {
  let left = MOST
  if (typeof value === "string") return valueText(value)
  return inDigits(JSON.stringify(value, (_, one: unknown) => --left < 0 ? undefined : Array.isArray(one) ? one.slice(0, MOST) : one, 2) ?? "")
}

const isFolded = (value: unknown): boolean => typeof value === "object" && value !== null

/** `at` returns undefined where there is no such path. */
export const movedTo = (path: Path, quote: string | undefined, at: (path: Path) => unknown): Path | undefined => {
  const own = at(path)
  if (quote === undefined || quote === "") return own === undefined ? undefined : path
  // A quote cut in the middle of a character ends in a replacement character.
  const wanted = quote.replace(/\uFFFD$/, "")
  const says = (value: unknown): boolean => value !== undefined && beginning(value).startsWith(wanted)
  if (says(own)) return path
  // Items before it may have been added or removed: one step of the path differs, and the value is the same.
  for (let step = path.length - 1; step >= 0; step--) {
    const key = path[step]
    const list = typeof key === "number" ? at(path.slice(0, step)) : undefined
    if (typeof key !== "number" || !Array.isArray(list)) continue
    let best: number | undefined
    for (let index = 0; index < list.length; index++) {
      const closer = best === undefined || Math.abs(index - key) < Math.abs(best - key)
      if (closer && says(at(path.with(step, index)))) best = index
    }
    if (best !== undefined) return path.with(step, best)
  }
  // A key is the same place with another value, and so is an object that changed; a value in a list is not.
  return own !== undefined && (isFolded(own) || path.every((key) => typeof key === "string")) ? path : undefined
}
