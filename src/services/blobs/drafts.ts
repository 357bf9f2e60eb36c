/** One publish's bytes before they are kept: bodies come in as streams, or out of a zip that came in earlier. */
import { Effect, Fiber, Stream } from "effect"
import type { Scope } from "effect"
import { Invalid, Unavailable, UploadTooLarge } from "../../domain/failures.ts"
import type { Body, PackDraft, UnpackedFile, UnpackLimits } from "../../domain/ports/packs.ts"
import { BodyWriter } from "./body-writer.ts"
import { unavailable } from "./faults.ts"
import type { Scratch } from "./scratch.ts"
import { Spool } from "./spool.ts"
import { unzip } from "./unzip.ts"

const COPY_CHUNK = 1024 * 1024

/** Offsets of bodies run through all spools of a draft, one after the other. */
interface Part {
  readonly base: number
  readonly spool: Spool
}

/** What is to be kept. `whole` is the spool that holds exactly this, if one does, so that nothing needs to be copied. */
export interface Contents {
  readonly length: number
  readonly whole: Spool | undefined
  readonly chunks: () => AsyncGenerator<Uint8Array>
}

/** Writes a draft's contents to the store, as the pack `id`. */
export type Keep = (id: string, contents: Contents) => Effect.Effect<void, Unavailable>

/** The source failed, not the store: mostly a client that went away. */
class SourceBroke {
  readonly cause: unknown
  constructor(cause: unknown) {
    this.cause = cause
  }
}

const overCap = (cap: number) =>
  new UploadTooLarge({ message: `The upload is larger than the ${cap} bytes it may have.`, field: "file", details: { limit_bytes: cap } })

const isZip = (head: Uint8Array): boolean => head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4

/** Takes a chunk in, up to the cap. */
const intake = (writer: BodyWriter, spool: Spool, cap: number, owned: boolean) => (chunk: Uint8Array): Promise<void> | undefined => {
  if (writer.length + chunk.length > cap) throw overCap(cap)
  const first = writer.length === 0
  if (first && isZip(chunk)) spool.writeBack = false
  return writer.write(chunk, owned)
}

const pull = async <A>(source: AsyncIterator<A>): Promise<IteratorResult<A>> => {
  try {
    return await source.next()
  } catch (cause) {
    throw new SourceBroke(cause)
  }
}

const drain = async (bytes: AsyncIterable<Uint8Array>, take: (chunk: Uint8Array) => Promise<void> | undefined, signal: AbortSignal) => {
  const source = bytes[Symbol.asyncIterator]()
  // Not awaited: the source may hang in a read, and only this tells it to stop.
  const leave = () => void Promise.resolve(source.return?.()).catch(() => undefined)
  signal.addEventListener("abort", leave, { once: true })
  for (;;) {
    const next = await pull(source)
    if (next.done === true || signal.aborted) return
    try {
      const wait = take(next.value)
      if (wait !== undefined) await wait
    } catch (error) {
      leave()
      throw error
    }
  }
}

const refusal = (error: unknown): Effect.Effect<never, UploadTooLarge | Unavailable> =>
  error instanceof UploadTooLarge
    ? Effect.fail(error)
    : error instanceof SourceBroke
    ? Effect.die(error.cause)
    : unavailable("take an upload", error)

