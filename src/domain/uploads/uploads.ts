/**
 * Staged uploads, for agents whose calls are small (CONTRACT §10): (1) begin, if a publish would be permitted; (2) append
 * chunks in any order, each durable before its call returns; (3) finish: the chunks become one file, which is published with
 * all the checks of an ordinary publish, whose transaction consumes the upload. Nothing is visible before that. A chunk is a
 * pack of its own and a row that names it, so calls may reach different instances. Unfinished uploads are swept; packs without
 * a row are collected as strays.
 */
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import type { User } from "../accounts/model.ts"
import { makePlanPages } from "../billing/plan-pages.ts"
import { invalid } from "../failures.ts"
import type { NotFound } from "../failures.ts"
import { Atomically } from "../ports/atomically.ts"
import { Packs } from "../ports/packs.ts"
import { Tokens } from "../ports/tokens.ts"
import { Claiming } from "../projects/claiming.ts"
import { Publishing } from "../projects/publishing.ts"
import { arrived, tooLarge } from "../projects/receiving.ts"
import type { Incoming } from "../projects/receiving.ts"
import { ProjectStore } from "../projects/store.ts"
import { undoing } from "../undoing.ts"
import { PLANS } from "../workspaces/rules.ts"
import { UploadId } from "./model.ts"
import type { Chunk, Upload, UploadDraft, UploadEnd } from "./model.ts"
import * as Rules from "./rules.ts"
import { UploadStore } from "./store.ts"

/** Uploads per statement: each may have sixteen thousand chunks. */
const SWEPT_AT_ONCE = 50

