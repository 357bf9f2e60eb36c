/** What the reader has selected in a document: as a range, and as a span of its text. */
import type { Span } from "./text-anchor.ts"
import type { TextNodes } from "./text-nodes.ts"

export const selectedRange = (): Range | undefined => {
  const selection = getSelection()
  return selection === null || selection.rangeCount === 0 || selection.isCollapsed ? undefined : selection.getRangeAt(0)
}

export type Selected = readonly [Range, Span]

/** Undefined where it is blank, or begins or ends outside the text. */
export const selectedIn = (text: string, offset: TextNodes["offset"]): Selected | undefined => {
  const range = selectedRange()
  if (range === undefined) return undefined
  const start = offset(range.startContainer, range.startOffset)
  const end = offset(range.endContainer, range.endOffset)
  return start === undefined || end === undefined || text.slice(start, end).trim() === "" ? undefined : [range, [start, end]]
}
