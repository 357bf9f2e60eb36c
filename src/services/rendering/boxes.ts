/** What a page needs around parts of a document: room to scroll for tables and code, a label for every checkbox. */
import type { Element, ElementContent } from "hast"
import { become, element, everyElement, isElement, textOf } from "./tree.ts"
import type { Parent } from "./tree.ts"

const BLOCKS = new Set(["blockquote", "details", "div", "dl", "figure", "hr", "ol", "p", "pre", "section", "table", "ul"])

const isBlock = (node: ElementContent): boolean => isElement(node) && BLOCKS.has(node.tagName)

const isBox = (node: ElementContent): node is Element => isElement(node) && node.tagName === "input"

/** Puts each checkbox and the words up to the next one, or to the next block, into a label. */
const label = (parent: Element): void => {
  const children: Array<ElementContent> = []
  let open: { readonly box: Element; readonly words: Array<ElementContent> } | undefined
  const close = () => {
    if (open === undefined) return
    const { box, words } = open
    open = undefined
    if (words.some((node) => textOf(node).trim() !== "")) return void children.push(element("label", {}, [box, ...words]))
    box.properties["ariaLabel"] = "Task"
    children.push(box)
    for (const word of words) children.push(word)
  }
  for (const node of parent.children) {
    if (isBox(node) || isBlock(node)) close()
    if (isBox(node)) open = { box: node, words: [] }
    else (open?.words ?? children).push(node)
  }
  close()
  parent.children = children
}

export const boxUp = (root: Parent): void => {
  const boxed = new Set<Element>()
  const wide: Array<Element> = []
  everyElement(root, (one, parent) => {
    if (one.tagName === "input" && parent.type === "element") boxed.add(parent)
    else if (one.tagName === "pre" || one.tagName === "table") wide.push(one)
  })
  for (const parent of boxed) if (parent.tagName !== "label") label(parent)
  for (const one of wide) {
    if (one.tagName === "pre") one.properties["tabIndex"] = 0
    const box = one.tagName === "pre"
      ? { className: ["code"] }
      : { className: ["table-scroll"], tabIndex: 0, role: "group", ariaLabel: "Table", dir: one.properties["dir"] }
    become(one, element("div", box, [{ ...one }]))
  }
}

/** Documents from this many characters on are laid out part by part, as the reader comes to them. */
const LONG = 40_000
const PART = 8_000

/** Parts begin at top-level blocks; a short document stays as it is. */
export const inParts = (root: { children: Array<Element["children"][number] | { type: "doctype" }> }): void => {
  const sizes = root.children.map((node) => node.type === "doctype" ? 0 : textOf(node).length)
  if (sizes.reduce((sum, size) => sum + size, 0) < LONG) return
  const parts: Array<Element> = []
  let size = PART
  root.children.forEach((node, at) => {
    if (node.type === "doctype") return
    if (size >= PART) {
      parts.push(element("div", { className: ["part"] }, []))
      size = 0
    }
    parts.at(-1)!.children.push(node)
    size += sizes[at]!
  })
  root.children = parts
}
