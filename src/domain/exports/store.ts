/** What is remembered of exports, and what goes into one. Implemented by services/database/exports.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { Manifest } from "../hosting/model.ts"
import type { Project, ProjectId } from "../projects/model.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import type { Archive, BegunExport, Export, ExportId, Opened } from "./model.ts"

export interface NewExport {
  readonly id: ExportId
  readonly workspaceId: WorkspaceId
  readonly requestedBy: UserId
  readonly requestedAt: DateTime.Utc
}

export class ExportStore extends Context.Service<ExportStore, {
  /** One that a clock taken back has dated into a later UTC day comes after all others. */
  readonly latest: (workspaceId: WorkspaceId, now: DateTime.Utc) => Effect.Effect<Option.Option<Export>>
  /** The one that is under way, or else the one of this UTC day; none that failed. */
  readonly counted: (workspaceId: WorkspaceId, now: DateTime.Utc) => Effect.Effect<Option.Option<Export>>
  /** With the job that builds it. */
  readonly add: (wanted: NewExport) => Effect.Effect<void>
  /** The account for whom it is built; null once that is gone. */
  readonly requester: (id: ExportId) => Effect.Effect<UserId | null>
  /** Begins a try that is going to write `pack`, and is grave until it fails; earlier tries can no longer complete. None once the export is over. */
  readonly begin: (id: ExportId, pack: string, now: DateTime.Utc) => Effect.Effect<Option.Option<BegunExport>>
  /** The try that was to write `pack` has failed, and its process goes on: it counts once. */
  readonly failTry: (id: ExportId, pack: string) => Effect.Effect<void>
  /** False if another try has begun since, or the export is over. */
  readonly complete: (id: ExportId, archive: Archive, tokenHash: string, now: DateTime.Utc) => Effect.Effect<boolean>
  /** Answers the pack that it may have left behind. */
  readonly fail: (id: ExportId, now: DateTime.Utc) => Effect.Effect<Option.Option<string>>
  readonly opened: (id: ExportId, tokenHash: string) => Effect.Effect<Option.Option<Opened>>
  /** Forgets the packs of at most `limit` archives that were completed by `cutoff`, and answers them. */
  readonly expire: (cutoff: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<string>>
  /** Oldest first; others' private folders left out. */
  readonly projects: (workspaceId: WorkspaceId, userId: UserId) => Effect.Effect<ReadonlyArray<Pick<Project, "id" | "slug">>>
  /** With the files it serves at that moment; none once it is deleted or hidden. */
  readonly project: (id: ProjectId, userId: UserId) => Effect.Effect<Option.Option<{ readonly project: Project; readonly manifest: Manifest }>>
}>()("svc/domain/exports/ExportStore") {}
