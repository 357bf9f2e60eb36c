/** What is remembered of views. Implemented by services/database/views.ts. */
import { Context } from "effect"
import type { DateTime, Effect } from "effect"
import type { Day } from "../days.ts"
import type { ProjectId } from "../projects/model.ts"
import type { DayFigures, Loads } from "./model.ts"

/** What is written at once. Its id tells a second try from another batch. */
export interface Batch {
  readonly id: string
  readonly loads: ReadonlyArray<Loads>
}

/** The last days of which these are not needed any more. */
export interface Outlived {
  /** Keys, visitors and the ids of batches. */
  readonly readers: Day
  readonly views: Day
}

export class ViewStore extends Context.Service<ViewStore, {
  /** All of a batch or none of it, and once however often it is tried. Loads of projects that are gone are left out. */
  readonly add: (batch: Batch, now: DateTime.Utc) => Effect.Effect<void>
  /** From the first day to the last, both included; days without a view are absent. */
  readonly days: (projectId: ProjectId, first: Day, last: Day) => Effect.Effect<ReadonlyArray<DayFigures>>
  /** Makes room for these days where there is none yet. */
  readonly makeRoom: (days: ReadonlyArray<Day>) => Effect.Effect<void>
  /** Drops whole days, and answers how many. */
  readonly forget: (outlived: Outlived) => Effect.Effect<number>
}>()("svc/domain/analytics/ViewStore") {}
