/** A tree: a window of its unfolded rows, moved through by keys; its search, copying, and the anchors of comments. */
import { clip } from "../../clipboard.ts"
import { listeners } from "../../listeners.ts"
import type { Anchor, Frame, Key, Place, Stage } from "../../stage.ts"
import { quotedIn } from "../../text-anchor.ts"
import { textSize } from "../../text-size.ts"
import { tool } from "../../tools.ts"
import { made, mark } from "./dom.ts"
import { QUOTE } from "./json-places.ts"
import type { TreeRow } from "./json-tree.ts"
import type { DataWorker } from "./protocol.ts"
import { makeRows } from "./rows.ts"
import { makeStrip } from "./strip.ts"
import { canFold, fillRow, makeRow } from "./tree-rows.ts"
import { makeTreeSearch } from "./tree-search.ts"
import { showWhole } from "./whole.ts"

/** In px at the common text size. */
const ROW = 28
const BLOCK = 100

interface Seat {
  readonly path: string
  index: number
  /** Whether it is its own row, not that of an ancestor. */
  own: boolean
}

export interface Tree extends Stage {
  readonly element: HTMLElement
  readonly buttons: HTMLElement
  readonly keys: ReadonlyArray<Key>
  /** Goes to the place that the address names. */
  readonly follow: () => void
}

