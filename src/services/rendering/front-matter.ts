/** The title that a document's front matter gives it. Nothing else in there is for readers. */
import type { Root } from "mdast"

const TITLE = /^title[ \t]*[:=][ \t]*(.+)$/m
const QUOTED = /^(["'])(.*)\1$/
const LONGEST = 200

export const titleIn = (root: Root): string | null => {
  const first = root.children[0] as { readonly type: string; readonly value?: string } | undefined
  if (first?.value === undefined || (first.type !== "yaml" && first.type !== "toml")) return null
  const said = TITLE.exec(first.value)?.[1]?.trim() ?? ""
  // A block scalar's text stands on other lines.
  const title = (QUOTED.exec(said)?.[2] ?? said).trim()
  return title === "" || /^[|>]/.test(title) ? null : title.slice(0, LONGEST)
}
