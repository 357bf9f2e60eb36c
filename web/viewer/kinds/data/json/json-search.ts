/** Searches words in the keys and values of a JSON, in reading order, with the path to each. Pure; not recursive. */
import type { Path } from "./paths.ts"

/** The path up from a value, shared by everything below it. */
interface Step {
  readonly key: string | number
  readonly up: Step | undefined
}
export type Match = Step | undefined

export const pathTo = (match: Match): Path => {
  const path: Array<string | number> = []
  for (let step = match; step !== undefined; step = step.up) path.push(step.key)
  return path.toReversed()
}

/** One match per value, whether in its key or itself. Yields undefined now and then, so that other work gets a turn. */
export function* search(root: unknown, words: string): Generator<{ readonly match: Match } | undefined> {
  const needle = words.toLowerCase()
  const has = (text: unknown): boolean => (typeof text === "string" ? text : String(text)).toLowerCase().includes(needle)
  const isLeaf = (value: unknown): boolean => typeof value !== "object" || value === null
  if (isLeaf(root) && has(root)) yield { match: undefined }
  const open: Array<{ readonly value: object; readonly keys: ReadonlyArray<string> | undefined; readonly up: Match; at: number }> = []
  const enter = (value: unknown, up: Match): void => {
    if (typeof value === "object" && value !== null) open.push({ value, keys: Array.isArray(value) ? undefined : Object.keys(value), up, at: 0 })
  }
  enter(root, undefined)
  for (let count = 1; open.length > 0; count++) {
    const here = open.at(-1)!
    const key = here.keys === undefined ? here.at : here.keys[here.at]
    if (key === undefined || (here.keys === undefined && here.at >= (here.value as ReadonlyArray<unknown>).length)) {
      open.pop()
      continue
    }
    here.at++
    const value = (here.value as Record<string | number, unknown>)[key]
    const step: Step = { key, up: here.up }
    if ((typeof key === "string" && has(key)) || (isLeaf(value) && has(value))) yield { match: step }
    enter(value, step)
    if (count % 5_000 === 0) yield undefined
  }
}

/** A key and its value, as a line of the file has them. */
const PAIR = /^["']?([^"'\n]+?)["']?\s*:\s*(.+?)\s*,?$/s
const bare = (text: string): string => text.trim().replace(/^(["'])(.*)\1$/s, "$2")

/**
 * Where a value is that was quoted by hand: first by all of its text, then by its line with its key, then by its key, at last by some of its words.
 * `isOnly`: none of several that say the same. Yields undefined now and then; the path is what it returns.
 */
export function* saying(root: unknown, quote: string, textOf: (value: unknown) => string, isOnly: boolean): Generator<undefined, Path | undefined> {
  const words = bare(quote)
  if (words === "") return undefined
  const [, name, value] = PAIR.exec(quote.trim()) ?? []
  const ways: ReadonlyArray<(key: string | number | undefined, value: unknown) => boolean> = [
    (_, one) => textOf(one) === words,
    (key, one) => key === name && name !== undefined && textOf(one) === bare(value!),
    (key) => key === words,
    (_, one) => /\p{L}/u.test(words) && textOf(one).includes(words)
  ]
  const found = ways.map(() => ({ count: 0, match: undefined as Match }))
  for (const needle of new Set([words, ...(name === undefined ? [] : [name])])) {
    for (const one of search(root, needle)) {
      if (one === undefined) {
        yield undefined
        continue
      }
      const { match } = one
      const own = pathTo(match).reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], root)
      const way = ways.findIndex((is) => is(match?.key, typeof own === "object" && own !== null ? undefined : own))
      const best = found[way]
      if (best !== undefined && best.count++ === 0) best.match = match
      if (way === 0 && !isOnly) return pathTo(match)
    }
  }
  const best = found.find(({ count }) => count > 0)
  return best === undefined || (isOnly && best.count > 1) ? undefined : pathTo(best.match)
}