export class Uploads extends Context.Service<Uploads>()("svc/domain/uploads/Uploads", {
  make: Effect.gen(function*() {
    const store = yield* UploadStore
    const projects = yield* ProjectStore
    const claiming = yield* Claiming
    const publishing = yield* Publishing
    const packs = yield* Packs
    const tokens = yield* Tokens
    const { onPlanOf } = yield* makePlanPages
    const { atomically } = yield* Atomically

    const own = (user: User, found: Option.Option<Upload>, now: DateTime.Utc) => {
      const upload = Option.getOrUndefined(found)
      if (upload === undefined || upload.userId !== user.id || !Rules.stands(upload, now)) return Effect.fail(Rules.noSuchUpload())
      return Effect.succeed(upload)
    }

    /** An upload of the caller's own that is not over. */
    const standing = Effect.fn("Uploads.standing")(function*(user: User, id: UploadId) {
      return yield* own(user, yield* store.find(id), yield* DateTime.now)
    })

    const discard = (pack: string) => Effect.ignore(packs.remove(pack))

    const fits = (upload: Upload, chunks: ReadonlyArray<Chunk>, { index, length }: Pick<Chunk, "index" | "length">) =>
      onPlanOf(upload.workspaceId)(Effect.fromResult(Rules.fits(upload, chunks, index, length)))

    /** An upload of the caller's own that is not being published, behind its lock. */
    const idle = Effect.fn("Uploads.idle")(function*(user: User, id: UploadId, now: DateTime.Utc) {
      const upload = yield* own(user, yield* store.hold(id), now)
      return Rules.isClaimed(upload, now) ? yield* Rules.underWay() : upload
    })

    const begin = Effect.fn("Uploads.begin")(function*(user: User, { contentType, fileName, insteadOf, sizeBytes, slug, workspace: asked }: UploadDraft) {
      const now = yield* DateTime.now
      // Whether the upload replaces a project or adds a file to it, which an admin may do in a colleague's, is said when it is finished.
      const { held, workspace } = yield* claiming.permit(user, slug, asked, { update: true })
      const maxBytes = PLANS[workspace.plan].uploadBytes
      if (sizeBytes !== undefined && sizeBytes > maxBytes) return yield* onPlanOf(workspace.id)(Effect.fail(tooLarge(maxBytes)))
      const upload: Upload = {
        id: UploadId.make(yield* tokens.uuid),
        userId: user.id,
        workspaceId: workspace.id,
        slug,
        projectId: held?.id ?? null,
        fileName: fileName ?? null,
        contentType: contentType ?? null,
        maxBytes,
        sizeBytes: sizeBytes ?? null,
        createdAt: now,
        claimedAt: null
      }
      const dropped = yield* atomically(Effect.gen(function*() {
        const open = yield* store.open(user.id, workspace.id, DateTime.subtract(now, Rules.LASTS))
        // One that is over already needs no giving up.
        const given = open.find(({ id }) => id === insteadOf)
        const packs = given === undefined ? [] : yield* Effect.flatMap(idle(user, given.id, now), ({ id }) => store.drop(id))
        yield* Effect.fromResult(Rules.room(open.filter((one) => one !== given)))
        yield* store.begin(upload)
        return packs
      }))
      yield* Effect.forEach(dropped, discard, { discard: true, concurrency: 8 })
      return { ...upload, expiresAt: Rules.expiresAt(upload), isColleagues: held !== undefined && held.owner.id !== user.id }
    })

    /** Adds the chunk behind the upload's lock; returns the chunk that it replaced, if any. */
    const put = Effect.fn("Uploads.put")(
      function*(user: User, id: UploadId, chunk: Chunk, last: Effect.Effect<void>) {
        const now = yield* DateTime.now
        const upload = yield* idle(user, id, now)
        const chunks = yield* store.chunks(id)
        const sizeBytes = yield* fits(upload, chunks, chunk)
        yield* store.keep(id, chunk)
        yield* last
        return { sizeBytes, replaced: chunks.find(({ index }) => index === chunk.index), expiresAt: Rules.expiresAt(upload) }
      },
      atomically
    )

    const append = Effect.fn("Uploads.append")(function*(user: User, id: UploadId, index: number, bytes: Uint8Array) {
      if (bytes.length === 0) return yield* invalid({ field: "base64", message: "The chunk is empty." })
      const upload = yield* standing(user, id)
      // Checked before the bytes are written, and again behind the lock.
      yield* fits(upload, yield* store.chunks(id), { index, length: bytes.length })
      const pack = yield* tokens.uuid
      yield* Effect.scoped(Effect.gen(function*() {
        const draft = yield* packs.draft
        const body = yield* draft.append(Stream.succeed(bytes), bytes.length)
        yield* draft.keep(pack, [body])
      }))
      // A pack that no row names, and that could not be removed here, is collected a day later.
      const { replaced, ...rest } = yield* undoing(discard(pack), (last) => put(user, id, { index, pack, length: bytes.length }, last))
      if (replaced !== undefined) yield* discard(replaced.pack)
      return { ...rest, received: bytes.length }
    })

    const fileOf = (upload: Upload, { contentType, fileName }: UploadEnd, chunks: ReadonlyArray<Chunk>, length: number): Incoming => ({
      path: fileName ?? upload.fileName ?? undefined,
      contentType: contentType ?? upload.contentType ?? undefined,
      length,
      owned: true,
      stays: true,
      bytes: Stream.flatMap(Stream.fromIterable(chunks), ({ length, pack }) => packs.read(pack, 0, length))
    })

    /** Fails where the slug is no longer that of the project that the upload was begun for. */
    const asMeant = Effect.fn("Uploads.asMeant")(function*(user: User, { projectId, slug }: Upload) {
      if (projectId === null || Option.exists(yield* projects.reach(slug, user.id), ({ project }) => project.id === projectId)) return
      return yield* Rules.movedAway()
    })

    const spend = Effect.fn("Uploads.spend")(function*(user: User, upload: Upload, claimedAt: DateTime.Utc) {
      yield* asMeant(user, upload)
      if (!(yield* store.spend(upload.id, claimedAt))) return yield* Rules.noSuchUpload()
    })

    const publish = Effect.fn("Uploads.publish")(function*(user: User, upload: Upload, file: Incoming, { base, path, settings, update }: UploadEnd, last: Effect.Effect<void, NotFound>) {
      if (path === undefined) return yield* publishing.put(user, upload.slug, file, { ...settings, base, workspace: upload.workspaceId, mustExist: update ?? false }, last)
      const added = yield* publishing.addFiles(user, upload.slug, arrived([{ ...file, path }], { base }), "Leave out path to publish it anew.", last)
      return { ...added, created: false }
    })

    const finish = Effect.fn("Uploads.finish")(function*(user: User, id: UploadId, end: UploadEnd) {
      const now = yield* DateTime.now
      const upload = yield* own(user, yield* store.find(id), now)
      yield* Effect.fromResult(Rules.placed(end))
      yield* asMeant(user, upload)
      if (!(yield* store.claim(id, DateTime.subtract(now, Rules.CLAIM_LASTS), now))) return yield* Rules.underWay()
      const { chunks, published } = yield* Effect.gen(function*() {
        const chunks = yield* store.chunks(id)
        const length = yield* Effect.fromResult(Rules.whole(chunks, end.sizeBytes ?? upload.sizeBytes))
        return { chunks, published: yield* publish(user, upload, fileOf(upload, end, chunks, length), end, spend(user, upload, now)) }
      }).pipe(Effect.onError(() => store.release(id, now)))
      yield* Effect.forEach(chunks, ({ pack }) => discard(pack), { discard: true, concurrency: 8 })
      return published
      // A caller who is cut off must neither leave the claim behind nor have the upload published again.
    }, Effect.uninterruptible)

    /** Removes every overdue upload; returns how many chunks they had. */
    const sweep = Effect.fn("Uploads.sweep")(function*() {
      const cutoff = DateTime.subtract(yield* DateTime.now, Rules.SWEPT_AFTER)
      for (let swept = 0;;) {
        const { packs: gone, uploads } = yield* store.forget(cutoff, SWEPT_AT_ONCE)
        yield* Effect.forEach(gone, discard, { discard: true, concurrency: 8 })
        swept += gone.length
        if (uploads < SWEPT_AT_ONCE) return swept
      }
    })

    return { standing, begin, append, finish, sweep }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
