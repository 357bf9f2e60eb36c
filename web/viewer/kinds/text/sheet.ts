/**
 * The text on the page: one element per block, whose rows are made as it comes near the window. All text stays in the
 * document, so the browser's own search, selection and printing see all of it.
 */
import { listeners } from "../../listeners.ts"
import { coloured } from "./colours.ts"
import type { Coloured } from "./colours.ts"
import { blockAt, blocksOf, offsetOf, rowAt } from "./lines.ts"
import type { Block } from "./lines.ts"
import { estimate, isMarked, rowsOf } from "./rows.ts"
import type { Marked } from "./rows.ts"

export interface Sheet {
  readonly element: HTMLElement
  /** Without a terminal's codes, which only colour it. */
  readonly text: () => string
  readonly blocks: () => ReadonlyArray<Block>
  readonly show: (text: string) => void
  /** The same words in other colours, which differ in this block. Returns whether it had rows, which are others now. */
  readonly dye: (index: number, colours: Coloured) => boolean
  readonly wrap: (on: boolean) => void
  /** A span of the text as a DOM range. */
  readonly range: (start: number, end: number) => Range
  /** Undefined for a place outside the text. */
  readonly offset: (node: Node, at: number) => number | undefined
  readonly reveal: (offset: number) => void
  /** The offset of what is at the top of the window. */
  readonly top: () => number
  /** Marks the lines that a deep link names; 0 marks none. */
  readonly mark: (first: number, last: number) => void
  readonly onLayout: (listener: () => void) => () => void
}

/** Just below the bar. */
const UNDER_BAR = 64
const NEAR = "1500px 0px"

export const makeSheet = (element: HTMLElement): Sheet => {
  let all: Coloured = coloured("")
  let text = ""
  let blocks: ReadonlyArray<Block> = []
  let marked: Marked = [0, -1]
  let wrapped = true
  const places = new Map<Element, number>()
  const moved = listeners<[]>()

  const lined = (index: number): HTMLElement => {
    const at = element.children[index] as HTMLElement
    if (at.classList.contains("lined")) return at
    at.replaceChildren(...rowsOf(all, blocks[index]!, marked))
    at.classList.add("lined")
    return at
  }

  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      near.unobserve(target)
      const place = places.get(target)
      if (place !== undefined) lined(place)
    }
  }, { rootMargin: NEAR })

  const show = (next: string): void => {
    all = coloured(next)
    text = all.text
    blocks = blocksOf(text)
    const last = blocks.at(-1)!
    element.style.setProperty("--digits", String(Math.max(2, String(last.line + last.rows.length).length)))
    near.disconnect()
    places.clear()
    // One by one: more arguments than a call takes.
    const shown = document.createDocumentFragment()
    for (const [index, block] of blocks.entries()) {
      const one = document.createElement("div")
      one.className = "block"
      one.textContent = text.slice(block.start, block.end)
      places.set(one, index)
      shown.append(one)
    }
    element.replaceChildren(shown)
    estimate(element, blocks, wrapped)
    lined(0)
    for (const one of places.keys()) near.observe(one)
    moved.tell()
  }

  const offset = (node: Node, at: number): number | undefined => {
    if (node === element) return at >= blocks.length ? text.length : blocks[at]!.start
    const one = (node instanceof Element ? node : node.parentElement)?.closest(".block")
    const index = one == null ? undefined : places.get(one)
    if (one == null || index === undefined) return undefined
    const before = document.createRange()
    before.setStart(one, 0)
    before.setEnd(node, at)
    return Math.min(text.length, blocks[index]!.start + before.toString().length)
  }

  const dye = (index: number, colours: Coloured): boolean => {
    all = colours
    const one = element.children[index]
    if (one?.classList.contains("lined") !== true) return false
    const selection = getSelection()
    const isSelected = selection?.rangeCount === 1 && selection.getRangeAt(0).intersectsNode(one)
    const anchored = [...CSS.highlights?.get("anchored") ?? []][0] as Range | undefined
    const spanOf = (from: readonly [Node, number], to: readonly [Node, number]) => {
      const [start, end] = [offset(...from), offset(...to)]
      return start === undefined || end === undefined || start === end ? undefined : [start, end] as const
    }
    const was = isSelected ? spanOf([selection.anchorNode!, selection.anchorOffset], [selection.focusNode!, selection.focusOffset]) : undefined
    const led = anchored?.intersectsNode(one) === true ? spanOf([anchored.startContainer, anchored.startOffset], [anchored.endContainer, anchored.endOffset]) : undefined
    one.classList.remove("lined")
    lined(index)
    // The rows are others now: what a reader has selected in them stays so, from the end where they began, and what a comment is on stays marked.
    if (was !== undefined) {
      const { endContainer, endOffset, startContainer, startOffset } = range(Math.min(...was), Math.max(...was))
      if (was[0] < was[1]) selection!.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset)
      else selection!.setBaseAndExtent(endContainer, endOffset, startContainer, startOffset)
    }
    if (led !== undefined) CSS.highlights?.set("anchored", new Highlight(range(...led)))
    moved.tell()
    return true
  }

  let width = element.clientWidth
  new ResizeObserver(() => {
    if (element.clientWidth !== width) {
      width = element.clientWidth
      estimate(element, blocks, wrapped)
    }
    moved.tell()
  }).observe(element)

  const pointAt = (offset: number): readonly [Node, number] => {
    const index = blockAt(blocks, offset)
    const block = blocks[index]!
    const row = rowAt(block, offset)
    const one = lined(index).children[row]!
    const words = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
    let node: Node = words.nextNode() ?? one
    let left = offset - block.rows[row]!
    for (let length = node.textContent!.length; left >= length; length = node.textContent!.length) {
      const next = words.nextNode()
      if (next === null) return [node, length]
      left -= length
      node = next
    }
    return [node, left]
  }

  const range = (start: number, end: number): Range => {
    const made = document.createRange()
    made.setStart(...pointAt(start))
    made.setEnd(...pointAt(Math.max(start, end - 1)))
    if (end > start) made.setEnd(made.endContainer, made.endOffset + 1)
    return made
  }

  return {
    element,
    text: () => text,
    blocks: () => blocks,
    show,
    dye,
    range,
    wrap: (on) => {
      wrapped = on
      element.classList.toggle("unwrapped", !on)
      estimate(element, blocks, wrapped)
      moved.tell()
    },
    offset,
    reveal: (offset) => {
      const [node] = pointAt(offset)
      const one = node instanceof Element ? node : node.parentElement!
      one.scrollIntoView({ block: "center" })
      // The heights in between were estimates until now.
      requestAnimationFrame(() => one.scrollIntoView({ block: "center" }))
    },
    top: () => {
      const { left } = element.getBoundingClientRect()
      const line = document.elementsFromPoint(Math.max(left, 0) + 8, UNDER_BAR).find((one) => one instanceof HTMLElement && one.matches(".line"))
      return line instanceof HTMLElement ? offsetOf(text, blocks, Number(line.dataset["line"])) : 0
    },
    mark: (first, last) => {
      marked = first === 0 ? [0, -1] : [first, last]
      for (const one of element.querySelectorAll<HTMLElement>(".line")) {
        one.classList.toggle("marked", isMarked(Number(one.dataset["line"]), marked))
      }
      if (first !== 0) lined(blockAt(blocks, offsetOf(text, blocks, first)))
    },
    onLayout: moved.add
  }
}
