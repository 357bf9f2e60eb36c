/** Walks over Markdown trees without recursion: a hostile document nests as deep as it likes. */
import type { Nodes, Parents, Root } from "mdast"

/** Every node that has others below it; those that `each` puts in their place are walked. */
export const everyParent = (root: Root, each: (parent: Parents) => void): void => {
  const waiting: Array<Nodes> = [root]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!("children" in next)) continue
    each(next)
    for (const child of next.children) waiting.push(child)
  }
}
