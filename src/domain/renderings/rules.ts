/** How long a rendering is kept. */
import { DateTime } from "effect"
import type { Rendered } from "../ports/renderer.ts"

/** A document that took too long may do so again: it is not tried all the time, nor given up for good. */
const LATE_LASTS = { days: 1 } as const

/** Until when it is kept; null for good. What was not begun is not kept at all. */
export const keptUntil = ({ short }: Rendered, now: DateTime.Utc): DateTime.Utc | null =>
  short === undefined ? null : short === "late" ? DateTime.add(now, LATE_LASTS) : now
