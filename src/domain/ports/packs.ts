/**
 * Where bytes live. One publish writes one *pack*: the concatenated bodies of its new files, durable
 * before the publish commits and never changed afterwards.
 */
import { Context } from "effect"
import type { DateTime, Effect, Option, Scope, Stream } from "effect"
import type { Invalid, Unavailable, UploadTooLarge } from "../failures.ts"

/** So much of a body is its head. */
export const HEAD_BYTES = 4100

/** The bytes of one file inside a draft. */
export interface Body {
  readonly offset: number
  readonly length: number
  /** SHA-256 of the bytes, lower-case hex: the content's identity. */
  readonly hash: string
  /** The first bytes (at most 4,100), enough to tell a kind from. */
  readonly head: Uint8Array
  /** Whether all of it is UTF-8, as ASCII is. */
  readonly utf8: boolean
  /** The first bytes (at most 512) from the first one on that is not ASCII; none where all of it is. */
  readonly beyondAscii: Uint8Array
}

export interface UnpackedFile extends Body {
  /** Relative, `/`-separated, as checked by the unpacker. */
  readonly path: string
}

export interface UnpackLimits {
  /** Unpacked bytes in all: the plan's upload cap. */
  readonly bytes: number
  readonly files: number
}

/** Scratch space for one publish, one step at a time. It vanishes with its scope: an aborted upload leaves nothing. */
export interface PackDraft {
  /**
   * Adds one body. Stops reading and fails at the first byte over `cap`. A chunk is the draft's once it is handed
   * over: the source must not write on it again. A stream fails as itself; an iterable has no failures, so one
   * that throws (a client that went away) is a defect, and a caller who cares interrupts or passes a stream.
   * `owned`: nobody looks at a chunk again either, so its memory is freed as soon as it is written.
   */
  readonly append: <E = never>(
    bytes: AsyncIterable<Uint8Array> | Stream.Stream<Uint8Array, E>,
    cap: number,
    owned?: boolean
  ) => Effect.Effect<Body, UploadTooLarge | Unavailable | E>
  /** Reads a body of this draft as a zip and adds its files: hostile ones are refused whole (CONTRACT §8). */
  readonly unzip: (
    zip: Body,
    limits: UnpackLimits
  ) => Effect.Effect<ReadonlyArray<UnpackedFile>, Invalid | UploadTooLarge | Unavailable>
  /** At most so many of a body's first bytes. */
  readonly beginning: (body: Body, bytes: number) => Effect.Effect<Uint8Array, Unavailable>
  /**
   * Makes `bodies`, in this order and nothing else, durable as the pack `id`, and answers each one's
   * offset in it. After this returns, a power cut loses none of them. Once per draft. Bodies without bytes are
   * legal; where none has any, no pack is made.
   */
  readonly keep: (id: string, bodies: ReadonlyArray<Body>) => Effect.Effect<ReadonlyArray<number>, Unavailable>
  /**
   * The same, answered before small packs on a near disk are durable: nothing may name the pack to others until `durable`
   * is done, which may be waited for more than once.
   */
  readonly begin: (
    id: string,
    bodies: ReadonlyArray<Body>
  ) => Effect.Effect<{ readonly offsets: ReadonlyArray<number>; readonly durable: Effect.Effect<void, Unavailable> }, Unavailable>
}

export interface StoredPack {
  readonly id: string
  readonly storedAt: DateTime.Utc
}

export class Packs extends Context.Service<Packs, {
  readonly draft: Effect.Effect<PackDraft, Unavailable, Scope.Scope>
  /** `length` bytes of a pack from `offset`, in chunks that are the reader's own. */
  readonly read: (id: string, offset: number, length: number) => Stream.Stream<Uint8Array, Unavailable>
  /** The same in one piece, for small files and blocks of large ones. */
  readonly slice: (id: string, offset: number, length: number) => Effect.Effect<Uint8Array, Unavailable>
  /** Removing a pack that is not there is no failure. */
  readonly remove: (id: string) => Effect.Effect<void, Unavailable>
  readonly list: Stream.Stream<StoredPack, Unavailable>
  /** The id of the deployment whose packs these are, where it is written. */
  readonly deployment: Effect.Effect<Option.Option<string>, Unavailable>
  /** Writes it unless one is there, and answers the one that is. */
  readonly claim: (deployment: string) => Effect.Effect<string, Unavailable>
  /** Fails when the store cannot be reached or written. */
  readonly ready: Effect.Effect<void, Unavailable>
}>()("svc/domain/ports/Packs") {}
