/** Packs as objects of a bucket, read through a bounded cache on the local disk. */
import { buffer } from "node:stream/consumers"
import { join } from "node:path"
import { Readable } from "node:stream"
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException
} from "@aws-sdk/client-s3"
import { Upload } from "@aws-sdk/lib-storage"
import { DateTime, Effect, Layer, Option, Schedule, Semaphore, Stream } from "effect"
import { Packs } from "../../domain/ports/packs.ts"
import type { LivingRange, Range } from "../../domain/ports/packs.ts"
import { pieces } from "../../domain/projects/packs/ranges.ts"
import { PackStore } from "../../domain/projects/store.ts"
import { step } from "../start-refused.ts"
import type { StartRefused } from "../start-refused.ts"
import { BLOCK, BlockCache } from "./block-cache.ts"
import type { Contents } from "./drafts.ts"
import { makeDraft } from "./drafts.ts"
import { io, tooShort } from "./faults.ts"
import { Scratch } from "./scratch.ts"
import { Differs, filled, runsOf } from "./thinned.ts"

const PREFIX = "packs/"
const DEPLOYMENT = "deployment"
const MB = 1024 * 1024
const PART = 8 * MB
const PARTS_AT_ONCE = 3
/** Bytes in memory on their way to the bucket: six large packs, and some room for smaller ones. Twenty large ones at once took a gigabyte. */
const SENDING_MB = (6 * PARTS_AT_ONCE + 1) * PART / MB
/** S3's limit of parts per upload: very large packs have larger parts. */
const MOST_PARTS = 10_000
const READ_AHEAD = 3
/** Longer streams, such as an archive, are read once and seldom again: kept in the cache, they would push out what readers ask for all the time. */
const LONG = 8 * BLOCK
const READ_LIMIT_MS = 30_000
/** The SDK retries a failed request, but not an answer that breaks off. */
const READ_TRIES = 3
const READY_LIMIT_MS = 3_000
/** At a start, which goes on without an answer. */
const WHOSE_LIMIT_MS = 5_000
const ABANDONED_MS = 24 * 60 * 60 * 1000

export interface S3Settings {
  readonly bucket: string
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
  readonly forcePathStyle: boolean
  readonly scratchDir: string
  readonly cacheBytes: number
}

const keyOf = (id: string): string => `${PREFIX}${id}`

/** What waits for a connection counts as one that cannot be made: after two seconds it is given up, though the store is only busy. */
const CONNECTIONS = { maxSockets: Infinity }

const connect = ({ endpoint, forcePathStyle, region }: S3Settings, limits: { readonly requestTimeout?: number; readonly socketTimeout: number }): S3Client =>
  new S3Client({
    ...(endpoint === undefined ? {} : { endpoint }),
    region: region ?? "us-east-1",
    forcePathStyle,
    maxAttempts: 3,
    // Not every store that speaks S3 knows the newer checksums; the hash of what is sent, which is signed, remains.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // Nor does every one say, or let through a proxy, that it waits for a large body.
    expectContinueHeader: false,
    requestHandler: {
      httpAgent: CONNECTIONS,
      httpsAgent: CONNECTIONS,
      connectionTimeout: 2_000,
      throwOnRequestTimeout: true,
      ...limits
    }
  })

/** Removes the parts of uploads that a killed process began: they cost money, and no list of objects shows them. */
const sweepUploads = async (client: S3Client, bucket: string): Promise<void> => {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: PREFIX }))
  for (const { Initiated, Key, UploadId } of Uploads) {
    if (Initiated === undefined || Date.now() - Initiated.getTime() < ABANDONED_MS) continue
    await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
  }
}

