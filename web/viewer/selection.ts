/** What the reader has selected, described so that it can be found again in the same page or a later version of it. */
import type { Box, FromBridge, Selected } from "./messages.ts"
import { selectorOf } from "./selectors.ts"
import { quoted } from "./text-anchor.ts"
import { textNodes } from "./text-nodes.ts"

const QUIET_MS = 250

const described = (selection: Selection | null): Selected | null => {
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return null
  const { commonAncestorContainer: node, endContainer, endOffset, startContainer, startOffset } = selection.getRangeAt(0)
  const element = node instanceof Element ? node : node.parentElement
  if (element === null) return null
  // As it is looked for afterwards: without scripts and styles, which a range's own text has.
  const { offset, text } = textNodes(element)
  const [start = 0, end = text.length] = [offset(startContainer, startOffset), offset(endContainer, endOffset)]
  return text.slice(start, end).trim() === "" ? null : { ...quoted(text, [start, end]), selector: selectorOf(element) }
}

const boxOf = (selection: Selection | null): Box | null => {
  if (selection === null || selection.rangeCount === 0) return null
  const { height, left, top, width } = selection.getRangeAt(0).getBoundingClientRect()
  return [left, top, width, height]
}

export const watchSelection = (say: (message: FromBridge) => void): void => {
  let waiting: ReturnType<typeof setTimeout> | undefined
  let last = "null"
  const tell = (): void => {
    const selected = described(getSelection())
    const said = JSON.stringify(selected)
    if (said === last) return
    last = said
    say({ svc: "selection", selected, at: selected === null ? null : boxOf(getSelection()), scrolled: scrollY })
  }
  document.addEventListener("selectionchange", () => {
    clearTimeout(waiting)
    waiting = setTimeout(tell, QUIET_MS)
  })
}
