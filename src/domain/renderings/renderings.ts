/**
 * Rendered documents. The first to ask for a document, usually the publish itself, renders and stores it; everyone else reads
 * the stored rendering. It can always be made again from its version, so nothing is lost if a process dies meanwhile. An
 * incomplete rendering is stored for a limited time or not at all. No reader waits long: one that was not ready is there later.
 */
import { Context, DateTime, Effect, Fiber, Layer, Option } from "effect"
import type { Duration } from "effect"
import { assetAt } from "../hosting/model.ts"
import type { Asset, Manifest } from "../hosting/model.ts"
import { pinnedPath } from "../hosting/raw-files.ts"
import { Packs } from "../ports/packs.ts"
import { Renderer } from "../ports/renderer.ts"
import type { Unavailable } from "../failures.ts"
import type { Rendered } from "../ports/renderer.ts"
import type { Project, VersionId } from "../projects/model.ts"
import { VersionStore } from "../projects/store.ts"
import { decoded } from "../projects/documents/text-encodings.ts"
import { makeContentsOf } from "../projects/version-contents.ts"
import { makeTurns } from "../turns.ts"
import type { Claim } from "../turns.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { Lifting } from "./pictures.ts"
import { keptUntil } from "./rules.ts"
import { RenderingStore } from "./store.ts"

/** Longer documents, their pictures aside, are shown as plain text: rendering them would take minutes. */
const RENDERED_BYTES = 2 * 1024 * 1024

/** With their pictures. */
const READ_BYTES = 32 * 1024 * 1024

/** Read and searched at once: others get their turn in between. */
const PIECE_BYTES = 1024 * 1024

/** So many versions are remembered as too long, and not searched for every reader. */
const TOO_LONG = 10_000

/** Renderings at once in one process: each has a thread of its own. */
const AT_ONCE = 2

/** Renderings ahead of readers that a workspace may have waiting; further publishes are rendered for their first reader. */
const AHEAD = 16

/** How long a reader waits. */
export const Patience = Context.Reference<Duration.Input>("svc/domain/renderings/Patience", { defaultValue: () => "2 seconds" })

interface Running {
  readonly claim: Claim
  readonly fiber: Fiber.Fiber<Rendered | undefined, Unavailable>
}

interface Renderable {
  readonly id: VersionId
  readonly kind: string
  /** The path of the document. */
  readonly entry: string
}

const isRenderable = ({ entry, kind }: Renderable, files: Manifest): boolean =>
  kind === "markdown" && (assetAt(files, entry)?.length ?? Infinity) <= READ_BYTES

