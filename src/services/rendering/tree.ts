/** Walks over HTML trees without recursion: a hostile document nests as deep as it likes. */
import type { Element, ElementContent, Root, RootContent } from "hast"

export type Parent = Root | Element
export type Child = RootContent | ElementContent

export const isElement = (node: Child | undefined): node is Element => node?.type === "element"

/** Every element below `root`, parents first, in document order; an element that `each` puts in another's place is not walked. */
export const everyElement = (root: Parent, each: (element: Element, parent: Parent) => void): void => {
  const waiting: Array<[Element, Parent]> = []
  const push = (parent: Parent) => {
    for (let at = parent.children.length - 1; at >= 0; at--) {
      const child = parent.children[at]!
      if (isElement(child)) waiting.push([child, parent])
    }
  }
  push(root)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    each(...next)
    push(next[0])
  }
}

/** `isRead`: whether an element counts. */
export const textOf = (parent: Child | Parent, isRead: (element: Element) => boolean = () => true): string => {
  const parts: Array<string> = []
  const waiting: Array<Child | Parent> = [parent]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.type === "text") parts.push(next.value)
    else if ("children" in next && (next.type !== "element" || isRead(next))) for (let at = next.children.length - 1; at >= 0; at--) waiting.push(next.children[at]!)
  }
  return parts.join("")
}

export const element = (tagName: string, properties: Element["properties"], children: ReadonlyArray<ElementContent>): Element => ({
  type: "element", tagName, properties, children: [...children]
})

export const text = (value: string): ElementContent => ({ type: "text", value })

/** Turns a node into another one, in place. */
export const become = (node: Element, other: Element): void => {
  node.tagName = other.tagName
  node.properties = other.properties
  node.children = other.children
}
