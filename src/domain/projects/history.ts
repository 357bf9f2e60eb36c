/**
 * What changed between two versions of a project, for the history page. Whether a visitor may see it is decided at the door
 * (hosting/rules.ts).
 */
import { Context, Effect, Layer, Option } from "effect"
import type { Asset } from "../hosting/model.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { Comparing, differing } from "./comparing.ts"
import type { Kind, ProjectId, Version } from "./model.ts"
import { VersionStore } from "./store.ts"
import type { VersionContents } from "./version-contents.ts"

/** The numbers of the versions to compare; undefined where the visitor did not choose. */
export interface Asked {
  readonly from: number | undefined
  readonly to: number | undefined
}

export type Chosen =
  | { readonly as: "pair"; readonly from: Version; readonly to: Version }
  /** There is no earlier version, or none that is still kept. */
  | { readonly as: "only"; readonly version: Version }
  | { readonly as: "missing"; readonly number: number }

/** By default the newest version and the one before it. `versions`: the kept ones, newest first. */
export const choose = (versions: ReadonlyArray<Version>, { from, to }: Asked): Chosen | undefined => {
  const numbered = (number: number) => versions.find(({ version }) => version === number)
  const [newest] = versions
  if (newest === undefined) return undefined
  for (const number of [from, to]) if (number !== undefined && numbered(number) === undefined) return { as: "missing", number }
  const before = (of: Version) => versions.find(({ version }) => version < of.version)
  if (to === undefined && from === newest.version) {
    // The newest is never the earlier one of a pair, unless both were named.
    return choose(versions, { from: undefined, to: from })
  }
  const later = to === undefined ? newest : numbered(to)!
  const earlier = from === undefined ? before(later) : numbered(from)!
  return earlier === undefined ? { as: "only", version: later } : { as: "pair", from: earlier, to: later }
}

/** How two versions are compared: line by line, as two documents side by side, or as lists of files. */
export type Way = "lines" | "beside" | "files"

const WRITTEN: ReadonlySet<Kind> = new Set<Kind>(["markdown", "text", "data"])

export const wayOf = (from: Kind, to: Kind): Way =>
  from === "site" || to === "site" ? "files" : WRITTEN.has(from) && WRITTEN.has(to) ? "lines" : "beside"

/** The entry file of one version. */
export interface Side {
  readonly version: Version
  readonly entry: string
  readonly asset: Asset
}

export class History extends Context.Service<History>()("svc/domain/projects/History", {
  make: Effect.gen(function*() {
    const store = yield* VersionStore
    const comparing = yield* Comparing

    const side = (version: Version, { entry, manifest }: VersionContents): Side => ({ version, entry, asset: manifest[entry]! })

    /** The kept versions, and what changed between the chosen two; `found` is undefined if there is no pair to compare. */
    const changes = Effect.fn("History.changes")(function*(workspaceId: WorkspaceId, project: ProjectId, asked: Asked) {
      const versions = yield* store.list(project)
      const chosen = choose(versions, asked)
      if (chosen?.as !== "pair") return { versions, chosen, found: undefined }
      const found = yield* Effect.option(comparing.ofBoth(workspaceId, project, chosen.from.version, chosen.to.version, (from, to) => {
        return { way: wayOf(from.kind, to.kind), from: side(chosen.from, from), to: side(chosen.to, to), differ: differing(from, to) }
      }))
      // Pruned between the two reads.
      if (Option.isNone(found)) return { versions, chosen: { as: "missing", number: chosen.from.version } as const, found: undefined }
      const { differ, ...pair } = found.value
      return { versions, chosen, found: { ...pair, ...yield* comparing.between(workspaceId, differ, { whole: pair.way === "lines" }) } }
    })

    /** The version of this number; undefined if it never existed or is not kept any more. */
    const find = Effect.fn("History.find")((project: ProjectId, number: number) =>
      Effect.map(store.find(project, number), Option.getOrUndefined))

    return { changes, find }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

export type Changes = Effect.Success<ReturnType<typeof History.Service["changes"]>>
