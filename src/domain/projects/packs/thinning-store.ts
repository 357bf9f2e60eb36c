/** What thinning needs remembered. Implemented by services/database/thinning.ts. */
import { Context } from "effect"
import type { DateTime, Effect } from "effect"
import type { LivingRange, Range } from "../../ports/packs.ts"
import type { WorkspaceId } from "../../workspaces/model.ts"
import type { VersionId } from "../model.ts"

/** A pack that is to be looked at. */
export interface MarkedPack {
  readonly id: string
  readonly workspaceId: WorkspaceId
  /** Of the stored object. */
  readonly length: number
  /** Whether nothing of it was found dead yet. */
  readonly untouched: boolean
}

/** A pack that some version names, as it is now. */
export interface LoosePack extends MarkedPack {
  /** How much of it counts as used storage. */
  readonly countedBytes: number
  /** What was found dead so far, in order: wiped, or to be wiped a GUARD after `thinningSince`. */
  readonly dead: ReadonlyArray<Range>
  /** Since when some of `dead` wait to be wiped; null if none do. */
  readonly thinningSince: DateTime.Utc | null
  /** How often it was thinned: whoever found bytes in it before asks again. */
  readonly thinnings: number
}

export interface Naming {
  readonly pack: string
  readonly version: VersionId
}

export interface NamedBody extends LivingRange {
  readonly pack: string
}

/** How a pack stands from now on. */
export interface Settlement {
  readonly living: ReadonlyArray<Range>
  readonly dead: ReadonlyArray<Range>
  /** Whether it is to be looked at again, after all others that are. */
  readonly marked: boolean
  readonly thinnings: number
  /** Since when its dead bytes wait to be wiped; undefined leaves that as it is. */
  readonly thinningSince: DateTime.Utc | undefined
}

export class ThinningStore extends Context.Service<ThinningStore, {
  /** Packs that lost a version and still have one, the longest marked first. */
  readonly loosened: (limit: number) => Effect.Effect<ReadonlyArray<MarkedPack>>
  /** Packs whose dead bytes wait since before, the longest first. */
  readonly due: (before: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<MarkedPack>>
  /** Those of these that some version names, as they are now, until the transaction ends. */
  readonly hold: (packs: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<LoosePack>>
  /** The versions that name these packs, the oldest first. */
  readonly naming: (packs: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Naming>>
  /** What a version names of these packs; nothing where it is gone. */
  readonly bodies: (version: VersionId, packs: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<NamedBody>>
  readonly unmark: (packs: ReadonlyArray<string>) => Effect.Effect<void>
  /** Its living bytes alone count from now on, and no later publish finds its dead ones. Behind its workspace's lock. */
  readonly settle: (pack: LoosePack, settlement: Settlement, now: DateTime.Utc) => Effect.Effect<void>
  /** Its dead bytes no longer wait, unless another thinning began; false if the pack is gone. Behind its workspace's lock. */
  readonly thinned: (pack: string, thinnings: number) => Effect.Effect<boolean>
  /** It waits anew. Behind its workspace's lock. */
  readonly postpone: (pack: string, now: DateTime.Utc) => Effect.Effect<void>
}>()("svc/domain/projects/ThinningStore") {}