export const makeTree = (worker: DataWorker, { facts: { name }, say }: Frame, atFirst: number): Tree => {
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
  let blocks = new Map<number, ReadonlyArray<TreeRow>>()
  const asked = new Set<number>()
  let age = 0

  const load = (block: number): void => {
    if (blocks.has(block) || asked.has(block)) return
    const mine = age
    asked.add(block)
    void worker.tree(block * BLOCK, (block + 1) * BLOCK).then((made) => {
      if (mine !== age) return
      asked.delete(block)
      blocks.set(block, made)
      rows.draw()
    })
  }
  const rowOf = (index: number): TreeRow | undefined => blocks.get(Math.floor(index / BLOCK))?.[index % BLOCK]

  const rows = makeRows({
    scroller: element, canvas, height: ROW * textSize(), head: () => 0, foot: 16, make: makeRow,
    fill: (row, index) => fillRow(row, index, rowOf(index), index === active, index === pointed),
    before: (from, to) => {
      for (let block = Math.floor(from / BLOCK); block * BLOCK < to; block++) load(block)
      queueMicrotask(() => {
        mark(element, "aria-activedescendant", active >= 0 && document.getElementById(`node-${active}`) !== null ? `node-${active}` : undefined)
        layout.tell()
      })
    }
  })
  rows.set(count)

  const changed = (next: number): void => {
    age++
    count = next
    // What is shown stays until its new facts are here, so that nothing flickers.
    asked.clear()
    const before = blocks
    blocks = new Map()
    for (const block of before.keys()) if (rows.element(block * BLOCK) !== undefined) load(block)
    rows.set(count)
    void settle()
  }
  /** The rows of the commented places, or of what they are folded away in. */
  const seats = new Map<Anchor, Seat>()
  const settle = async (): Promise<void> => {
    const mine = age
    const wanted = [...seats.values()]
    if (wanted.length === 0) return
    const found = await worker.nearest(wanted.map(({ path }) => path))
    // Folded or unfolded meanwhile: that asks again.
    if (mine !== age) return
    wanted.forEach((seat, at) => Object.assign(seat, found[at]))
    layout.tell()
  }
  const rectOf = (): DOMRect | undefined => rows.element(active)?.querySelector(".value")?.getBoundingClientRect()
  const pick = (index: number, middle = false): Promise<void> => {
    active = Math.max(0, Math.min(count - 1, index))
    rows.reveal(active, middle)
    return picking = know(active)
  }
  const know = async (at: number): Promise<void> => {
    const { path, value, prefix, suffix } = await worker.place(at).catch(() => ({ path: "", value: "", prefix: "", suffix: "" }))
    if (at !== active) return
    anchor = path === "" ? undefined : { path: "/", selector: path, ...(value !== "" && { quote: value.slice(0, QUOTE).toWellFormed(), prefix, suffix }) }
    told.textContent = path
    told.title = path
    captured.tell(anchor, rectOf())
  }
  const foldThenPick = async (folded: Promise<number>, index: number): Promise<void> => {
    changed(await folded)
    await pick(index)
  }
  const toggle = (index: number): Promise<void> => picking = foldThenPick(worker.toggle(index), index)
  /** Goes to a row that the worker has unfolded. */
  const arrive = async ({ index, rows }: { readonly index: number; readonly rows: number }): Promise<void> => {
    changed(rows)
    if (index >= 0) await pick(index, true)
  }

  const copy = async (what: "path" | "value"): Promise<void> => {
    if (active < 0) return say("Pick a row first.")
    const place = await worker.place(active).catch(() => undefined)
    if (place === undefined) return say("That is too much to copy at once.")
    await clip(say, place[what], `Copied the ${what}`)
  }
  const openWhole = async (): Promise<void> => {
    const place = await worker.place(active).catch(() => undefined)
    if (place !== undefined) showWhole(place.path, place.value, (text) => void clip(say, text, "Copied the value"))
  }

  element.addEventListener("keydown", (event) => {
    if (event.target !== element || event.altKey) return
    const { ctrlKey, key, metaKey } = event
    if ((ctrlKey || metaKey) && key === "c") void copy("value")
    else if (ctrlKey || metaKey) return
    else {
      const facts = rowOf(active)
      const folds = facts !== undefined && canFold(facts)
      const page = rows.page()
      if (key === "ArrowDown") void pick(active + 1)
      else if (key === "ArrowUp") void pick(active - 1)
      else if (key === "PageDown") void pick(active + page)
      else if (key === "PageUp") void pick(active - page)
      else if (key === "Home") void pick(0)
      else if (key === "End") void pick(count - 1)
      else if (key === "ArrowRight") {
        if (folds && !facts.open) void toggle(active)
        else if (folds) void pick(active + 1)
      } else if (key === "ArrowLeft") {
        if (folds && facts.open) void toggle(active)
        else if (active > 0) void worker.parent(active).then((index) => pick(index))
      } else if (key === " " && folds) void toggle(active)
      else if (key === "Enter" && active >= 0) void openWhole()
      else return
    }
    event.preventDefault()
  })
  element.addEventListener("click", (event) => {
    const node = event.target instanceof Element ? event.target.closest(".node") : null
    if (node === null) return
    const index = Number(node.id.slice("node-".length))
    const folds = node.hasAttribute("aria-expanded")
    if (folds && (event.target as Element).closest(".twist, .key, .value") !== null && getSelection()?.isCollapsed !== false) void toggle(index)
    else void pick(index)
  })
  element.addEventListener("dblclick", (event) => {
    if (event.target instanceof Element && event.target.closest(".node:not([aria-expanded])") !== null) void openWhole()
  })

  const search = makeTreeSearch({ strip, worker, say, found: arrive, left: () => element.focus() })
  const unfold = async (all: boolean): Promise<void> => {
    await (picking = foldThenPick(worker.unfold(all), 0))
    say(all ? "Unfolded" : "Folded")
  }
  strip.buttons.append(
    ...search.steps,
    tool({ icon: "plus", label: "Unfold", key: "e", run: () => void unfold(true) }),
    tool({ icon: "minus", label: "Fold", key: "w", run: () => void unfold(false) }),
    tool({ icon: "link", label: "Copy the path", key: "p", run: () => void copy("path") }),
    tool({ icon: "copy", label: "Copy the value", key: "Ctrl+C", run: () => void copy("value") })
  )

  const goTo = async (path: string): Promise<number> => {
    const place = await worker.reveal(path)
    await arrive(place)
    return place.index
  }
  const find = async (anchor: Anchor): Promise<Place | undefined> => {
    const path = anchor.selector?.startsWith("$") ? await worker.sought(anchor.selector, quotedIn(anchor)) : undefined
    if (path === undefined) return undefined
    const seat: Seat = { path, index: 0, own: false }
    seats.set(anchor, seat)
    await settle()
    return {
      top: () => rows.place(seat.index),
      range: () => {
        const value = seat.own ? rows.element(seat.index)?.querySelector(".value") : undefined
        if (value == null || value.textContent === "") return undefined
        const range = document.createRange()
        range.selectNodeContents(value)
        return range
      },
      forget: () => seats.delete(anchor),
      focus: () => void goTo(path).then((at) => {
        pointed = at
        rows.draw()
      }),
      clear: () => {
        pointed = -1
        rows.draw()
      }
    }
  }

  return {
    element: made("div", "pane", {}, strip.element, element),
    buttons: strip.buttons,
    find,
    capture: () => anchor,
    picking: () => picking,
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
      { keys: ["p"], label: "Copy the path", run: () => void copy("path") }
    ]
  }
}
