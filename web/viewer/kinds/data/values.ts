/** What the texts of a column mean: its type, judged by a sample, and a number for each to compare it by. Pure. */

export type ColumnType = "number" | "date" | "boolean" | "text"

export interface Shape {
  readonly type: ColumnType
  /** Texts as numbers; NaN for those that are not. */
  readonly keyOf: (text: string) => number
}

/** Texts that stand for no value at all. */
const isMissing = (text: string): boolean => /^(?:|-|n\/?a|null|nan|none)$/i.test(text)
/** The share of the present values that must fit a type. */
const ENOUGH = 0.9

const POINT = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:e[+-]?\d{1,4})?$/i
const COMMA = /^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)?(?:,\d*)?$/
/** `(500)` and `$(500)`, as accounts write what is below zero. */
const BRACKETED = /^([$€£¥]?)\s?\(([^()]+)\)(\s?[%€]?)$/
const bare = (text: string): string =>
  text.trim().replace(BRACKETED, "-$1$2$3").replaceAll("\u2212", "-").replace(/^([+-]?)\s?[$€£¥]\s?/, "$1").replace(/\s?[%€]$/, "")
    .replace(/(\d)[ \u00a0\u202f](?=\d{3}(?!\d))/g, "$1")

const pointed = (text: string): number => {
  // The common case.
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  const digits = bare(text)
  return /\d/.test(digits) && POINT.test(digits) ? Number(digits.replaceAll(",", "")) : NaN
}
const commaed = (text: string): number => {
  const digits = bare(text)
  return /\d/.test(digits) && COMMA.test(digits) ? Number(digits.replaceAll(".", "").replace(",", ".")) : NaN
}

const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s?(?:Z|UTC|[+-]\d{2}:?\d{2})?)?$/i
const PARTS = /^(\d{1,2})[./](\d{1,2})[./](\d{4}|\d{2})(?:[ ,T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

const iso = (text: string): number => {
  const trimmed = text.trim()
  if (!ISO.test(trimmed)) return NaN
  const [, day, rest = ""] = /^(\S{10})[T ]?(.*)$/i.exec(trimmed)!
  const time = rest.replace(",", ".").replace(/\s?UTC$/i, "Z").replace(" ", "")
  // A text without a zone is read as UTC, like every other row's, so that the order does not depend on the reader's zone.
  return Date.parse(time === "" ? day! : `${day}T${/(?:Z|[+-]\d{2}:?\d{2})$/i.test(time) ? time : `${time}Z`}`)
}
/** Of two digits, those from 70 on are of the last century. */
const yearOf = (digits: string): number => Number(digits) + (digits.length > 2 ? 0 : Number(digits) < 70 ? 2000 : 1900)
const parted = (dayFirst: boolean) => (text: string): number => {
  const [, a = "", b = "", year = "", hour = "0", minute = "0", second = "0"] = PARTS.exec(text.trim()) ?? []
  if (a === "") return NaN
  const [day, month] = dayFirst ? [Number(a), Number(b)] : [Number(b), Number(a)]
  return month > 12 || day > 31 ? NaN : Date.UTC(yearOf(year), month - 1, day, Number(hour), Number(minute), Number(second))
}
const truth = (text: string): number => /^\s*(?:true|yes)\s*$/i.test(text) ? 1 : /^\s*(?:false|no)\s*$/i.test(text) ? 0 : NaN

export const TEXT: Shape = { type: "text", keyOf: () => NaN }

/** The earlier one wins where two read a column equally well. */
const SHAPES: ReadonlyArray<Shape> = [
  { type: "number", keyOf: pointed },
  { type: "number", keyOf: commaed },
  { type: "date", keyOf: iso },
  { type: "boolean", keyOf: truth }
]

export const shapeOf = (sample: ReadonlyArray<string>): Shape => {
  const texts = sample.map((text) => text.trim()).filter((text) => !isMissing(text))
  if (texts.length === 0) return TEXT
  // Texts that begin with a zero are names (postcodes, phone numbers), and so are those with more digits than a double holds.
  const named = texts.some((text) => (/^[(+\u2212-]?0\d/.test(text) && !PARTS.test(text)) || /^[+-]?\d{16,}$/.test(text))
  const dotted = texts.every((text) => !text.includes("/"))
  const dates: ReadonlyArray<Shape> = [{ type: "date", keyOf: parted(dotted) }, { type: "date", keyOf: parted(!dotted) }]
  let best: { readonly shape: Shape; readonly part: number } = { shape: TEXT, part: 0 }
  for (const shape of [...SHAPES, ...dates]) {
    if (named && shape.type === "number") continue
    const part = texts.filter((text) => !Number.isNaN(shape.keyOf(text))).length / texts.length
    if (part > best.part) best = { shape, part }
  }
  return best.part >= ENOUGH ? best.shape : TEXT
}
