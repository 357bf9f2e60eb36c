/** For whom a project's address opens, as its people are told; visitors are let in by the door of hosting. */
import { DateTime } from "effect"
import type { Project, Visibility } from "./model.ts"

export type Opening = Visibility | "expired" | "taken down"

/** By the service's time, which decides what has ended. */
export const opensFor = (
  { expiresAt, takenDownAt, visibility }: Pick<Project, "expiresAt" | "takenDownAt" | "visibility">,
  now: DateTime.Utc
): Opening => {
  if (takenDownAt !== null) return "taken down"
  return expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, now) ? "expired" : visibility
}
