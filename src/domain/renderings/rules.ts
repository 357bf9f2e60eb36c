/** How long a rendering is stored. */
import { DateTime } from "effect"
import type { Rendered } from "../ports/renderer.ts"

/** A document that took too long may do so again: it is tried again, but not on every read. */
const LATE_LASTS = { days: 1 } as const

/** Until when a rendering is stored: null for ever; `now`, so not at all, for one that was not begun. */
export const keptUntil = ({ short }: Rendered, now: DateTime.Utc): DateTime.Utc | null =>
  short === undefined ? null : short === "late" ? DateTime.add(now, LATE_LASTS) : now
