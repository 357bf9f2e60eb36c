/** Headings that can be linked to, and the list of them. */
import type { Element, Root } from "hast"
import { cut } from "../../domain/labels/model.ts"
import type { Heading } from "../../domain/ports/renderer.ts"
import { element, everyElement, textOf } from "./tree.ts"

const HEADING = /^h([1-6])$/
const LISTED = 3
const LONGEST = 200

/** Words in place of a picture that is not shown. */
const PICTURE = /^image-(?:elsewhere|missing)\b/

/** The words of a heading; pictures such as badges have none of their own beside words. */
const wordsOf = (heading: Element): string => {
  const beside = textOf(heading, ({ properties }) => !PICTURE.test(String(properties["className"]))).replace(/\s+/g, " ").trim()
  return beside === "" ? textOf(heading).replace(/\s+/g, " ").trim() : beside
}

/** A heading inside a quote or a list is not listed: it belongs to what surrounds it. */
export const outline = (root: Root): ReadonlyArray<Heading> => {
  const found: Array<Heading> = []
  everyElement(root, (heading, parent) => {
    const depth = Number(HEADING.exec(heading.tagName)?.[1])
    const { id, className } = heading.properties
    if (!depth || typeof id !== "string" || className !== undefined) return
    const text = wordsOf(heading)
    if (text === "") return
    if (depth <= LISTED && (parent.type === "root" || parent.tagName === "div")) found.push({ id, depth, text: cut(text, LONGEST) })
    const name = `Link to “${cut(text, 80)}”`
    heading.children.push(element("a", { className: ["anchor"], href: `#${encodeURIComponent(id)}`, ariaLabel: name }, []))
  })
  return found
}
