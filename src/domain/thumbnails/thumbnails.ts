/**
 * Documents drawn small, for those who choose among many, and pictures that browsers do not show drawn in full beside that. A publish
 * begins the drawing and waits for nothing; a list, or a reader of such a picture, that meets a version that was not drawn, such as one
 * of an earlier release or of a process that died, begins it anew.
 */
import { Context, DateTime, Effect, Fiber, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { orFail } from "../found.ts"
import { assetAt } from "../hosting/model.ts"
import type { Asset } from "../hosting/model.ts"
import type { As } from "../hosting/raw-files.ts"
import { Packs } from "../ports/packs.ts"
import { Thumbnailer } from "../ports/thumbnailer.ts"
import type { Project, VersionId } from "../projects/model.ts"
import { makeReaching } from "../projects/reaching.ts"
import { makeContentsOf } from "../projects/version-contents.ts"
import { makeTurns } from "../turns.ts"
import type { Claim } from "../turns.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import * as Rules from "./rules.ts"
import { ThumbnailStore } from "./store.ts"

/** At once in one process: each takes a core, and up to half a gigabyte. */
const AT_ONCE = 1

/** So many of a workspace may wait; the others are begun when they are listed next. */
const WAITING = 64

/** How long a reader waits. */
const PATIENCE = "30 seconds"

interface Running {
  readonly claim: Claim
  readonly fiber: Fiber.Fiber<void>
}

export class Thumbnails extends Context.Service<Thumbnails>()("svc/domain/thumbnails/Thumbnails", {
  make: Effect.gen(function*() {
    const store = yield* ThumbnailStore
    const thumbnailer = yield* Thumbnailer
    const { seen } = yield* makeReaching
    const packs = yield* Packs
    const contentsOf = yield* makeContentsOf
    const scope = yield* Effect.scope
    const turns = makeTurns(AT_ONCE)
    const running = new Map<VersionId, Running>()

    const draw = Effect.fn("Thumbnails.draw")(function*(version: VersionId, asset: Asset) {
      const { length, offset, pack, type } = asset
      const drawn = Rules.isDrawable(asset) ? yield* thumbnailer.draw({ type, bytes: yield* packs.slice(pack, offset, length) }) : "none"
      if (drawn !== "unbegun") yield* store.keep(version, drawn, yield* DateTime.now)
    })

    const drawServed = Effect.fn("Thumbnails.drawServed")(function*({ id, version: number }: Project) {
      const version = Option.getOrUndefined(yield* Effect.option(contentsOf(id, number)))
      const asset = version && assetAt(version.manifest, version.entry)
      // Removed meanwhile.
      if (version !== undefined && asset !== undefined) yield* draw(version.id, asset)
    })

    /** Starts the drawing in a fiber that outlives whoever asked for it. */
    const begun = Effect.fnUntraced(function*<E>(version: VersionId, claim: Claim, drawing: Effect.Effect<void, E>) {
      const fiber = yield* turns.inTurn(claim, drawing).pipe(
        Effect.catchCause((cause) => Effect.logWarning("a version was not drawn", cause)),
        Effect.ensuring(Effect.sync(() => running.get(version)?.claim === claim && running.delete(version))),
        Effect.forkIn(scope)
      )
      const one: Running = { claim, fiber }
      running.set(version, one)
      return one
    })

    /** Begins the drawing of what is served, unless that is under way. */
    const begin = Effect.fn("Thumbnails.begin")(function*(project: Project) {
      const { currentVersionId: version, workspaceId } = project
      if (!Rules.hasThumbnail(project) || version === null || running.has(version)) return
      if (running.values().filter(({ claim: { of } }) => of === workspaceId).toArray().length >= WAITING) return
      yield* begun(version, { of: workspaceId, awaited: false }, drawServed(project))
    })

    /** For readers of the document itself: small, or in full what browsers do not show. None if it cannot be drawn, or not soon. */
    const picture = Effect.fn("Thumbnails.picture")(function*(workspaceId: WorkspaceId, version: VersionId, asset: Asset, as: As) {
      if (!Rules.isDrawable(asset) || (as === "whole" && !Rules.isForeign(asset))) return Option.none<Uint8Array>()
      const kept = Effect.map(store.drawn(version, as), Option.getOrUndefined)
      const before = yield* kept
      if (before !== undefined && !Rules.isDueStill(before, yield* DateTime.now)) return Option.fromNullishOr(before.picture)
      const one = running.get(version) ?? (yield* begun(version, { of: workspaceId, awaited: true }, draw(version, asset)))
      one.claim.awaited = true
      yield* Effect.timeoutOption(Fiber.join(one.fiber), PATIENCE)
      return Option.fromNullishOr((yield* kept)?.picture)
    })

    const of = Effect.fn("Thumbnails.of")(function*(user: User, slug: string, version: number) {
      const { project } = yield* seen(user, slug)
      return yield* store.find(project.id, version).pipe(orFail(Rules.noThumbnail))
    })

    return { begin, of, picture }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
