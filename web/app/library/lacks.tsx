/** What a version names and does not hold, and what to do about it. */
import type { Project } from "../api/projects.ts"

export const Lacks = ({ missing: { count, message } }: { readonly missing: NonNullable<Project["missing"]> }) => (
  <p className="text-small wrap-anywhere text-warn">{message} {count === 1 ? "Readers see a gap in its place: publish it again together with that file." : "Readers see gaps in their places: publish it again together with those files."}</p>
)
