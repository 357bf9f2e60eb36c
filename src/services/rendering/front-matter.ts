/** The title in a document's front matter; nothing else in there is for readers. */
import type { Root } from "mdast"
import { cut } from "../../domain/labels/model.ts"
import { frontMatterTitle } from "../../domain/projects/titles.ts"

const LONGEST = 200

export const titleIn = (root: Root): string | null => {
  const first = root.children[0] as { readonly type: string; readonly value?: string } | undefined
  if (first?.value === undefined || (first.type !== "yaml" && first.type !== "toml")) return null
  const title = frontMatterTitle(first.value)
  return title === undefined ? null : cut(title, LONGEST)
}
