/** A tree: a window of its unfolded rows, moved through by keys; its search, copying, and the anchors of comments. */
import { isCommand } from "../../../browser-keys.ts"
import { clip, refuse } from "../../../clipboard.ts"
import { listeners } from "../../../listeners.ts"
import type { Anchor, Frame, Key, Stage } from "../../../stage.ts"
import { textSize } from "../../../text-size.ts"
import { tool } from "../../../tools.ts"
import { made, mark } from "../dom.ts"
import { QUOTE } from "../json/json-places.ts"
import type { TreeRow } from "../json/json-tree.ts"
import { takesPageKeys } from "../page-keys.ts"
import { printsRows, ROWS as PRINTED } from "../paper.ts"
import type { DataWorker } from "../protocol.ts"
import { makeRows } from "../rows.ts"
import { makeStrip } from "../strip.ts"
import { makeBlocks } from "./tree-blocks.ts"
import { canFold, fillRow, makeRow } from "./tree-rows.ts"
import { makeTreeSearch } from "./tree-search.ts"
import { treeSeats } from "./tree-seats.ts"
import { showWhole } from "../whole.ts"

/** In px at the common text size. */
const ROW = 28

export interface Tree extends Stage {
  readonly element: HTMLElement
  readonly buttons: HTMLElement
  readonly keys: ReadonlyArray<Key>
  /** Goes to the place that the address names. */
  readonly follow: () => void
}

