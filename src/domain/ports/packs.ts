/**
 * Where bytes live. One publish writes one *pack*: the concatenated bodies of its new files, durable
 * before the publish commits. Afterwards no byte of it moves or changes; those that no version names are wiped a day later.
 */
import { Context } from "effect"
import type { DateTime, Effect, Option, Scope, Stream } from "effect"
import type { Invalid, Unavailable, UploadTooLarge } from "../failures.ts"

/** The size of a body's head. */
export const HEAD_BYTES = 4100

/** The bytes of one file inside a draft. */
export interface Body {
  readonly offset: number
  readonly length: number
  /** SHA-256 of the bytes, lower-case hex: the content's identity. */
  readonly hash: string
  /** The first bytes (at most 4,100), enough to recognise the kind. */
  readonly head: Uint8Array
  /** Whether the whole body is valid UTF-8 (ASCII included). */
  readonly utf8: boolean
  /** At most 512 bytes, starting at the first one that is not ASCII; empty for a pure ASCII body. */
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

/** Scratch space for one publish; its methods are called one at a time. It is deleted with its scope: an aborted upload leaves nothing. */
export interface PackDraft {
  /**
   * Adds one body. Stops reading and fails at the first byte over `cap`. The draft owns a chunk once it is handed
   * over: the source must not change it any more. A stream fails with its own error; an iterable has no error type, so one
   * that throws (a client that went away) is a defect, and a caller who cares interrupts or passes a stream.
   * `owned`: nobody reads a chunk again either, so its memory is freed as soon as it is written.
   */
  readonly append: <E = never>(
    bytes: AsyncIterable<Uint8Array> | Stream.Stream<Uint8Array, E>,
    cap: number,
    owned?: boolean
  ) => Effect.Effect<Body, UploadTooLarge | Unavailable | E>
  /** Reads a body of this draft as a zip and adds its files. A hostile zip is refused as a whole (CONTRACT §8). */
  readonly unzip: (
    zip: Body,
    limits: UnpackLimits
  ) => Effect.Effect<ReadonlyArray<UnpackedFile>, Invalid | UploadTooLarge | Unavailable>
  /** At most the first `bytes` bytes of a body. */
  readonly beginning: (body: Body, bytes: number) => Effect.Effect<Uint8Array, Unavailable>
  /** At most the last `bytes` bytes of a body. */
  readonly ending: (body: Body, bytes: number) => Effect.Effect<Uint8Array, Unavailable>
  /**
   * Makes exactly `bodies`, in this order, durable as the pack `id`, and returns each one's offset in it. After
   * this returns, a power cut loses none of them. May be called once per draft. Bodies without bytes are legal; if
   * all are empty, no pack is created.
   */
  readonly keep: (id: string, bodies: ReadonlyArray<Body>) => Effect.Effect<ReadonlyArray<number>, Unavailable>
  /**
   * The same, but returns before small packs on a local disk are durable: the pack must not become visible to others until
   * `durable`, which may be awaited more than once, has succeeded.
   */
  readonly begin: (
    id: string,
    bodies: ReadonlyArray<Body>
  ) => Effect.Effect<{ readonly offsets: ReadonlyArray<number>; readonly durable: Effect.Effect<void, Unavailable> }, Unavailable>
}

/** Some bytes of a pack. */
export interface Range {
  readonly offset: number
  readonly length: number
}

/** A body that a manifest names. */
export interface LivingRange extends Range {
  /** SHA-256 of the bytes, lower-case hex. */
  readonly hash: string
}

export interface StoredPack {
  readonly id: string
  readonly storedAt: DateTime.Utc
}

export class Packs extends Context.Service<Packs, {
  readonly draft: Effect.Effect<PackDraft, Unavailable, Scope.Scope>
  /** `length` bytes of a pack from `offset`, in chunks that the reader owns. */
  readonly read: (id: string, offset: number, length: number) => Stream.Stream<Uint8Array, Unavailable>
  /** The same as one array, for small files and blocks of large ones. */
  readonly slice: (id: string, offset: number, length: number) => Effect.Effect<Uint8Array, Unavailable>
  /**
   * Replaces a pack by one of the same length whose `dead` bytes are zeros; readers in the middle of it go on. Every living
   * range is compared with its hash first: if one differs, nothing is replaced and the answer is false. Interrupted at any
   * point, it leaves either the old pack or the new one.
   */
  readonly thin: (id: string, dead: ReadonlyArray<Range>, living: ReadonlyArray<LivingRange>) => Effect.Effect<boolean, Unavailable>
  /** Removing a pack that does not exist succeeds. */
  readonly remove: (id: string) => Effect.Effect<void, Unavailable>
  readonly list: Stream.Stream<StoredPack, Unavailable>
  /** The id of the deployment that these packs belong to, if it has been written. */
  readonly deployment: Effect.Effect<Option.Option<string>, Unavailable>
  /** Writes the id unless one is there already, and returns the one that is stored. */
  readonly claim: (deployment: string) => Effect.Effect<string, Unavailable>
  /** The same as `deployment`, and fails also when the store cannot be written, as far as that is cheap to know. */
  readonly ready: Effect.Effect<Option.Option<string>, Unavailable>
}>()("svc/domain/ports/Packs") {}
