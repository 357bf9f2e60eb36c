/** A list of records as a tree and as a table, whichever suits it first: one button switches between them, and comments find their place in either. */
import type { Frame, Place, Stage } from "../../stage.ts"
import { tool } from "../../tools.ts"
import type { DataWorker } from "./protocol.ts"
import { makeTable } from "./table/table.ts"
import type { Table } from "./table/table.ts"
import type { Tree } from "./tree/tree.ts"

const WORDS = { tree: "Show as a table", table: "Show as a tree" } as const

export interface WithTableOptions {
  readonly root: HTMLElement
  readonly worker: DataWorker
  readonly frame: Frame
  readonly tree: Tree
  readonly tableFirst: boolean
  /** Called with the table once it is made, before there is anything in it. */
  readonly made: (table: Table) => void
}

export const withTable = async ({ frame, made, root, tableFirst, tree, worker }: WithTableOptions): Promise<Stage> => {
  const table = makeTable(worker, frame)
  made(table)
  let mode: keyof typeof WORDS = location.hash.startsWith("#row=") || (tableFirst && !location.hash.startsWith("#$")) ? "table" : "tree"
  let ready: Promise<void> | undefined
  const ask = (): Promise<void> => ready ??= worker.asTable().then((facts) => {
    table.facts(facts)
    return table.complete()
  })
  const show = async (next: keyof typeof WORDS): Promise<void> => {
    if (mode === next) return
    mode = next
    root.replaceChildren((mode === "tree" ? tree : table).element)
    if (mode === "table") await ask()
    frame.say(mode === "table" ? "Shown as a table" : "Shown as a tree")
  }
  const swap = (): void => void show(mode === "tree" ? "table" : "tree")
  tree.buttons.append(tool({ icon: "table", label: WORDS.tree, key: "v", run: swap }))
  table.buttons.append(tool({ icon: "outline", label: WORDS.table, key: "v", run: swap }))

  // A key that both have acts on the one that is shown.
  const own = tree.keys.filter(({ keys }) => !table.keys.some((other) => other.keys[0] === keys[0]))
  frame.keys(...own, ...table.keys.map((key) => ({
    ...key,
    run: (event: KeyboardEvent) => ((mode === "table" ? undefined : tree.keys.find(({ keys }) => keys[0] === key.keys[0])) ?? key).run(event)
  })), { keys: ["v"], label: "As a table, or as a tree", run: swap })

  if (mode === "table") {
    await ask()
    await table.first()
  }
  root.replaceChildren((mode === "tree" ? tree : table).element)
  tree.follow()

  const now = (): Stage => mode === "table" ? table : tree
  return {
    capture: () => now().capture(),
    picking: async () => now().picking?.(),
    get hint() {
      return now().hint!
    },
    onCapture: (listener) => {
      const stops = [tree.onCapture((...args) => mode === "tree" && listener(...args)), table.onCapture((...args) => mode === "table" && listener(...args))]
      return () => stops.forEach((stop) => stop())
    },
    onLayout: (listener) => {
      const stops = [tree.onLayout(listener), table.onLayout(listener)]
      return () => stops.forEach((stop) => stop())
    },
    find: async (anchor): Promise<Place | undefined> => {
      const inTree = async (): Promise<Place | undefined> => {
        const place = await tree.find(anchor)
        return place && { ...place, top: () => mode === "tree" ? place.top() : undefined, focus: () => void show("tree").then(place.focus) }
      }
      if (anchor.selector) return inTree()
      // The table has no rows before this.
      await ask()
      const place = await table.find(anchor)
      // What stands around the records is in the tree alone.
      if (place === undefined) return anchor.row === undefined ? inTree() : undefined
      return { ...place, top: () => mode === "table" ? place.top() : undefined, focus: () => void show("table").then(place.focus) }
    },
    scrolled: () => now().scrolled?.() ?? 0
  }
}
