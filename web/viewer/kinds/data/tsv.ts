/** Cells as other programs take them from the clipboard. What they say is not changed: it is data. Pure. */

const cell = (text: string): string => /[\t\n\r"]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text

/** One cell alone is its text. */
export const tsv = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.length === 1 && rows[0]!.length === 1 ? rows[0]![0]! : rows.map((cells) => cells.map(cell).join("\t")).join("\n")
