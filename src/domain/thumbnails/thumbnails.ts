/**
 * Documents drawn small, for those who choose among many. A publish begins the drawing and waits for nothing; a list that
 * meets a version that was not drawn, such as one of an earlier release or of a process that died, begins it anew.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { orFail } from "../found.ts"
import { assetAt } from "../hosting/model.ts"
import { Packs } from "../ports/packs.ts"
import { Thumbnailer } from "../ports/thumbnailer.ts"
import type { Project, VersionId } from "../projects/model.ts"
import { makeReaching } from "../projects/reaching.ts"
import { makeContentsOf } from "../projects/version-contents.ts"
import { makeTurns } from "../turns.ts"
import type { Claim } from "../turns.ts"
import * as Rules from "./rules.ts"
import { ThumbnailStore } from "./store.ts"

/** At once in one process: each takes a core, and up to half a gigabyte. */
const AT_ONCE = 1

/** So many of a workspace may wait; the others are begun when they are listed next. */
const WAITING = 64

export class Thumbnails extends Context.Service<Thumbnails>()("svc/domain/thumbnails/Thumbnails", {
  make: Effect.gen(function*() {
    const store = yield* ThumbnailStore
    const thumbnailer = yield* Thumbnailer
    const { seen } = yield* makeReaching
    const packs = yield* Packs
    const contentsOf = yield* makeContentsOf
    const scope = yield* Effect.scope
    const turns = makeTurns(AT_ONCE)
    const begun = new Map<VersionId, Claim>()

    const draw = Effect.fn("Thumbnails.draw")(function*({ id, version: number }: Project) {
      const version = Option.getOrUndefined(yield* Effect.option(contentsOf(id, number)))
      const asset = version && assetAt(version.manifest, version.entry)
      // Removed meanwhile.
      if (version === undefined || asset === undefined) return
      const { length, offset, pack, type } = asset
      const drawn = Rules.isDrawable(asset) ? yield* thumbnailer.draw({ type, bytes: yield* packs.slice(pack, offset, length) }) : "none"
      if (drawn !== "unbegun") yield* store.keep(version.id, drawn, yield* DateTime.now)
    })

    /** Begins the drawing of what is served, unless that is under way. */
    const begin = Effect.fn("Thumbnails.begin")(function*(project: Project) {
      const { currentVersionId: version, workspaceId } = project
      if (!Rules.hasThumbnail(project) || version === null || begun.has(version)) return
      if (begun.values().filter(({ of }) => of === workspaceId).toArray().length >= WAITING) return
      const claim: Claim = { of: workspaceId, awaited: false }
      begun.set(version, claim)
      yield* turns.inTurn(claim, draw(project)).pipe(
        Effect.catchCause((cause) => Effect.logWarning("a thumbnail was not drawn", cause)),
        Effect.ensuring(Effect.sync(() => begun.delete(version))),
        Effect.forkIn(scope)
      )
    })

    const of = Effect.fn("Thumbnails.of")(function*(user: User, slug: string, version: number) {
      const { project } = yield* seen(user, slug)
      return yield* store.find(project.id, version).pipe(orFail(Rules.noThumbnail))
    })

    return { begin, of }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
