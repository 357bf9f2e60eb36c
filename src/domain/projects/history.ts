/**
 * What became of a project from version to version, for people who look at two of them side by side. Whether somebody may
 * is decided where they ask, on the facts of their door (hosting/rules.ts).
 */
import { Context, Effect, Layer, Option } from "effect"
import type { Asset, Manifest } from "../hosting/model.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { Comparing } from "./comparing.ts"
import type { Kind, ProjectId, Version } from "./model.ts"
import { VersionStore } from "./store.ts"
import type { VersionContents } from "./version-contents.ts"

/** The versions somebody asks for by their numbers; undefined where they leave it to us. */
export interface Asked {
  readonly from: number | undefined
  readonly to: number | undefined
}

export type Chosen =
  | { readonly as: "pair"; readonly from: Version; readonly to: Version }
  /** Nothing came before it, or nothing that is still kept. */
  | { readonly as: "only"; readonly version: Version }
  | { readonly as: "missing"; readonly number: number }

/** Unless told, the newest beside the one before it. `versions` are those kept, newest first. */
export const choose = (versions: ReadonlyArray<Version>, { from, to }: Asked): Chosen | undefined => {
  const numbered = (number: number) => versions.find(({ version }) => version === number)
  const [newest] = versions
  if (newest === undefined) return undefined
  for (const number of [from, to]) if (number !== undefined && numbered(number) === undefined) return { as: "missing", number }
  const before = (of: Version) => versions.find(({ version }) => version < of.version)
  if (to === undefined && from === newest.version) {
    // The newest is never the earlier one, unless both were named.
    return choose(versions, { from: undefined, to: from })
  }
  const later = to === undefined ? newest : numbered(to)!
  const earlier = from === undefined ? before(later) : numbered(from)!
  return earlier === undefined ? { as: "only", version: later } : { as: "pair", from: earlier, to: later }
}

/** How two versions are told apart: as lines of one text, as two documents beside each other, or as lists of files. */
export type Way = "lines" | "beside" | "files"

const WRITTEN: ReadonlySet<Kind> = new Set<Kind>(["markdown", "text", "data"])

export const wayOf = (from: Kind, to: Kind): Way =>
  from === "site" || to === "site" ? "files" : WRITTEN.has(from) && WRITTEN.has(to) ? "lines" : "beside"

/** What `/` answered, in one version. */
export interface Side {
  readonly version: Version
  readonly entry: string
  readonly asset: Asset
}

/** A document that got another name is still the same document. */
const renamed = (files: Manifest, from: string, to: string): Manifest => {
  if (from === to || Object.hasOwn(files, to)) return files
  const { [from]: document, ...others } = files
  return document === undefined ? files : { ...others, [to]: document }
}

export class History extends Context.Service<History>()("svc/domain/projects/History", {
  make: Effect.gen(function*() {
    const store = yield* VersionStore
    const comparing = yield* Comparing

    const side = (version: Version, { entry, manifest }: VersionContents): Side => ({ version, entry, asset: manifest[entry]! })

    /** The versions kept, and what changed between the two that are looked at; none where there is nothing to look at. */
    const changes = Effect.fn("History.changes")(function*(workspaceId: WorkspaceId, project: ProjectId, asked: Asked) {
      const versions = yield* store.list(project)
      const chosen = choose(versions, asked)
      if (chosen?.as !== "pair") return { versions, chosen, found: undefined }
      const found = yield* Effect.option(Effect.all([
        comparing.contentsOf(project, chosen.from.version, "from"),
        comparing.contentsOf(project, chosen.to.version, "to")
      ]))
      // Pruned between two questions.
      if (found._tag === "None") return { versions, chosen: { as: "missing", number: chosen.from.version } as const, found: undefined }
      const [from, to] = found.value
      const way = wayOf(from.kind, to.kind)
      const earlier = way === "files" ? from.manifest : renamed(from.manifest, from.entry, to.entry)
      const compared = yield* comparing.between(workspaceId, earlier, to.manifest, { whole: way === "lines" })
      return { versions, chosen, found: { way, from: side(chosen.from, from), to: side(chosen.to, to), ...compared } }
    })

    /** Which version a number is; none for one that was never made or is not kept any more. */
    const find = Effect.fn("History.find")((project: ProjectId, number: number) =>
      Effect.map(store.find(project, number), Option.getOrUndefined))

    return { changes, find }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

export type Changes = Effect.Success<ReturnType<typeof History.Service["changes"]>>
