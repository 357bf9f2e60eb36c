/**
 * Tags that are words: `Array<Object>`, "the <select> field", or `<your name>` to be filled in. As HTML such a tag would vanish, and some
 * would take the rest of the document with them. A tag whose element is not shown and is not closed among its siblings is shown as it is written.
 */
import type { Html, Paragraph, Root } from "mdast"
import { mayBeWord, VOID } from "../../domain/projects/documents/markdown-tags.ts"
import { allowed } from "./allowed.ts"
import { everyParent } from "./markdown-tree.ts"

/** Elements that browsers do not end by themselves, with what follows them; they are removed with their contents. */
const taking = new Set([...allowed.strip!, "plaintext"])

const TAG = /<(\/?)([a-z][^\s/<>]*)([^<>]*)/gi

/** One that would take what follows is shown whatever its attributes are. */
const isStray = (name: string, rest: string, inLine: boolean): boolean =>
  taking.has(name) && !VOID.has(name) ? !(/^(?:svg|math)$/.test(name) && /\/\s*$/.test(rest)) : inLine && mayBeWord(name, rest)

/** One on a line of its own, or all of a list's item, which would be empty. */
const ALONE = /^<[a-z][^<>/]*>$/i

const becomeWords = (html: Html): void => {
  const paragraph: Paragraph = { type: "paragraph", children: [{ type: "text", value: html.value }] }
  Object.assign(html, paragraph, { value: undefined })
}

/** `ends`: how many ends of each name come after this node among its siblings. */
const keepIn = (html: Html, inLine: boolean, ends: Map<string, number>): void => {
  const words = new Set<number>()
  const isAlone = !inLine && ALONE.test(html.value)
  for (const { 1: slash, 2: tag, 3: rest, index } of [...html.value.matchAll(TAG)].toReversed()) {
    const name = tag!.toLowerCase()
    const left = ends.get(name) ?? 0
    if (slash === "/") ends.set(name, left + 1)
    else if (left > 0) ends.set(name, left - 1)
    else if (isStray(name, rest!, inLine || isAlone)) words.add(index)
  }
  if (words.size === 0) return
  if (isAlone) becomeWords(html)
  else html.value = html.value.replaceAll(TAG, (tag: string, ...[, , , at]: [string, string, string, number]) => words.has(at) ? `&lt;${tag.slice(1)}` : tag)
}

const IN_LINE = /^(?:paragraph|heading|tableCell|emphasis|strong|delete|link|linkReference)$/

export const keepStrayTags = (root: Root): void => {
  everyParent(root, ({ children, type }) => {
    const ends = new Map<string, number>()
    for (const child of children.toReversed()) if (child.type === "html") keepIn(child, IN_LINE.test(type), ends)
  })
}
