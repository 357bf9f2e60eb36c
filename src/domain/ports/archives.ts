/** Zips made on the way out: a version's files as one stream, in bounded memory. */
import { Context } from "effect"
import type { DateTime, Stream } from "effect"
import type { Unavailable } from "../failures.ts"

export interface ArchiveEntry {
  readonly path: string
  readonly pack: string
  readonly offset: number
  readonly length: number
}

export class Archives extends Context.Service<Archives, {
  readonly zip: (entries: ReadonlyArray<ArchiveEntry>, modifiedAt: DateTime.Utc) => Stream.Stream<Uint8Array, Unavailable>
}>()("svc/domain/ports/Archives") {}
