/** Reads a version: for agents the list of its files and the text of one of them (CONTRACT §10), for all what it names and does not hold. */
import { Context, Effect, Layer } from "effect"
import type { User } from "../accounts/model.ts"
import { NotFound } from "../failures.ts"
import { assetAt, inPathOrder } from "../hosting/model.ts"
import type { Asset } from "../hosting/model.ts"
import { Packs } from "../ports/packs.ts"
import { makeTurns } from "../turns.ts"
import { comparable, isTextType } from "./changed-files.ts"
import { spelled } from "./file-paths.ts"
import { missingAmong, namesIn } from "./missing-files.ts"
import type { Project } from "./model.ts"
import { makeReaching } from "./reaching.ts"
import { makeContentsOf } from "./version-contents.ts"

/** Per answer: characters of text, files listed, and the size of a file that is read at all. */
const PAGE = 100_000
export const MAX_LISTED = 1_000
export const MAX_FILE = 4 * 1024 * 1024

/** Held in memory at once, with the manifest that names it, one of a person: an agent may ask for many. */
const AT_ONCE = 4

interface Asked {
  /** By default the version being served. */
  readonly version?: number | undefined
  /** By default the entry, which `/` answers with. */
  readonly path?: string | undefined
  /** In characters. */
  readonly offset?: number | undefined
}

const nothingYet = () => new NotFound({ message: "Nothing is published there yet. Publish to this slug first.", field: "slug" })

const noSuchFile = () => new NotFound({ message: "There is no such file in this version. The list of files names them all.", field: "path" })

/** One page of the text from `offset`; it never ends inside a surrogate pair. */
const pageFrom = (text: string, offset: number): string => {
  const end = offset + PAGE
  return text.slice(offset, /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end)
}

export class Reading extends Context.Service<Reading>()("svc/domain/projects/Reading", {
  make: Effect.gen(function*() {
    const { seen } = yield* makeReaching
    const contentsOf = yield* makeContentsOf
    const packs = yield* Packs
    const turns = makeTurns(AT_ONCE)

    const pageOf = Effect.fnUntraced(function*(project: Project, { offset = 0, path: asked, version: number }: Asked) {
      const { manifest, ...version } = yield* contentsOf(project.id, number ?? project.version)

      const path = spelled(asked?.replace(/^\/+/, "") ?? "") || version.entry
      const asset = assetAt(manifest, path)
      if (asset === undefined) return yield* noSuchFile()
      const all = inPathOrder(manifest)
      const files = all.slice(0, MAX_LISTED).map(([path, { length, type }]) => ({ path, type, sizeBytes: length }))
      const found = { slug: project.slug, version: number ?? project.version, servedVersion: project.version, kind: version.kind, files, fileCount: all.length, path, type: asset.type }

      const nothing = (leftOut: "not_text" | "too_large") => ({ ...found, text: null, nextOffset: null, leftOut })
      if (!isTextType(asset.type)) return nothing("not_text")
      if (asset.length > MAX_FILE) return nothing("too_large")
      const bytes = asset.length === 0 ? new Uint8Array() : yield* packs.slice(asset.pack, asset.offset, asset.length)
      const whole = comparable(bytes, asset.type)
      if (whole === undefined) return nothing("not_text")
      const text = pageFrom(whole, offset)
      return { ...found, text, nextOffset: offset + text.length < whole.length ? offset + text.length : null, leftOut: null }
    })

    const read = Effect.fn("Reading.read")(function*(user: User, slug: string, asked: Asked) {
      const { project } = yield* seen(user, slug)
      if (project.version === 0) return yield* nothingYet()
      return yield* turns.inTurn({ of: user.id, awaited: true }, pageOf(project, asked))
    })

    const missingOf = Effect.fnUntraced(function*(project: Project) {
      const { kind, manifest } = yield* contentsOf(project.id, project.version)
      const files = Object.entries(manifest).map(([path, asset]) => ({ ...asset, path }))
      const start = ({ length, offset, pack }: Asset, most: number) => length === 0 ? Effect.succeed(new Uint8Array()) : packs.slice(pack, offset, Math.min(length, most))
      const names = yield* namesIn(kind, files, start)
      return { version: project.version, missing: missingAmong(names, () => Object.keys(manifest)) ?? null }
    })

    /** What the version being served names and does not hold. */
    const missing = Effect.fn("Reading.missing")(function*(user: User, slug: string) {
      const { project } = yield* seen(user, slug)
      return project.version === 0 ? { version: 0, missing: null } : yield* turns.inTurn({ of: user.id, awaited: true }, missingOf(project))
    })

    return { read, missing }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