/** A draft whose scratch files are deleted with its scope. Packs of up to `small` bytes need not be awaited at once. */
export const makeDraft = (scratch: Scratch, keep: Keep, small = 0): Effect.Effect<PackDraft, never, Scope.Scope> =>
  Effect.gen(function*() {
    const parts: Array<Part> = []
    const scope = yield* Effect.scope
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => Promise.all(parts.map(({ spool }) => spool.close()))).pipe(
        Effect.catchDefect((cause) => Effect.logWarning("Blob store: a scratch file stays until the next sweep", cause))
      )
    )

    const open = (): Part => {
      const last = parts.at(-1)
      const part = { base: last === undefined ? 0 : last.base + last.spool.size, spool: new Spool(scratch.fresh()) }
      parts.push(part)
      return part
    }

    const partOf = (body: Body): Part => {
      const part = parts.findLast(({ base }) => base <= body.offset)
      if (part === undefined || body.offset + body.length > part.base + part.spool.size) throw new Error("not a body of this draft")
      return part
    }

    const append = <E = never>(bytes: AsyncIterable<Uint8Array> | Stream.Stream<Uint8Array, E>, cap: number, owned = false) =>
      Effect.suspend(() => {
        const { base, spool } = parts.at(-1) ?? open()
        const writer = new BodyWriter(spool, base)
        const take = intake(writer, spool, cap, owned)
        const received: Effect.Effect<void, UploadTooLarge | Unavailable | E> = Stream.isStream(bytes)
          ? Stream.runForEachArray(bytes as Stream.Stream<Uint8Array, E>, (chunks) =>
            Effect.catch(
              Effect.tryPromise({
                try: async () => {
                  for (const chunk of chunks) await take(chunk)
                },
                catch: (error) => error
              }),
              refusal
            ))
          : Effect.catch(Effect.tryPromise({ try: (signal) => drain(bytes, take, signal), catch: (error) => error }), refusal)
        return Effect.map(received, () => writer.end())
      })

    const unpack = Effect.fn("PackDraft.unzip")(function*(zip: Body, limits: UnpackLimits) {
      const source = partOf(zip)
      const target = open()
      const read = (position: number, length: number) => source.spool.read(zip.offset - source.base + position, length)
      return yield* Effect.tryPromise({
        try: (signal): Promise<ReadonlyArray<UnpackedFile>> => unzip({ read, length: zip.length }, limits, target, signal),
        catch: (error) => error
      }).pipe(Effect.catch((error): Effect.Effect<never, Invalid | UploadTooLarge | Unavailable> =>
        error instanceof Invalid || error instanceof UploadTooLarge ? Effect.fail(error) : unavailable("unpack an upload", error)
      ))
    })

    const read = (body: Body, from: number, bytes: number) => {
      const { base, spool } = partOf(body)
      return Effect.tryPromise({ try: () => spool.read(body.offset - base + from, bytes), catch: (error) => error })
        .pipe(Effect.catch((error) => unavailable("read an upload", error)))
    }

    const beginning = (body: Body, bytes: number) => read(body, 0, Math.min(bytes, body.length))
    const ending = (body: Body, bytes: number) => read(body, Math.max(0, body.length - bytes), Math.min(bytes, body.length))

    const contentsOf = (bodies: ReadonlyArray<Body>): Contents => {
      const runs: Array<{ part: Part; offset: number; length: number }> = []
      for (const body of bodies.filter(({ length }) => length > 0)) {
        const { length, offset } = body
        const part = partOf(body)
        const last = runs.at(-1)
        if (last?.part === part && last.offset + last.length === offset) last.length += length
        else runs.push({ part, offset, length })
      }
      const only = runs.length === 1 ? runs[0]! : undefined
      return {
        length: runs.reduce((sum, run) => sum + run.length, 0),
        whole: only !== undefined && only.offset === only.part.base && only.length === only.part.spool.size ? only.part.spool : undefined,
        chunks: async function*() {
          for (const { length, offset, part } of runs) {
            for (let at = 0; at < length; at += COPY_CHUNK) {
              yield await part.spool.read(offset - part.base + at, Math.min(COPY_CHUNK, length - at))
            }
          }
        }
      }
    }

    const begin = Effect.fn("PackDraft.begin")(function*(id: string, bodies: ReadonlyArray<Body>) {
      const contents = contentsOf(bodies)
      let end = 0
      const offsets = bodies.map(({ length }) => (end += length) - length)
      if (contents.length > 0 && contents.length <= small) {
        const writing = yield* Effect.forkIn(keep(id, contents), scope, { startImmediately: true })
        return { offsets, durable: Fiber.join(writing) }
      }
      // A pack without bytes is never read, so none is written.
      if (contents.length > 0) yield* keep(id, contents)
      return { offsets, durable: Effect.void }
    })

    const keepBodies = Effect.fn("PackDraft.keep")(function*(id: string, bodies: ReadonlyArray<Body>) {
      const { durable, offsets } = yield* begin(id, bodies)
      yield* durable
      return offsets
    })

    return { append, unzip: unpack, beginning, ending, begin, keep: keepBodies }
  })

/** Copies the contents, in order, into a spool of their own. */
export const copied = async (scratch: Scratch, contents: Contents): Promise<Spool> => {
  const spool = new Spool(scratch.fresh())
  try {
    for await (const chunk of contents.chunks()) await spool.write(chunk)
    return spool
  } catch (error) {
    await spool.close()
    throw error
  }
}