export const PacksS3 = (settings: S3Settings): Layer.Layer<Packs, StartRefused, PackStore> =>
  Layer.effect(Packs, Effect.gen(function*() {
    const { marks } = yield* PackStore
    const { bucket, cacheBytes, scratchDir } = settings
    const connected = (limits: Parameters<typeof connect>[1]) => Effect.acquireRelease(Effect.sync(() => connect(settings, limits)), (s3) => Effect.sync(() => s3.destroy()))
    const client = yield* connected({ requestTimeout: READ_LIMIT_MS, socketTimeout: 15_000 })
    // Sends on connections of its own: readers do not wait behind it. A part may take as long as it does while any of it goes out; its last
    // megabytes lie in buffers of the system, where nothing tells how they go on.
    const sender = yield* connected({ socketTimeout: 30_000 })
    const scratch = new Scratch(join(scratchDir, "scratch"))
    yield* step(() => scratch.prepare(), "The scratch folder cannot be made or read")
    yield* io("sweep what was left behind", async () => {
      await scratch.prepare()
      await sweepUploads(client, bucket)
    }).pipe(Effect.ignore, Effect.schedule(Schedule.spaced("1 hour")), Effect.forkScoped)

    const ask = async (id: string, Range: string, abortSignal: AbortSignal): Promise<Buffer | Error> => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(id), Range }), { abortSignal })
      if (!(Body instanceof Readable)) throw new Error("the store answered without a body")
      const stop = () => Body.destroy(new Error("the store is too slow"))
      abortSignal.addEventListener("abort", stop, { once: true })
      return buffer(Body).catch((cut: Error) => cut).finally(() => abortSignal.removeEventListener("abort", stop))
    }
    const fetch = async (id: string, offset: number, length: number): Promise<Buffer> => {
      const abortSignal = AbortSignal.timeout(READ_LIMIT_MS)
      for (let tries = 1; ; tries++) {
        const answer = await ask(id, `bytes=${offset}-${offset + length - 1}`, abortSignal)
        if (!(answer instanceof Error)) return answer
        if (tries === READ_TRIES || abortSignal.aborted) throw answer
      }
    }
    const whole = async (id: string, offset: number, length: number): Promise<Buffer> => {
      const bytes = await fetch(id, offset, length)
      if (bytes.length < length) throw tooShort()
      return bytes
    }
    const cache = yield* Effect.acquireRelease(
      Effect.sync(() => new BlockCache(scratch.fresh(), cacheBytes, fetch)),
      (blocks) => Effect.promise(() => blocks.close())
    )
    const run = Effect.runPromiseWith(yield* Effect.context<never>())
    yield* Effect.tryPromise(() => cache.compare((ids) => run(marks(ids)))).pipe(
      Effect.catchCause((cause) => Effect.logWarning("what is cached of packs was not compared with the database", cause)),
      Effect.schedule(Schedule.spaced("1 hour")),
      Effect.forkScoped
    )

    const sending = yield* Semaphore.make(SENDING_MB)
    /** Less than a megabyte waits for nobody. */
    const inTurn = (length: number) => sending.withPermits(Math.floor(Math.min(length, PARTS_AT_ONCE * PART) / MB))

    const store = async (id: string, { chunks, length }: Pick<Contents, "chunks" | "length">, signal: AbortSignal): Promise<void> => {
      const upload = new Upload({
        client: sender,
        params: { Bucket: bucket, Key: keyOf(id), Body: Readable.from(chunks()), ContentLength: length },
        partSize: Math.max(PART, Math.ceil(length / MOST_PARTS)),
        queueSize: PARTS_AT_ONCE
      })
      // Waits for the parts in flight, then removes them all from the bucket.
      signal.addEventListener("abort", () => void upload.abort(), { once: true })
      signal.throwIfAborted()
      await upload.done()
    }

    /** An object appears whole, once all of it arrived: one that breaks off on a wrong hash takes no pack's place. */
    const thin = async (id: string, dead: ReadonlyArray<Range>, living: ReadonlyArray<LivingRange>, signal: AbortSignal): Promise<boolean> => {
      const { ContentLength: length } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: keyOf(id) }), { abortSignal: signal })
      if (length === undefined) throw new Error("the store does not say how long a pack is")
      const copied = pieces(length, dead, living)
      if (copied === undefined) return false
      let differs = false
      const chunks = async function*() {
        try {
          // Around the cache, whose blocks are there for readers.
          yield* filled(runsOf(copied, (offset, size) => whole(id, offset, size)), length)
        } catch (error) {
          differs = error instanceof Differs
          throw error
        }
      }
      try {
        await store(id, { chunks, length }, signal)
      } catch (error) {
        if (differs) return false
        throw error
      }
      await cache.forget(id)
      return true
    }

    const deployment = async (limitMs = WHOSE_LIMIT_MS): Promise<string | undefined> => {
      const asked = client.send(new GetObjectCommand({ Bucket: bucket, Key: DEPLOYMENT }), { abortSignal: AbortSignal.timeout(limitMs) })
      const answer = await asked.catch((cause: unknown) => {
        if (cause instanceof NoSuchKey) return undefined
        throw cause
      })
      return (await answer?.Body?.transformToString())?.trim()
    }
    /** Of two simultaneous first starts one wins, if the store supports conditional writes; if not, both take what the bucket holds afterwards. */
    const claim = async (id: string): Promise<string> => {
      const found = await deployment()
      if (found !== undefined) return found
      const put = (IfNoneMatch?: "*") =>
        client.send(new PutObjectCommand({ Bucket: bucket, Key: DEPLOYMENT, Body: `${id}\n`, IfNoneMatch }), { abortSignal: AbortSignal.timeout(WHOSE_LIMIT_MS) })
      await put("*").catch((cause: unknown) => {
        const status = cause instanceof S3ServiceException ? cause.$metadata.httpStatusCode : undefined
        if (status === 501) return put()
        if (status !== 412 && status !== 409) throw cause
        return undefined
      })
      const written = await deployment()
      if (written === undefined) throw new Error("the store forgot what was written")
      return written
    }

    return {
      draft: makeDraft(scratch, (id, contents) => inTurn(contents.length)(io("keep a pack", (signal) => store(id, contents, signal)))),

      read: (id, offset, length) =>
        length === 0 ? Stream.empty : Stream.range(Math.floor(offset / BLOCK), Math.ceil((offset + length) / BLOCK) - 1).pipe(
          Stream.mapEffect((block) => {
            const from = Math.max(offset, block * BLOCK)
            const to = Math.min(offset + length, (block + 1) * BLOCK)
            return io("read a pack", () => cache.read(id, from, to - from, length <= LONG))
          }, { concurrency: READ_AHEAD })
        ),

      slice: (id, offset, length) =>
        length === 0 ? Effect.succeed(Buffer.alloc(0)) : io("read a pack", () => cache.read(id, offset, length)),

      thin: (id, dead, living) => io("thin a pack", (signal) => thin(id, dead, living, signal)),

      remove: (id) =>
        io("remove a pack", async () => {
          await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(id) }))
          await cache.forget(id)
        }),

      list: Stream.paginate(undefined as string | undefined, (page) =>
        Effect.map(
          io("list the packs", () => client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: PREFIX, ContinuationToken: page }))),
          ({ Contents = [], NextContinuationToken }) =>
            [
              Contents.flatMap(({ Key, LastModified }) =>
                Key === undefined || LastModified === undefined
                  ? []
                  : [{ id: Key.slice(PREFIX.length), storedAt: DateTime.fromDateUnsafe(LastModified) }]
              ),
              Option.fromUndefinedOr(NextContinuationToken)
            ] as const
        )),

      deployment: Effect.map(io("read whose packs these are", () => deployment()), Option.fromUndefinedOr),

      claim: (id) => io("write whose packs these are", () => claim(id)),

      ready: Effect.map(io("reach its bucket", () => deployment(READY_LIMIT_MS)), Option.fromUndefinedOr)
    }
  }))
