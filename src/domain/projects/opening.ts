/** For whom a project's address opens, and whether its readers have comments, as its people are told; visitors are let in by the door of hosting. */
import { DateTime } from "effect"
import type { Project, Visibility } from "./model.ts"

export type Opening = Visibility | "expired" | "taken down"

/** A site that is served bare: without our viewer, its readers have no comments, whatever else is set. */
export const isBare = ({ htmlDisplayMode, kind }: Pick<Project, "htmlDisplayMode" | "kind">): boolean => kind === "site" && htmlDisplayMode === "raw"

/** By the service's time, which decides what has ended. */
export const opensFor = (
  { expiresAt, takenDownAt, visibility }: Pick<Project, "expiresAt" | "takenDownAt" | "visibility">,
  now: DateTime.Utc
): Opening => {
  if (takenDownAt !== null) return "taken down"
  return expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, now) ? "expired" : visibility
}
