/** An element's text as one string, and the mapping between its offsets and places in the page. */
import type { Span } from "./text-anchor.ts"

export interface TextNodes {
  readonly text: string
  readonly range: (span: Span) => Range
  /** Undefined for a place outside the element. */
  readonly offset: (node: Node, offset: number) => number | undefined
}

/** Text that is not the document's: button labels are ours, and nobody reads scripts and styles. */
const isUnread = (node: Node): boolean => node.parentElement?.closest("button,script,style,noscript,template") !== null

/** `breaks`: each line break counts as a character of the text. */
export const textNodes = (root: Element, breaks = false): TextNodes => {
  const nodes: Array<Text> = []
  const starts: Array<number> = []
  const parts: Array<string> = []
  const places = new Map<Node, number>()
  let length = 0
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | (breaks ? NodeFilter.SHOW_ELEMENT : 0))
  while (walker.nextNode()) {
    if (walker.currentNode instanceof Element) {
      if (walker.currentNode.localName !== "br") continue
      parts.push("\n")
      length++
      continue
    }
    const node = walker.currentNode as Text
    if (isUnread(node)) continue
    places.set(node, nodes.length)
    nodes.push(node)
    starts.push(length)
    parts.push(node.data)
    length += node.data.length
  }

  /** The last node that begins at or before the offset; where the offset ends a range, strictly before it. */
  const nodeAt = (offset: number, isEnd: boolean): number => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const begins = starts[middle]!
      if (isEnd ? begins < offset : begins <= offset) low = middle
      else high = middle - 1
    }
    return low
  }

  const range = ([start, end]: Span): Range => {
    const made = document.createRange()
    if (nodes.length === 0) made.selectNodeContents(root)
    else {
      const [first, last] = [nodeAt(start, false), nodeAt(end, true)]
      made.setStart(nodes[first]!, Math.min(start - starts[first]!, nodes[first]!.length))
      made.setEnd(nodes[last]!, Math.max(0, Math.min(end - starts[last]!, nodes[last]!.length)))
    }
    return made
  }

  const offset = (node: Node, at: number): number | undefined => {
    const place = places.get(node)
    if (place !== undefined) return starts[place]! + at
    if (!root.contains(node)) return undefined
    // The place is in an element: take the first text at or after it.
    const there = document.createRange()
    there.setStart(node, at)
    let [low, high] = [0, nodes.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (there.comparePoint(nodes[middle]!, 0) < 0) low = middle + 1
      else high = middle
    }
    return starts[low] ?? length
  }

  return { text: parts.join(""), range, offset }
}