export const makeTree = (worker: DataWorker, { facts: { name }, say, tell }: Frame, atFirst: number): Tree => {
  const captured = listeners<[Anchor | undefined, DOMRect | undefined]>()
  const layout = listeners<[]>()
  const strip = makeStrip("Find in keys and values")
  const told = made("span", "told path")
  strip.coming.append(told)
  const element = made("div", "tree", { role: "tree", tabindex: "0", "aria-label": name, lang: "" })
  const canvas = made("div", "canvas", { role: "presentation" })
  element.append(canvas)

  let count = atFirst
  let active = -1
  let pointed = -1
  let anchor: Anchor | undefined
  let picking = Promise.resolve()
  const blocks = makeBlocks(worker, () => rows.draw())

  const rows = makeRows({
    scroller: element, canvas, height: ROW * textSize(), head: () => 0, foot: 16, make: makeRow,
    fill: (row, index) => fillRow(row, index, blocks.row(index), index === active, index === pointed),
    before: (from, to) => {
      blocks.want(from, to)
      queueMicrotask(() => {
        mark(element, "aria-activedescendant", active >= 0 && document.getElementById(`node-${active}`) !== null ? `node-${active}` : undefined)
        layout.tell()
      })
    }
  })
  rows.set(count)

  const rectOf = (): DOMRect | undefined => rows.element(active)?.querySelector(".value")?.getBoundingClientRect()
  const know = async (at: number): Promise<void> => {
    const { path, value, prefix, suffix } = await worker.place(at).catch(() => ({ path: "", value: "", prefix: "", suffix: "" }))
    if (at !== active) return
    anchor = path === "" ? undefined : { path: "/", selector: path, ...(value !== "" && { quote: value.slice(0, QUOTE).toWellFormed(), prefix, suffix }) }
    told.textContent = path
    told.title = path
    captured.tell(anchor, rectOf())
  }
  const pick = (index: number, middle = false): void => {
    active = Math.max(0, Math.min(count - 1, index))
    rows.reveal(active, middle)
    picking = know(active)
  }

  let turn: Promise<unknown> = Promise.resolve()
  /** One after the other: what moves in the rows counts on where the one before has left them. */
  const inTurn = <A>(move: () => A | Promise<A>): Promise<A> => {
    const done = turn.then(move)
    turn = done.catch(() => undefined)
    return done
  }
  /** Folds or unfolds, and goes to the row that was meant, if there is one. */
  const arrive = async (unfolding: ReturnType<DataWorker["reveal"]>): Promise<number> => {
    const { index, rows: next } = await unfolding
    count = next
    // What is shown stays until its new facts are here, so that nothing flickers.
    blocks.renew((at) => rows.element(at) !== undefined)
    rows.set(count)
    void seats.settle()
    if (index >= 0) pick(index, true)
    return index
  }
  const goTo = (path: string): Promise<number> => inTurn(() => arrive(worker.reveal(path)))
  const seats = treeSeats({
    worker, rows, goTo,
    age: blocks.age,
    moved: layout.tell,
    pointAt: (index) => {
      pointed = index
      rows.draw()
    }
  })

  const copy = (what: "path" | "value"): void => {
    const place = inTurn(() => active < 0 ? refuse("Pick a row first.")() : worker.place(active).catch(refuse("That is too much to copy at once.")))
    void clip(tell, place.then((found) => found[what]), `Copied the ${what}`)
  }
  const openWhole = async (): Promise<void> => {
    const place = active < 0 ? undefined : await worker.place(active).catch(() => undefined)
    if (place !== undefined) showWhole(place.path, place.value, (text, told) => void clip((words) => (say(words), told(words)), text, "Copied the value"))
  }
  /** What is active, where it folds. */
  const folding = async (): Promise<TreeRow | undefined> => {
    const facts = await blocks.known(active)
    return facts !== undefined && canFold(facts) ? facts : undefined
  }

  const from = (): number => active < 0 ? rows.first() : active
  const moves: Readonly<Record<string, () => unknown>> = {
    ArrowDown: () => pick(active + 1),
    ArrowUp: () => pick(active - 1),
    PageDown: () => pick(from() + rows.turn(1)),
    PageUp: () => pick(from() + rows.turn(-1)),
    Home: () => pick(0),
    End: () => pick(count - 1),
    ArrowRight: async () => {
      const one = await folding()
      if (one?.open === true) pick(active + 1)
      else if (one !== undefined) await arrive(worker.fold(one.id, true))
    },
    ArrowLeft: async () => {
      const one = await folding()
      if (one?.open === true) await arrive(worker.fold(one.id, false))
      else if (active > 0) pick(await worker.parent(active))
    },
    " ": async () => {
      const one = await folding()
      if (one !== undefined) await arrive(worker.fold(one.id, !one.open))
    },
    Enter: openWhole
  }
  element.addEventListener("keydown", (event) => {
    if (event.target !== element || event.altKey) return
    const { ctrlKey, key, metaKey } = event
    const copies = isCommand(event, "c")
    if (!copies && (ctrlKey || metaKey || !Object.hasOwn(moves, key))) return
    event.preventDefault()
    if (copies) copy("value")
    else void inTurn(() => active < 0 && /^(?:Arrow| $)/.test(key) ? pick(from()) : moves[key]!())
  })
  takesPageKeys(element)
  element.addEventListener("click", (event) => {
    const node = event.target instanceof Element ? event.target.closest<HTMLElement>(".node") : null
    if (node === null) return
    const [id, open] = [Number(node.dataset["node"]), node.getAttribute("aria-expanded")]
    const folds = open !== null && (event.target as Element).closest(".twist, .key, .value") !== null && getSelection()?.isCollapsed !== false
    void inTurn(async () => {
      if (folds) return void await arrive(worker.fold(id, open === "false"))
      const index = await worker.rowWith(id)
      if (index >= 0) pick(index)
    })
  })
  element.addEventListener("dblclick", (event) => {
    if (event.target instanceof Element && event.target.closest(".node:not([aria-expanded])") !== null) void inTurn(openWhole)
  })

  const search = makeTreeSearch({ strip, worker, say, found: (unfold) => inTurn(() => arrive(unfold())), left: () => element.focus() })
  const unfold = async (all: boolean): Promise<void> => {
    await inTurn(() => arrive(worker.unfold(all)))
    say(all ? "Unfolded" : "Folded")
  }
  strip.buttons.append(
    ...search.steps,
    tool({ icon: "plus", label: "Unfold", key: "e", run: () => void unfold(true) }),
    tool({ icon: "minus", label: "Fold", key: "w", run: () => void unfold(false) }),
    tool({ icon: "link", label: "Copy the path", key: "p", run: () => copy("path") }),
    tool({ icon: "copy", label: "Copy the value", key: "Ctrl+C", run: () => copy("value") })
  )

  const pane = made("div", "pane", {}, strip.element, element)
  printsRows(pane, () => count, async () => made("div", "tree", {}, ...(await worker.tree(0, Math.min(count, PRINTED))).map((facts, at) => {
    const row = makeRow()
    fillRow(row, at, facts, false, false)
    row.removeAttribute("id")
    return row
  })))

  return {
    element: pane,
    buttons: strip.buttons,
    find: seats.find,
    capture: () => anchor,
    picking: async () => {
      await turn
      await picking
    },
    hint: "Pick a line to comment on it, or write below.",
    onCapture: captured.add,
    onLayout: layout.add,
    scrolled: () => element.scrollTop,
    follow: () => {
      const hash = /^#(\$.*)$/.exec(location.hash)?.[1]
      if (hash === undefined) return
      try {
        void goTo(decodeURIComponent(hash))
      } catch {
        // Not a hash that we wrote.
      }
    },
    keys: [
      { keys: ["/"], label: "Find in keys and values", run: () => strip.field.focus() },
      { keys: ["e"], label: "Unfold all", run: () => void unfold(true) },
      { keys: ["w"], label: "Fold all", run: () => void unfold(false) },
      { keys: ["p"], label: "Copy the path", run: () => copy("path") }
    ]
  }
}
