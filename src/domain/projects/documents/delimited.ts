/** Parses delimited text (RFC 4180 and common variations): on the server for pages and excerpts, in the viewer for the rest. */

const DELIMITERS = [",", ";", "\t", "|"]

export interface Dialect {
  /** One ASCII character. */
  readonly delimiter: string
  /** Where the rows begin: after a `sep=` line, if there is one. */
  readonly start: number
  /** Whether the first row names the columns. */
  readonly header: boolean
}

const [QUOTE, FEED, RETURN] = [34, 10, 13]
const SAMPLE = 100

/** The row that begins at `start`, and where the next one begins. A quote counts only as a cell's first character. */
export const rowAt = (text: string, start: number, delimiter: string): readonly [cells: Array<string>, next: number] => {
  const sign = delimiter.charCodeAt(0)
  const cells: Array<string> = []
  for (let at = start;;) {
    let cell = ""
    if (text.charCodeAt(at) === QUOTE) {
      for (at++;;) {
        const close = text.indexOf("\"", at)
        const end = close === -1 ? text.length : close
        cell += text.slice(at, end)
        at = Math.min(end + 1, text.length)
        if (close === -1 || text.charCodeAt(at) !== QUOTE) break
        cell += "\""
        at++
      }
    }
    let end = at
    for (; end < text.length; end++) {
      const unit = text.charCodeAt(end)
      if (unit === sign || unit === FEED || unit === RETURN) break
    }
    cells.push(cell === "" ? text.slice(at, end) : cell + text.slice(at, end))
    if (end >= text.length || text.charCodeAt(end) !== sign) {
      const pair = text.charCodeAt(end) === RETURN && text.charCodeAt(end + 1) === FEED
      return [cells, Math.min(end + (pair ? 2 : 1), text.length)]
    }
    at = end + 1
  }
}

export const rowsOf = (text: string, delimiter: string, most = Infinity): Array<Array<string>> => {
  const rows: Array<Array<string>> = []
  for (let at = 0; at < text.length && rows.length < most;) {
    const [cells, next] = rowAt(text, at, delimiter)
    rows.push(cells)
    at = next
  }
  return rows
}

/** The most common number of cells in a row, and the share of the rows that have it. */
const agreement = (rows: ReadonlyArray<ReadonlyArray<string>>): readonly [width: number, part: number] => {
  const counts = new Map<number, number>()
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1)
  const [width, count] = [...counts].reduce((best, one) => one[1] > best[1] ? one : best, [1, 0])
  return [width, count / Math.max(1, rows.length)]
}

const isValue = (cell: string): boolean =>
  cell.trim() === "" || /^[+-]?[$€£]?\s?\d[\d.,\s]*(?:e[+-]?\d+)?\s?%?$/i.test(cell) || /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b/.test(cell) ||
  /^(?:true|false)$/i.test(cell)

const isYear = (cell = ""): boolean => /^\s*(?:19\d\d|20\d\d|2100)\s*$/.test(cell)

/** Whether these cells are years, rising or falling in steps of at most ten, each above a value that is not a year itself. */
const areYears = (columns: ReadonlyArray<number>, [first = [], ...below]: ReadonlyArray<ReadonlyArray<string>>): boolean => {
  const steps = columns.slice(1).map((column, at) => Number(first[column]) - Number(first[columns[at]!]))
  const goesOn = steps.length > 0 && [1, -1].some((way) => steps.every((step) => step * way > 0 && step * way <= 10))
  return goesOn && columns.every((column) => below.some(({ [column]: cell = "" }) => cell.trim() !== "" && isValue(cell) && !isYear(cell)))
}

/** Whether these columns, below their names, hold values and nothing else. */
const holdValues = (columns: ReadonlyArray<number>, [, ...below]: ReadonlyArray<ReadonlyArray<string>>): boolean =>
  columns.every((column) => below.every(({ [column]: cell = "" }) => isValue(cell)) && below.some(({ [column]: cell = "" }) => cell.trim() !== ""))

/** Many programs end each row with a delimiter; spreadsheets make all as long as the longest. */
const filledOf = (cells: ReadonlyArray<string>): ReadonlyArray<string> => cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1)

/** A single row is one too: the answer to a query that found nothing. */
const isHeader = (rows: ReadonlyArray<ReadonlyArray<string>>): boolean => {
  const [first = []] = rows
  const names = filledOf(first)
  const columns = [...names.keys()]
  const blank = columns.filter((at) => names[at]!.trim() === "" && at > 0)
  const values = columns.filter((at) => isValue(names[at]!) && names[at]!.trim() !== "")
  const isNamed = values.length === 0 || (values[0]! > 0 && values.every((at) => isYear(names[at])) && areYears(values, rows))
  // Names may be missing or repeated above a table of nothing but values.
  const areOwn = (blank.length === 0 && new Set(names).size === names.length) || holdValues(columns.slice(1), rows)
  return names.length > (rows.length > 1 ? 0 : 1) && isNamed && areOwn
}

/** A cell whose only comma is between digits. */
const IN_DECIMALS = /^[^,]*\d,\d[^,]*$/

/** The `sep=` line, which tells spreadsheets the delimiter. */
const SAID = /^("?)sep=([\t !#-~])\1(?:\r\n?|\n|$)/i

/** Detects the dialect from a file's beginning. */
export const dialectOf = (text: string): Dialect => {
  const [line = "", , said] = SAID.exec(text) ?? []
  const rest = text.slice(line.length)
  let best: { readonly delimiter: string; readonly rows: Array<Array<string>>; readonly score: number } | undefined
  for (const delimiter of said === undefined ? DELIMITERS : [said]) {
    const read = rowsOf(rest, delimiter, SAMPLE)
    // The last row may have been cut off.
    const rows = read.length > 2 ? read.slice(0, -1) : read
    const [width, part] = agreement(rows)
    const score = width > 1 ? part + Math.min(width, 50) / 1_000 : 0
    // If semicolons split every row and commas occur only inside numbers, the commas are decimal, though they would score higher.
    const isDecimal = delimiter === ";" && score > 1 && rows.every((cells) => cells.every((cell) => !cell.includes(",") || IN_DECIMALS.test(cell)))
    if (best === undefined || score > best.score || isDecimal) best = { delimiter, rows, score }
  }
  // Banks begin with lines about the account, narrower than the table by far or apart from it, programs with comments; R leaves out
  // one name, that of the rows'.
  const filled = best!.rows.map(filledOf)
  const [first, ...below] = filled
  const [width] = agreement(filled)
  const isApart = below.slice(0, 10).some((cells, at) => at + 1 < below.length && cells.length === 0)
  const isPreamble = first !== undefined && (first.length < width - 1 || (first.length < width && (first[0]?.startsWith("#") === true || isApart)))
  return { delimiter: best!.delimiter, start: line.length, header: !isPreamble && isHeader(best!.rows) }
}
