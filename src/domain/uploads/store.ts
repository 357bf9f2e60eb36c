/** The persistence port of staged uploads; their bytes are packs. Implemented by services/database/uploads.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import type { Chunk, OpenUpload, Upload, UploadId } from "./model.ts"

export class UploadStore extends Context.Service<UploadStore, {
  /** The uploads that an account began after `since`, oldest first. Locks the workspace, then the account, until the transaction ends, so that begins are serialised. */
  readonly open: (userId: UserId, workspaceId: WorkspaceId, since: DateTime.Utc) => Effect.Effect<ReadonlyArray<OpenUpload>>
  readonly begin: (upload: Upload) => Effect.Effect<void>
  readonly find: (id: UploadId) => Effect.Effect<Option.Option<Upload>>
  /** The same behind a lock that lasts until the transaction ends. */
  readonly hold: (id: UploadId) => Effect.Effect<Option.Option<Upload>>
  /** In the order of their index. */
  readonly chunks: (id: UploadId) => Effect.Effect<ReadonlyArray<Chunk>>
  /** Stores a chunk; replaces one of the same index. */
  readonly keep: (id: UploadId, chunk: Chunk) => Effect.Effect<void>
  /** False if another attempt claimed it after `since`, or it is gone. */
  readonly claim: (id: UploadId, since: DateTime.Utc, now: DateTime.Utc) => Effect.Effect<boolean>
  /** Does nothing if another attempt has claimed it since `claimedAt`. */
  readonly release: (id: UploadId, claimedAt: DateTime.Utc) => Effect.Effect<void>
  /** False unless the attempt that claimed it at `claimedAt` still holds it. */
  readonly spend: (id: UploadId, claimedAt: DateTime.Utc) => Effect.Effect<boolean>
  /** Deletes it; returns the packs of its chunks. */
  readonly drop: (id: UploadId) => Effect.Effect<ReadonlyArray<string>>
  /** Deletes at most `limit` uploads that began before `cutoff`; returns how many, and the packs of their chunks. */
  readonly forget: (cutoff: DateTime.Utc, limit: number) => Effect.Effect<{ readonly uploads: number; readonly packs: ReadonlyArray<string> }>
}>()("svc/domain/uploads/UploadStore") {}
