/** What stands for a document: itself where it can be shown small and safely, else a drawing after its kind. */
import type { Project } from "../api/projects.ts"
import { Thumbnail } from "./thumbnail.tsx"

export const Preview = ({ large = false, project }: { readonly project: Project; readonly large?: boolean }) => (
  <div className={large ? "mx-auto max-w-2xl" : ""}><Thumbnail kind={project.kind} /></div>
)
