/** Zips built while they are downloaded: one stream, in bounded memory whatever the size. */
import { Context } from "effect"
import type { DateTime, Stream } from "effect"
import type { Unavailable } from "../failures.ts"

/** Stored bytes, or a text that is produced when its turn comes. */
export type ArchiveEntry =
  | { readonly path: string; readonly pack: string; readonly offset: number; readonly length: number }
  | { readonly path: string; readonly text: Stream.Stream<string> }

export class Archives extends Context.Service<Archives, {
  /** Pulls the next entry only once the last one is written. The caller owns the emitted chunks. */
  readonly zip: (entries: Stream.Stream<ArchiveEntry>, modifiedAt: DateTime.Utc) => Stream.Stream<Uint8Array, Unavailable>
}>()("svc/domain/ports/Archives") {}
