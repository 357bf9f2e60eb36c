/** Makes a test of cells from what a reader types over a column: words to contain, or `=`, `!=`, `>`, `>=`, `<`, `<=` and a value. Pure. */
import { meantBy } from "./values.ts"
import type { Shape } from "./values.ts"

export type Test = (cell: string) => boolean

const fold = (text: string): string => text.trim().toLowerCase()

const TESTS: Readonly<Record<string, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "!=": (order) => order !== 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0
}

/** Undefined where nothing is asked for yet. */
export const testOf = (typed: string, shape: Shape): Test | undefined => {
  const [, sign, wanted = ""] = /^\s*(!=|>=|<=|=|>|<)([^]*)$/.exec(typed) ?? []
  if (sign === undefined) {
    const needle = fold(typed)
    return needle === "" ? undefined : (cell) => cell.toLowerCase().includes(needle)
  }
  const holds = TESTS[sign]!
  const text = fold(wanted)
  const equality = sign === "=" || sign === "!="
  // `=` alone asks for empty cells.
  if (text === "" && !equality) return undefined
  const [from, to] = meantBy(wanted, shape)
  if (!Number.isNaN(from)) {
    return (cell) => {
      const own = shape.keyOf(cell)
      return Number.isNaN(own) ? sign === "!=" : holds(own < from ? -1 : own === from || own < to ? 0 : 1)
    }
  }
  if (equality) return (cell) => holds(fold(cell) === text ? 0 : 1)
  return (cell) => fold(cell) !== "" && holds(fold(cell) < text ? -1 : fold(cell) > text ? 1 : 0)
}
