/** How the audit log is kept. Implemented by services/database/audit.ts. */
import { Context } from "effect"
import type { DateTime, Effect } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { Page } from "../pages.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import type { Deed, Entry, EntryId } from "./model.ts"

export class AuditStore extends Context.Service<AuditStore, {
  readonly add: (id: EntryId, deed: Required<Deed>, now: DateTime.Utc) => Effect.Effect<void>
  /** Newest first, as this user may read it. */
  readonly list: (workspaceId: WorkspaceId, userId: UserId, page: Page) => Effect.Effect<ReadonlyArray<Entry>>
}>()("svc/domain/audit/AuditStore") {}
