/** An array of objects as records: every key is a column, and what they nest is JSON in its cell. */
import { digitsOf, inDigits } from "./json-numbers.ts"
import type { Source } from "../table/source.ts"

const LOOKED_AT = 100

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value)

const isTabular = (value: unknown): value is ReadonlyArray<Record<string, unknown>> =>
  Array.isArray(value) && value.length > 0 && value.slice(0, LOOKED_AT).every(isObject)

/** The records that a file is a table of: itself, or the only list of records in it, as APIs answer `{"results": [ … ]}`. */
export const recordsOf = (value: unknown): ReadonlyArray<Record<string, unknown>> | undefined => {
  if (isTabular(value)) return value
  const [records, other] = isObject(value) ? Object.values(value).filter(isTabular) : []
  return other === undefined ? records : undefined
}

/** Whether its records nest nothing, so that a table reads as well as a tree. */
export const isFlat = (values: ReadonlyArray<Record<string, unknown>>): boolean =>
  values.slice(0, LOOKED_AT).every((one) => Object.values(one).every((cell) => typeof cell !== "object" || cell === null))

/** Whether its records have most of their keys in common, so that few cells of the table are empty. */
export const isUniform = (values: ReadonlyArray<Record<string, unknown>>): boolean => {
  const sizes = values.slice(0, LOOKED_AT).map((one) => Object.keys(one).length)
  const names = new Set(values.slice(0, LOOKED_AT).flatMap((one) => Object.keys(one)))
  return sizes.every((size) => size * 2 >= names.size)
}

const cellText = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "object" ? inDigits(JSON.stringify(value)) : digitsOf(value) ?? String(value)

/** Record 0 holds the column names. */
export const jsonSource = (values: ReadonlyArray<unknown>): Source => {
  const names = new Set<string>()
  for (const one of values) if (isObject(one)) for (const name of Object.keys(one)) names.add(name)
  const columns = [...names]
  const row = (record: number): ReadonlyArray<string> => {
    if (record === 0) return columns
    const one = values[record - 1]
    return isObject(one) ? columns.map((name) => Object.hasOwn(one, name) ? cellText(one[name]) : "") : [cellText(one)]
  }
  return {
    count: () => values.length + 1,
    width: () => columns.length,
    row,
    each: (from, to, visit) => {
      for (let record = from; record < to; record++) visit(record, row(record))
    }
  }
}
