/** How the audit log is kept. Implemented by services/database/audit.ts. */
import { Context } from "effect"
import type { DateTime, Effect } from "effect"
import type { WorkspaceId } from "../workspaces/model.ts"
import type { Deed, Entry, EntryId } from "./model.ts"

export interface AuditPage {
  /** The id after which the page starts. */
  readonly after: string | undefined
  readonly limit: number
}

export class AuditStore extends Context.Service<AuditStore, {
  readonly add: (id: EntryId, deed: Deed, now: DateTime.Utc) => Effect.Effect<void>
  /** Newest first. */
  readonly list: (workspaceId: WorkspaceId, page: AuditPage) => Effect.Effect<ReadonlyArray<Entry>>
}>()("svc/domain/audit/AuditStore") {}
