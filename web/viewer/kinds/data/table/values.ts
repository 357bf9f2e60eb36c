/** What the texts of a column mean: its type, judged by a sample, and a number for each to compare it by. Pure. */

export type ColumnType = "number" | "date" | "time" | "boolean" | "text"

export interface Shape {
  readonly type: ColumnType
  /** Texts as numbers; NaN for those that are not. */
  readonly keyOf: (text: string) => number
}

/** Texts that stand for no value at all. */
const isMissing = (text: string): boolean => /^(?:|[-.\u2013\u2014]|#?n\/?a|null|nan|none)$/i.test(text)
/** The share of the present values that must fit a type. */
const ENOUGH = 0.9

const POINT = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}|\d+)?(?:\.\d*)?(?:e[+-]?\d{1,4})?$/i
const COMMA = /^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)?(?:,\d*)?$/
/** `(500)` and `$(500)`, as accounts write what is below zero. */
const BRACKETED = /^(\p{Sc}?)\s?\(([^()]+)\)(\s?[%\p{Sc}]?)$/u
/** Currencies as they stand beside amounts. */
const CURRENCY = "(?:[A-Z]{0,2}\\p{Sc}|USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|TRY|ILS|KRW|SGD|HKD|kr\\.?|zł|Kč|Fr\\.?|Rs\\.?|R\\$)"
const BEFORE = new RegExp(`^([+-]?)\\s?${CURRENCY}\\s?([+-]?)(?=[\\d.,])`, "u")
const AFTER = new RegExp(`(?<=[\\d.,])\\s?(?:%|${CURRENCY})$`, "u")
const bare = (text: string): string =>
  text.trim().replace(BRACKETED, "-$1$2$3").replaceAll("\u2212", "-").replace(BEFORE, "$1$2").replace(AFTER, "")
    .replace(/(\d)[ \u00a0\u2009\u202f'\u2019](?=\d{3}(?!\d))/g, "$1")

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

const POWERS: Readonly<Record<string, number>> = { "": 0, k: 1, m: 2, g: 3, t: 4, p: 5 }
const SIZE = /^(.*\d)\s?(?:([kmgtp]?)i?b|bytes?)$/i
const AMOUNT = /^(.*\d)\s?(k|M|Mn|Mio\.?|B|G|bn|Mrd\.?|T)(\s?\p{Sc})?$/iu
const THOUSANDS: Readonly<Record<string, number>> = { k: 1, m: 2, mn: 2, mio: 2, b: 3, g: 3, bn: 3, mrd: 3, t: 4, "": 0 }
/** `1.5 GB` beside plain numbers of bytes, `$1.2M` beside plain amounts. */
const sized = (read: Shape["keyOf"]) => (text: string): number => {
  const [, number = text, unit = ""] = SIZE.exec(text.trim()) ?? []
  return read(number) * 1024 ** POWERS[unit.toLowerCase()]!
}
const rounded = (read: Shape["keyOf"]) => (text: string): number => {
  const [, number = text, unit = "", currency = ""] = AMOUNT.exec(text.trim()) ?? []
  return read(number + currency) * 1000 ** THOUSANDS[unit.toLowerCase().replace(".", "")]!
}
/** `512B` beside `4.0K`, as `du` and `ls` write sizes, where B is never billions. */
const LISTED = /^(\d+)B$|^(\d\.\d|\d{2,4})([KMGTP])$/
const areListed = (texts: ReadonlyArray<string>): boolean =>
  texts.every((text) => LISTED.test(text)) && texts.some((text) => text.endsWith("K")) && texts.some((text) => /^(?:0|\d{2,})B$/.test(text))
const listed = (text: string): number => {
  const [, bytes, number = bytes, unit = ""] = LISTED.exec(text.trim()) ?? []
  return Number(number) * 1024 ** POWERS[unit.toLowerCase()]!
}

const ISO = /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|年(\d{1,2})月(\d{1,2})日)(?:(?:[T ]|(?<=日))(\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i
const TIME = "(\\d{1,2}):(\\d{2})(?::(\\d{2}))?(?:\\s?([ap])\\.?m\\.?)?"
const CLOCK = `(?:[ ,T:]+${TIME})?`
const PARTS = new RegExp(`^(\\d{1,2})(?:[./](\\d{1,2})[./](\\d{4}|\\d{2})|-(\\d{1,2})-(\\d{4}))${CLOCK}$`, "i")
/** `5 Jan 2024`, `28 de octubre de 2022` and `January 5, 2024`, all after a weekday perhaps; then a month alone, of a year or of any. */
const DAY_MONTH = new RegExp(`^(?:\\p{L}{3,12},?\\s)?(\\d{1,2})(?:er|st|nd|rd|th)?[ \\-/.]+(?:de\\s)?(\\p{L}{3,12})[ \\-/.,]+(?:de\\s)?(\\d{4}|\\d{2})${CLOCK}(?:\\s(?:Z|UTC|GMT|([+-]\\d{2})(\\d{2})))?$`, "iu")
const MONTH_DAY = new RegExp(`^(?:[a-z]{3,9},?\\s)?([a-z]{3,9})\\.?\\s(\\d{1,2})(?:st|nd|rd|th)?,?\\s(\\d{4})${CLOCK}$`, "i")
const MONTH = /^(\p{L}{3,12})\.?(?:[ \-/.,]+(?:de\s)?(\d{4})|[-'\u2019](\d{2}))?$/iu
/** `Q3 2025`, `2025-Q3`, `FY25 Q3`, `Q3/25`, `3Q25`, and the same of half years. */
const QUARTER = /^(?:([QH])([1-4])|([1-4])([QH]))[ \-/]?(?:(?:FY|')[ ]?)?(\d{4}|\d{2})$|^(?:FY[ ]?)?(\d{4}|\d{2})[ \-/]?([QH])([1-4])$/i
const DAYTIME = new RegExp(`^${TIME}$`, "i")
const LASTING = /^(?:(?:\d+:)?\d+:\d{2}(?:\.\d+)?|(?:\d+(?:[.,]\d+)?\s?(?:d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?|ms)\.?,?\s?)+)$/
const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

/** The first one wins where two languages write different months the same way. */
const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sv", "da", "nb", "fi", "ru", "uk", "tr"]
const WRITTEN: ReadonlyArray<Intl.DateTimeFormatOptions> = [{ month: "long" }, { month: "short" }, { month: "long", day: "numeric" }, { month: "short", day: "numeric" }]
let months: Map<string, number> | undefined
/** From 1; NaN for other words. */
const monthOf = (word: string): number => {
  months ??= new Map(LANGUAGES.toReversed().flatMap((language) => WRITTEN.flatMap((written) => {
    const format = new Intl.DateTimeFormat(language, { ...written, timeZone: "UTC" })
    return Array.from({ length: 12 }, (_, at) => [format.formatToParts(Date.UTC(2024, at, 5)).find(({ type }) => type === "month")!.value.toLowerCase().replace(/\.$/, ""), at + 1] as const)
  })))
  return months.get(word.toLowerCase()) ?? (word.toLowerCase() === "sept" ? 9 : NaN)
}

const iso = (text: string): number => {
  const [, year, , month, day, cjkMonth, cjkDay, time, zone = "Z"] = ISO.exec(text.trim()) ?? []
  if (year === undefined) return NaN
  const date = [year, month ?? cjkMonth, day ?? cjkDay].map((part) => part!.padStart(2, "0")).join("-")
  // A text without a zone is read as UTC, like every other row's, so that the order does not depend on the reader's zone.
  return Date.parse(time === undefined ? date : `${date}T${time.replace(",", ".")}${zone.replace(/UTC/i, "Z").replace(/^([+-]\d{2})(\d{2})?$/, (_, hours: string, minutes = "00") => `${hours}:${minutes}`)}`)
}
/** Of two digits, those from 70 on are of the last century. */
const yearOf = (digits: string): number => Number(digits) + (digits.length > 2 ? 0 : Number(digits) < 70 ? 2000 : 1900)
/** `month`: from 1. `clock`: hours, minutes, seconds, whether before or after noon, and the zone's hours and minutes. */
const moment = (year: string, month: number, day: number, clock: ReadonlyArray<string | undefined>): number => {
  const [hour = "0", minute = "0", second = "0", half, ahead = "+0", minutes = "0"] = clock
  const hours = (half === undefined ? Number(hour) : Number(hour) % 12 + (half.toLowerCase() === "p" ? 12 : 0)) - Number(ahead)
  const past = Number(minute) - Number(`${ahead[0]}${minutes}`)
  return !(month >= 1 && month <= 12) || day > 31 ? NaN : Date.UTC(yearOf(year), month - 1, day, hours, past, Number(second))
}
const parted = (dayFirst: boolean) => (text: string): number => {
  const [, a, b, year, dashedB, dashedYear, ...clock] = PARTS.exec(text.trim()) ?? []
  if (a === undefined) return NaN
  const [day, month] = dayFirst ? [a, b ?? dashedB] : [b ?? dashedB, a]
  return moment((year ?? dashedYear)!, Number(month), Number(day), clock)
}
const worded = (text: string): number => {
  const trimmed = text.trim()
  const dayFirst = DAY_MONTH.exec(trimmed)
  const [, a = "", b = "", year = "", ...clock] = dayFirst ?? MONTH_DAY.exec(trimmed) ?? []
  const [day, name] = dayFirst === null ? [b, a] : [a, b]
  return name === "" ? NaN : moment(year, monthOf(name), Number(day), clock)
}
const monthly = (text: string): number => {
  const [, name, year, short] = MONTH.exec(text.trim()) ?? []
  return name === undefined ? NaN : moment(year ?? short ?? "2000", monthOf(name), 1, [])
}
const quarterly = (text: string): number => {
  const [, first, firstAt, second, secondAt, year, before, third, thirdAt] = QUARTER.exec(text.trim()) ?? []
  const at = Number(firstAt ?? second ?? thirdAt)
  const months = /h/i.test(first ?? secondAt ?? third ?? "") ? 6 : 3
  return Number.isNaN(at) || months * at > 12 ? NaN : moment((year ?? before)!, months * (at - 1) + 1, 1, [])
}
/** From midnight on. */
const daytime = (text: string): number => {
  const [, ...clock] = DAYTIME.exec(text.trim()) ?? []
  return clock.length === 0 ? NaN : moment("1970", 1, 1, clock)
}
/** `3h 20m`, and `1:02:03` beside `3:45`, which is in minutes there. */
const lasting = (text: string): number => {
  const trimmed = text.trim()
  if (!LASTING.test(trimmed)) return NaN
  if (trimmed.includes(":")) return trimmed.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 1000
  return [...trimmed.matchAll(/(\d+(?:[.,]\d+)?)\s?(ms|[dhms])/g)].reduce((sum, [, number, unit]) => sum + Number(number!.replace(",", ".")) * UNIT_MS[unit!]!, 0)
}
const truth = (text: string): number => /^\s*(?:true|yes)\s*$/i.test(text) ? 1 : /^\s*(?:false|no)\s*$/i.test(text) ? 0 : NaN

export const TEXT: Shape = { type: "text", keyOf: () => NaN }

/** The earlier one wins where two read a column equally well. */
const SHAPES: ReadonlyArray<Shape> = [
  { type: "number", keyOf: pointed },
  { type: "number", keyOf: commaed },
  { type: "date", keyOf: iso },
  { type: "date", keyOf: worded },
  { type: "date", keyOf: monthly },
  { type: "date", keyOf: quarterly },
  { type: "time", keyOf: daytime },
  ...[sized, rounded].flatMap((scaled): ReadonlyArray<Shape> => [pointed, commaed].map((read) => ({ type: "number", keyOf: scaled(read) }))),
  { type: "time", keyOf: lasting },
  { type: "boolean", keyOf: truth }
]

const DAY = 86_400_000

/**
 * What a reader who types this text beside a column's values means, from when on and up to when: of dates a whole day, month or year. Written
 * another way than the column's it is read all the same. NaN where it is no such value.
 */
export const meantBy = (text: string, { keyOf, type }: Shape): readonly [from: number, to: number] => {
  const [, year, month] = type === "date" ? /^\s*(\d{4})(?:[-/.](\d{1,2}))?\s*$/.exec(text) ?? [] : []
  if (year !== undefined) return month === undefined ? [Date.UTC(+year, 0), Date.UTC(+year + 1, 0)] : [Date.UTC(+year, +month - 1), Date.UTC(+year, +month)]
  const ways = [keyOf, ...SHAPES.filter((shape) => shape.type === type).map((shape) => shape.keyOf)]
  const from = ways.map((read) => read(text)).find((key) => !Number.isNaN(key)) ?? NaN
  if (type !== "date" || text.includes(":")) return [from, from]
  const first = new Date(from)
  const months = !Number.isNaN(monthly(text)) ? 1 : Number.isNaN(quarterly(text)) ? 0 : /h/i.test(text) ? 6 : 3
  return [from, months === 0 ? from + DAY : Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months)]
}

export const shapeOf = (sample: ReadonlyArray<string>): Shape => {
  const texts = sample.map((text) => text.trim()).filter((text) => !isMissing(text))
  if (texts.length === 0) return TEXT
  // Texts that begin with a zero are names (postcodes, phone numbers), and so are those with more digits than a double holds.
  const named = texts.some((text) => (/^[(+\u2212-]?0\d/.test(text) && !PARTS.test(text)) || /^[+-]?\d{16,}$/.test(text))
  const dotted = texts.every((text) => !text.includes("/"))
  const dates: ReadonlyArray<Shape> = [{ type: "date", keyOf: parted(dotted) }, { type: "date", keyOf: parted(!dotted) }]
  // Where some are as long as hours, the shorter ones are minutes, and none is a time of day.
  const lengths = texts.some((text) => /^\d+:\d{2}$/.test(text)) && texts.some((text) => /^\d+:\d{2}:\d{2}$/.test(text))
  let best: { readonly shape: Shape; readonly part: number } = { shape: TEXT, part: 0 }
  if (areListed(texts)) return { type: "number", keyOf: listed }
  for (const shape of [...SHAPES, ...dates]) {
    if ((named && shape.type === "number") || (lengths && shape.keyOf === daytime)) continue
    const part = texts.filter((text) => !Number.isNaN(shape.keyOf(text))).length / texts.length
    if (part > best.part) best = { shape, part }
    if (part === 1) break
  }
  return best.part >= ENOUGH ? best.shape : TEXT
}
