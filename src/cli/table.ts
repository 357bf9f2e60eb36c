/** Rows in aligned columns, cut to the terminal's width. */
import { displayWidth } from "effect/cli/CliOutput"

export interface Column {
  readonly title: string
  /** Aligned right, for numbers. */
  readonly right?: boolean
  /** Shrinks when the terminal is narrow. At most one column does. */
  readonly gives?: boolean
  /** Left out where the terminal is too narrow for it, the last such column first; `late`: after all others. */
  readonly spare?: boolean | "late"
}

const GAP = "  "
const LEAST = 8
/** Without a terminal nothing is cut: what is longer moves the rest of its own row, and of no other. */
const MOST = 60

export const cut = (text: string, width: number): string => {
  if (displayWidth(text) <= width) return text
  let kept = ""
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (displayWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** Others' text must not be able to control the terminal, nor turn the rest of its line around. */
export const plain = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ").replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, "")

/** The same where every character counts, such as in the name of a file. */
export const exactly = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => `\\u${sign.codePointAt(0)!.toString(16).padStart(4, "0")}`)

const padded = (text: string, width: number, right: boolean): string => {
  const room = " ".repeat(Math.max(0, width - displayWidth(text)))
  return right ? room + text : text + room
}

/** The first line holds the titles. The width is unlimited without a terminal. */
export const table = (columns: ReadonlyArray<Column>, rows: ReadonlyArray<ReadonlyArray<string>>, wide: number): ReadonlyArray<string> => {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => row.map(plain))]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => displayWidth(row[index] ?? ""))))
  const giving = columns.findIndex(({ gives }) => gives === true)
  const over = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (columns.length - 1) - wide
  const gives = giving === -1 ? 0 : Math.max(0, widths[giving]! - LEAST)
  const next = columns.some((column) => column.spare === true) ? true : "late"
  const spare = columns.findLastIndex((column) => column.spare === next)
  if (over > gives && spare !== -1) return table(columns.toSpliced(spare, 1), rows.map((row) => row.toSpliced(spare, 1)), wide)
  if (over > 0 && gives > 0) widths[giving]! -= Math.min(over, gives)
  const rooms = widths.map((width, index) => index === giving && wide === Infinity ? Math.min(width, MOST) : width)
  return cells.map((row) =>
    columns
      .map((column, index) => padded(index === giving ? cut(row[index] ?? "", widths[index]!) : row[index] ?? "", rooms[index]!, column.right === true))
      .join(GAP)
      .trimEnd()
  )
}

/** Names on the left, values on the right. */
export const facts = (pairs: ReadonlyArray<readonly [name: string, value: string | undefined]>): ReadonlyArray<string> => {
  const shown = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined)
  const width = Math.max(...shown.map(([name]) => displayWidth(name)))
  return shown.map(([name, value]) => `${padded(name, width, false)}${GAP}${plain(value)}`)
}
