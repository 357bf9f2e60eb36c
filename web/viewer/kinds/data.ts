/** The data viewer: a table of any length or a tree of any depth, shown while a worker is still reading it. */
import "./data.css"
import { nothing, unshown } from "../stage.ts"
import type { Frame, OpenKind, Stage } from "../stage.ts"
import { showBroken } from "./data/broken.ts"
import { startWorker } from "./data/protocol.ts"
import type { News } from "./data/protocol.ts"
import { progressText } from "../progress.ts"
import { makeTable } from "./data/table/table.ts"
import type { Table } from "./data/table/table.ts"
import { makeTree } from "./data/tree/tree.ts"

const FAILED: Readonly<Record<string, string>> = {
  "too big": "This file is too big for this browser. Download it instead."
}
const LOST = "The rest did not arrive. Reload the page to try again."

const failed = ({ newer, notice }: Frame, { message }: Error): void => message === "newer" ? newer() : notice(FAILED[message] ?? LOST)

const openTable = (root: HTMLElement, frame: Frame): Stage => {
  const { bytes, pinned, type } = frame.facts
  if (bytes === 0) return nothing
  const started = performance.now()
  let shown = false
  const hear = ({ bytes, facts, rows, total }: News): void => {
    if (facts !== undefined) table.facts(facts)
    if (total === 0) return
    table.grown(rows)
    table.coming.textContent = progressText(bytes, total, performance.now() - started)
    if (shown || rows === 0) return
    shown = true
    void table.first().finally(() => {
      root.replaceChildren(table.element)
      root.dataset["rows"] = String(Math.round(performance.now()))
    })
  }
  const worker = startWorker(hear)
  const table: Table = makeTable(worker, frame)
  frame.keys(...table.keys)
  worker.open("csv", pinned, type, bytes).then(async (opened) => {
    table.coming.textContent = ""
    if (opened.is !== "table" || opened.facts === undefined) return
    table.facts(opened.facts)
    await table.complete()
    if (!shown) root.replaceChildren(table.element)
    root.dataset["whole"] = ""
    if (opened.unclosed) frame.notice("The last row opens a quote that never closes, so it may hold more than one row.")
  }).catch((error: Error) => {
    table.coming.textContent = ""
    table.ended()
    failed(frame, error)
  })
  return table
}

const openTree = async (root: HTMLElement, frame: Frame): Promise<Stage> => {
  const { bytes, pinned, type } = frame.facts
  const line = root.querySelector(".strip")
  const started = performance.now()
  const worker = startWorker(({ bytes, facts, total }) => {
    if (facts !== undefined) table?.facts(facts)
    else if (line !== null) line.textContent = progressText(bytes, total, performance.now() - started)
  })
  let table: Table | undefined
  const opened = await worker.open(root.dataset["format"]!, pinned, type, bytes).catch((error: Error) => failed(frame, error))
  if (opened === undefined) return unshown
  if (opened.is === "broken") return showBroken(root, opened, frame)
  if (opened.is !== "tree") return nothing
  if (opened.twice) frame.notice("It says a name twice in one object. Only the last value of such a name is shown; the download has them all.")
  const tree = makeTree(worker, frame, opened.rows)
  if (opened.table === "none") {
    root.replaceChildren(tree.element)
    frame.keys(...tree.keys)
    tree.follow()
    root.dataset["whole"] = ""
    return tree
  }
  const { withTable } = await import("./data/both.ts")
  const stage = await withTable({ root, worker, frame, tree, tableFirst: opened.table === "first", made: (next) => (table = next) })
  root.dataset["whole"] = ""
  return stage
}

export const open: OpenKind = (frame) => {
  const root = document.getElementById("data")!
  return root.dataset["format"] === "csv" ? openTable(root, frame) : openTree(root, frame)
}
