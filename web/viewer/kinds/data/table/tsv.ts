/** Cells in the form that other programs take from the clipboard. Their content is not changed: it is data. Pure. */

const cell = (text: string): string => /[\t\n\r"]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text

/** A single cell is just its text. */
export const tsv = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.length === 1 && rows[0]!.length === 1 ? rows[0]![0]! : rows.map((cells) => cells.map(cell).join("\t")).join("\n")
