/** Prints a table or a tree: on screen only the rows near the window exist, on paper the first of all of them. */
import { asksToPrint } from "../../browser-keys.ts"
import { made } from "./dom.ts"

/** Rows and columns that go on paper: some thirty pages. */
export const [ROWS, COLUMNS] = [1_000, 100]
/** In px: browsers make a page this wide small enough for a sheet, and cut off what is beyond. */
export const WIDTH = 1_000

/** `rows` makes what goes on paper; `count` is how many rows there are. */
export const printsRows = (pane: HTMLElement, count: () => number, rows: () => Promise<HTMLElement>): void =>
  addEventListener("keydown", (event) => {
    if (!asksToPrint(event) || !pane.isConnected) return
    event.preventDefault()
    void rows().then((all) => {
      const rest = count() > ROWS && made("p", "more", {}, `These are the first ${ROWS.toLocaleString()} of ${count().toLocaleString()} rows. Download the file for all of them.`)
      const paper = made("div", "paper", {}, all, ...(rest === false ? [] : [rest]))
      pane.after(paper)
      addEventListener("afterprint", () => paper.remove(), { once: true })
      print()
    })
  })
