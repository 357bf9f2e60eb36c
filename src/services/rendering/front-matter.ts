/** The title in a document's front matter; nothing else in there is for readers. */
import { cut } from "../../domain/labels/model.ts"
import { frontMatterTitle } from "../../domain/projects/documents/titles.ts"
import type { FrontMatter } from "../../domain/projects/documents/titles.ts"

const LONGEST = 200

export const titleIn = (matter: FrontMatter | undefined): string | null => {
  const title = frontMatterTitle(matter?.said ?? "")
  return title === undefined ? null : cut(title, LONGEST)
}
