/**
 * Rendered documents. The first who wants one makes it, the publish itself as a rule, and all others read what that one
 * kept: a rendering is remade from its version at any time, so that nothing is lost where a process dies over it. What came out
 * short is kept for a while, or not at all.
 */
import { Context, DateTime, Effect, Fiber, Layer, Option } from "effect"
import type { Manifest } from "../hosting/model.ts"
import { HostingStore } from "../hosting/store.ts"
import { Packs } from "../ports/packs.ts"
import { Renderer } from "../ports/renderer.ts"
import type { Unavailable } from "../failures.ts"
import type { Rendered } from "../ports/renderer.ts"
import type { Project, VersionId } from "../projects/model.ts"
import { VersionStore } from "../projects/store.ts"
import { decoded } from "../projects/text-encodings.ts"
import { keptUntil } from "./rules.ts"
import { RenderingStore } from "./store.ts"

/** Beyond this a document is shown as the text that it is: rendering it would take minutes. */
const RENDERED_BYTES = 2 * 1024 * 1024

/** Publishes beyond these are rendered for their first reader. */
const AHEAD = 64

export interface Renderable {
  readonly id: VersionId
  readonly kind: string
  /** The path of the document. */
  readonly entry: string
}

const isRenderable = ({ entry, kind }: Renderable, files: Manifest): boolean =>
  kind === "markdown" && Object.hasOwn(files, entry) && files[entry]!.length <= RENDERED_BYTES

export class Renderings extends Context.Service<Renderings>()("svc/domain/renderings/Renderings", {
  make: Effect.gen(function*() {
    const store = yield* RenderingStore
    const renderer = yield* Renderer
    const hosting = yield* HostingStore
    const versions = yield* VersionStore
    const packs = yield* Packs
    const scope = yield* Effect.scope
    const running = new Map<VersionId, Fiber.Fiber<Rendered, Unavailable>>()
    let ahead = 0

    const make = Effect.fn("Renderings.make")(function*(version: Renderable, files: Manifest) {
      const { length, offset, pack, type } = files[version.entry]!
      const bytes = length === 0 ? new Uint8Array() : yield* packs.slice(pack, offset, length)
      const images = Object.keys(files).filter((path) => /^image\//i.test(files[path]!.type))
      const rendered = yield* renderer.render({ text: decoded(bytes, type), path: version.entry, images })
      const now = yield* DateTime.now
      const until = keptUntil(rendered, now)
      if (until !== null && DateTime.isLessThanOrEqualTo(until, now)) return rendered
      return yield* store.keep(version.id, renderer.edition, rendered, { now, until })
    })

    const findOrMake = Effect.fn("Renderings.findOrMake")(function*(version: Renderable, files: Manifest) {
      const kept = yield* store.find(version.id, renderer.edition, yield* DateTime.now)
      return Option.isSome(kept) ? kept.value : yield* make(version, files)
    })

    /** Undefined where there is no document, or too long a one. Those who want it at the same time wait for one rendering, which outlives them. */
    const of = Effect.fn("Renderings.of")(function*(version: Renderable, files: Manifest) {
      if (!isRenderable(version, files)) return undefined
      const before = running.get(version.id)
      if (before !== undefined) return yield* Fiber.join(before)
      const task = Effect.ensuring(findOrMake(version, files), Effect.sync(() => running.delete(version.id)))
      const fiber = yield* Effect.forkIn(task, scope)
      running.set(version.id, fiber)
      return yield* Fiber.join(fiber)
    })

    const ofLatest = Effect.fn("Renderings.ofLatest")(function*({ id, version: number }: Project) {
      const version = Option.getOrUndefined(yield* versions.find(id, number))
      const files = version && Option.getOrUndefined(yield* hosting.manifest(version.id))
      if (version !== undefined && files !== undefined) yield* of(version, files)
    })

    /** Begins with what was just published, and does not wait for it. */
    const begin = Effect.fn("Renderings.begin")(function*(project: Project) {
      if (project.kind !== "markdown" || ahead >= AHEAD) return
      ahead++
      yield* ofLatest(project).pipe(
        Effect.catchCause((cause) => Effect.logWarning("a publish was not rendered ahead", cause)),
        Effect.ensuring(Effect.sync(() => ahead--)),
        Effect.forkIn(scope)
      )
    })

    return { of, begin }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
