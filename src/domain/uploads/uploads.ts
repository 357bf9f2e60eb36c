/**
 * Staged uploads, for agents whose calls are small (CONTRACT §10): (1) begin, when a publish would be permitted, (2)
 * chunks in any order, each durable before its call ends, (3) finish: they become one file, and that is an ordinary
 * publish with every check of one. Nothing is visible before. A chunk is a pack of its own and a row that names it, so
 * calls may meet different instances; what nobody finishes is swept, and bytes that lost their row are strays to the collector.
 */
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import type { User } from "../accounts/model.ts"
import { invalid } from "../failures.ts"
import { Atomically } from "../ports/atomically.ts"
import { Packs } from "../ports/packs.ts"
import { Tokens } from "../ports/tokens.ts"
import { Claiming } from "../projects/claiming.ts"
import { formOf, Publishing } from "../projects/publishing.ts"
import type { Incoming } from "../projects/receiving.ts"
import { tooLarge } from "../projects/receiving.ts"
import { PLANS } from "../workspaces/rules.ts"
import { UploadId } from "./model.ts"
import type { Chunk, Upload, UploadDraft, UploadSettings } from "./model.ts"
import * as Rules from "./rules.ts"
import { UploadStore } from "./store.ts"

/** Each with up to sixteen thousand chunks. */
const SWEPT_AT_ONCE = 50

export class Uploads extends Context.Service<Uploads>()("svc/domain/uploads/Uploads", {
  make: Effect.gen(function*() {
    const store = yield* UploadStore
    const claiming = yield* Claiming
    const publishing = yield* Publishing
    const packs = yield* Packs
    const tokens = yield* Tokens
    const { atomically } = yield* Atomically

    const own = (user: User, found: Option.Option<Upload>, now: DateTime.Utc) => {
      const upload = Option.getOrUndefined(found)
      if (upload === undefined || upload.userId !== user.id || !Rules.stands(upload, now)) return Effect.fail(Rules.noSuchUpload())
      return Effect.succeed(upload)
    }

    const begin = Effect.fn("Uploads.begin")(function*(user: User, { contentType, fileName, sizeBytes, slug, workspace: asked }: UploadDraft) {
      const now = yield* DateTime.now
      const { workspace } = yield* claiming.permit(user, slug, asked)
      const maxBytes = PLANS[workspace.plan].uploadBytes
      if (sizeBytes !== undefined && sizeBytes > maxBytes) return yield* tooLarge(maxBytes)
      const upload: Upload = {
        id: UploadId.make(yield* tokens.uuid),
        userId: user.id,
        workspaceId: workspace.id,
        slug,
        fileName: fileName ?? null,
        contentType: contentType ?? null,
        maxBytes,
        createdAt: now,
        claimedAt: null
      }
      yield* atomically(Effect.gen(function*() {
        yield* Effect.fromResult(Rules.room(yield* store.open(user.id, workspace.id, DateTime.subtract(now, Rules.LASTS))))
        yield* store.begin(upload)
      }))
      return { ...upload, expiresAt: Rules.expiresAt(upload) }
    })

    /** The chunk among those that are there, behind the upload's lock; answers what it took the place of. */
    const put = Effect.fn("Uploads.put")(
      function*(user: User, id: UploadId, chunk: Chunk) {
        const now = yield* DateTime.now
        const upload = yield* own(user, yield* store.hold(id), now)
        if (Rules.isClaimed(upload, now)) return yield* Rules.underWay()
        const chunks = yield* store.chunks(id)
        const sizeBytes = yield* Effect.fromResult(Rules.fits(upload, chunks, chunk.index, chunk.length))
        yield* store.keep(id, chunk)
        return { sizeBytes, replaced: chunks.find(({ index }) => index === chunk.index), expiresAt: Rules.expiresAt(upload) }
      },
      atomically
    )

    const discard = (pack: string) => Effect.ignore(packs.remove(pack))

    const append = Effect.fn("Uploads.append")(function*(user: User, id: UploadId, index: number, bytes: Uint8Array) {
      if (bytes.length === 0) return yield* invalid({ field: "base64", message: "The chunk is empty." })
      const upload = yield* own(user, yield* store.find(id), yield* DateTime.now)
      // What is certain to be refused is refused before its bytes are written.
      yield* Effect.fromResult(Rules.fits(upload, yield* store.chunks(id), index, bytes.length))
      const pack = yield* tokens.uuid
      yield* Effect.scoped(Effect.gen(function*() {
        const draft = yield* packs.draft
        const body = yield* draft.append(Stream.succeed(bytes), bytes.length)
        yield* draft.keep(pack, [body])
      }))
      // Whoever is cut off may have been written: what no row names is collected a day later.
      const { replaced, ...rest } = yield* put(user, id, { index, pack, length: bytes.length }).pipe(Effect.tapError(() => discard(pack)))
      if (replaced !== undefined) yield* discard(replaced.pack)
      return { ...rest, received: bytes.length }
    })

    const fileOf = ({ contentType, fileName }: Upload, chunks: ReadonlyArray<Chunk>, length: number): Incoming => ({
      path: fileName ?? undefined,
      contentType: contentType ?? undefined,
      length,
      owned: true,
      stays: true,
      bytes: Stream.flatMap(Stream.fromIterable(chunks), ({ length, pack }) => packs.read(pack, 0, length))
    })

    const publish = Effect.fn("Uploads.publish")(function*(user: User, upload: Upload, file: Incoming, { path, ...settings }: UploadSettings) {
      if (path === undefined) return yield* publishing.put(user, upload.slug, file, { ...settings, workspace: upload.workspaceId })
      const project = yield* publishing.addFiles(user, upload.slug, formOf([{ ...file, path }], {}), "Leave out path to publish it anew.")
      return { created: false, project }
    })

    const finish = Effect.fn("Uploads.finish")(function*(user: User, id: UploadId, settings: UploadSettings) {
      const now = yield* DateTime.now
      const upload = yield* own(user, yield* store.find(id), now)
      yield* Effect.fromResult(Rules.placed(settings))
      if (!(yield* store.claim(id, DateTime.subtract(now, Rules.CLAIM_LASTS), now))) return yield* Rules.underWay()
      const { chunks, published } = yield* Effect.gen(function*() {
        const chunks = yield* store.chunks(id)
        const length = yield* Effect.fromResult(Rules.whole(chunks))
        return { chunks, published: yield* publish(user, upload, fileOf(upload, chunks, length), settings) }
      }).pipe(Effect.onError(() => store.release(id)))
      yield* store.remove(id)
      yield* Effect.forEach(chunks, ({ pack }) => discard(pack), { discard: true, concurrency: 8 })
      return published
    })

    /** As long as there is more. Answers how many chunks. */
    const sweep = Effect.fn("Uploads.sweep")(function*() {
      const cutoff = DateTime.subtract(yield* DateTime.now, Rules.SWEPT_AFTER)
      for (let swept = 0;;) {
        const { packs: gone, uploads } = yield* store.forget(cutoff, SWEPT_AT_ONCE)
        yield* Effect.forEach(gone, discard, { discard: true, concurrency: 8 })
        swept += gone.length
        if (uploads < SWEPT_AT_ONCE) return swept
      }
    })

    return { begin, append, finish, sweep }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
