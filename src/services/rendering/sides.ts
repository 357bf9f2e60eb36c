/** The direction of a heading, list, quote or table: that of its first letter, set where it differs from what surrounds it. */
import type { Element } from "hast"
import { RIGHT_TO_LEFT } from "../../domain/labels/model.ts"
import { everyElement } from "./tree.ts"
import type { Parent } from "./tree.ts"

type Side = "ltr" | "rtl"

const BLOCKS = new Set(["blockquote", "details", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "ol", "table", "ul"])

const sideOf = (words: string): Side | undefined => {
  const [letter] = /\p{L}/u.exec(words) ?? []
  return letter === undefined ? undefined : RIGHT_TO_LEFT.test(letter) ? "rtl" : "ltr"
}

/** A direction that the author set stays, also for everything inside. Code is ignored, since it is the same in every language. */
export const takeSides = (root: Parent): void => {
  const elements: Array<[Element, Parent]> = []
  everyElement(root, (one, parent) => elements.push([one, parent]))
  const sides = new Map<Parent, Side>()
  for (const [one] of elements.toReversed()) {
    for (const child of one.tagName === "code" ? [] : one.children) {
      const side = child.type === "text" ? sideOf(child.value) : child.type === "element" ? sides.get(child) : undefined
      if (side === undefined) continue
      sides.set(one, side)
      break
    }
  }
  const around = new Map<Parent, Side | "as said">([[root, "ltr"]])
  for (const [one, parent] of elements) {
    const outer = around.get(parent)!
    const said = outer === "as said" || one.properties["dir"] !== undefined
    const own = said ? "as said" : BLOCKS.has(one.tagName) ? sides.get(one) ?? outer : outer
    around.set(one, own)
    if (own !== "as said" && own !== outer) one.properties["dir"] = own
  }
}
