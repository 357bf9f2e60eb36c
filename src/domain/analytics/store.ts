/** What is remembered of views. Implemented by services/database/views.ts. */
import { Context } from "effect"
import type { DateTime, Effect } from "effect"
import type { Day } from "../days.ts"
import type { ProjectId } from "../projects/model.ts"
import type { DayFigures, Loads } from "./model.ts"

/** Views that are written together. The id tells a retry from another batch. */
export interface Batch {
  readonly id: string
  readonly loads: ReadonlyArray<Loads>
}

/** The last day of which each is no longer needed. */
export interface Outlived {
  /** Keys, visitors and the ids of batches. */
  readonly readers: Day
  readonly views: Day
}

export class ViewStore extends Context.Service<ViewStore, {
  /** Writes all of a batch or nothing, and once however often it is tried. Loads of projects that are gone are left out. */
  readonly add: (batch: Batch, now: DateTime.Utc) => Effect.Effect<void>
  /** From the first day to the last, both included; days without a view are absent. */
  readonly days: (projectId: ProjectId, first: Day, last: Day) => Effect.Effect<ReadonlyArray<DayFigures>>
  /** Makes the partitions of these days, if they do not exist yet. */
  readonly makeRoom: (days: ReadonlyArray<Day>) => Effect.Effect<void>
  /** Drops whole days, and answers how many. */
  readonly forget: (outlived: Outlived) => Effect.Effect<number>
}>()("svc/domain/analytics/ViewStore") {}
