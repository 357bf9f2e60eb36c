/** Zips made on the way out: one stream, in bounded memory however much there is. */
import { Context } from "effect"
import type { DateTime, Stream } from "effect"
import type { Unavailable } from "../failures.ts"

/** Stored bytes, or a text that is written as its turn comes. */
export type ArchiveEntry =
  | { readonly path: string; readonly pack: string; readonly offset: number; readonly length: number }
  | { readonly path: string; readonly text: Stream.Stream<string> }

export class Archives extends Context.Service<Archives, {
  /** The next entry is asked for once the last one is written. Its chunks are the reader's own. */
  readonly zip: (entries: Stream.Stream<ArchiveEntry>, modifiedAt: DateTime.Utc) => Stream.Stream<Uint8Array, Unavailable>
}>()("svc/domain/ports/Archives") {}
