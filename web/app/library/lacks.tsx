/** What a version names and does not hold, and what to do about it. */
import type { Project } from "../api/projects.ts"

export const Lacks = ({ missing: { message } }: { readonly missing: NonNullable<Project["missing"]> }) => (
  <p className="text-small wrap-anywhere text-warn">{message} Readers see gaps in their place: publish it again together with them.</p>
)