export class Renderings extends Context.Service<Renderings>()("svc/domain/renderings/Renderings", {
  make: Effect.gen(function*() {
    const store = yield* RenderingStore
    const renderer = yield* Renderer
    const contentsOf = yield* makeContentsOf
    const versions = yield* VersionStore
    const packs = yield* Packs
    const scope = yield* Effect.scope
    const patience = yield* Patience
    const running = new Map<VersionId, Running>()
    const turns = makeTurns(AT_ONCE)
    const tooLong = new Set<VersionId>()

    /** Reads no further than until it is too long. */
    const withoutPictures = Effect.fnUntraced(function*({ hash, length, offset, pack }: Asset, stays: (from: number) => boolean) {
      const lifting = new Lifting(hash, stays)
      for (let at = 0; at < length; at += PIECE_BYTES) {
        lifting.take(yield* packs.slice(pack, offset + at, Math.min(PIECE_BYTES, length - at)))
        if (lifting.length > RENDERED_BYTES) return undefined
      }
      const lifted = lifting.lifted()
      return lifted.bytes.length > RENDERED_BYTES ? undefined : lifted
    })

    const make = Effect.fn("Renderings.make")(function*(version: Renderable, files: Manifest) {
      const asset = files[version.entry]!
      const images = Object.keys(files).filter((path) => /^image\//i.test(files[path]!.type))
      const attempt = Effect.fnUntraced(function*(stays: (from: number) => boolean) {
        const lifted = yield* withoutPictures(asset, stays)
        if (lifted === undefined) return undefined
        const { bytes, count, mark } = lifted
        const pictures = count > 0 && { pictures: { mark, address: pinnedPath(version.entry, asset) } }
        return yield* renderer.render({ text: decoded(bytes, asset.type), path: version.entry, images, ...pictures })
      })
      const first = yield* attempt(() => false)
      const spilled = new Set(first?.spilled)
      const second = spilled.size === 0 ? first : yield* attempt((from) => spilled.has(from))
      // With the texts of some, others may turn out to be no images either.
      const rendered = second?.spilled === undefined ? second : yield* attempt(() => true)
      if (rendered === undefined) {
        if (tooLong.size >= TOO_LONG) tooLong.clear()
        tooLong.add(version.id)
        return undefined
      }
      const now = yield* DateTime.now
      const until = keptUntil(rendered, now)
      if (until !== null && DateTime.isLessThanOrEqualTo(until, now)) return rendered
      return yield* store.keep(version.id, renderer.edition, rendered, { now, until })
    })

    const findOrMake = Effect.fn("Renderings.findOrMake")(function*(version: Renderable, files: Manifest, claim: Claim) {
      const kept = yield* store.find(version.id, renderer.edition, yield* DateTime.now)
      return Option.isSome(kept) ? kept.value : yield* turns.inTurn(claim, make(version, files))
    })

    /** Starts the task in a fiber that outlives whoever asked for it. */
    const begun = Effect.fnUntraced(function*(id: VersionId, claim: Claim, task: Effect.Effect<Rendered | undefined, Unavailable>) {
      const over = Effect.sync(() => running.get(id)?.claim === claim && running.delete(id))
      const fiber = yield* Effect.forkIn(Effect.ensuring(task, over), scope)
      const one = { claim, fiber }
      running.set(id, one)
      return one
    })

    /**
     * Undefined if there is no document or it is too long; "coming" if it is not ready yet. Concurrent callers share one
     * rendering.
     */
    const of = Effect.fn("Renderings.of")(function*(workspaceId: WorkspaceId, version: Renderable, files: Manifest) {
      if (!isRenderable(version, files) || tooLong.has(version.id)) return undefined
      const claim: Claim = { of: workspaceId, awaited: true }
      const one = running.get(version.id) ?? (yield* begun(version.id, claim, findOrMake(version, files, claim)))
      one.claim.awaited = true
      return yield* Effect.timeoutOrElse(Fiber.join(one.fiber), { duration: patience, orElse: () => Effect.succeed("coming" as const) })
    })

    /** Skips a version that a newer one has replaced, unless somebody waits for it. */
    const ofLatest = Effect.fn("Renderings.ofLatest")(function*({ id, version: number }: Project, claim: Claim) {
      const version = Option.getOrUndefined(yield* Effect.option(contentsOf(id, number)))
      const followed = Option.isSome(yield* versions.find(id, number + 1))
      if (version === undefined || !isRenderable(version, version.manifest)) return undefined
      if (!followed || claim.awaited) return yield* make(version, version.manifest)
      // Removed at once, so that nobody joins a rendering that was skipped.
      running.delete(version.id)
      return undefined
    })

    /** Starts rendering what was just published, without waiting for it. */
    const begin = Effect.fn("Renderings.begin")(function*(project: Project) {
      const { currentVersionId, kind, workspaceId } = project
      if (kind !== "markdown" || currentVersionId === null || running.has(currentVersionId)) return
      const ahead = running.values().filter(({ claim }) => claim.of === workspaceId && !claim.awaited)
      if (ahead.toArray().length >= AHEAD) return
      const claim: Claim = { of: workspaceId, awaited: false }
      const task = turns.inTurn(claim, ofLatest(project, claim)).pipe(
        Effect.tapCause((cause) => Effect.logWarning("a publish was not rendered ahead", cause))
      )
      yield* begun(currentVersionId, claim, task)
    })

    return { of, begin }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
