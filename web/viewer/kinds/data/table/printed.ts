/** A table as it goes on paper: as many tables as its columns need to fit on a sheet, each of which then numbers its rows. */
import type { Columns } from "./columns.ts"
import { made } from "../dom.ts"
import { COLUMNS, WIDTH } from "../paper.ts"
import type { Cells } from "../protocol.ts"

/** `first` is the record that is number 1. */
export const printed = (columns: Columns, { cells, records }: Cells, first: number): HTMLElement => {
  const { all } = columns
  const groups = columns.groups(Math.min(all.length, COLUMNS), WIDTH)
  const numbered = (scope: string, text: string): ReadonlyArray<HTMLElement> => groups.length > 1 ? [made("th", "", { scope }, text)] : []
  const tables = groups.map(([from, to]) => made("table", "", { lang: "" },
    made("thead", "", {}, made("tr", "", {}, ...numbered("col", "Row"), ...all.slice(from, to).map(({ name }) => made("th", "", { scope: "col" }, name)))),
    made("tbody", "", {}, ...cells.map((row, at) => made("tr", "", {}, ...numbered("row", (records[at]! - first + 1).toLocaleString()), ...row.slice(from, to).map((cell) => made("td", "", {}, cell)))))))
  return made("div", "", {}, ...tables, ...(all.length > COLUMNS ? [made("p", "more", {}, `These are the first ${COLUMNS} of ${all.length.toLocaleString()} columns. Download the file for all of them.`)] : []))
}
