/**
 * Compares two versions (CONTRACT §8): (1) their manifests tell which files differ, (2) files that are text in both are read
 * and compared line by line, one at a time and within limits, (3) every file that is left out is marked as such.
 */
import { Context, Effect, Layer } from "effect"
import type { User } from "../accounts/model.ts"
import type { Asset, Manifest } from "../hosting/model.ts"
import { Packs } from "../ports/packs.ts"
import { makeTurns } from "../turns.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import type { ChangedFile } from "./changed-files.ts"
import { changedFiles, comparable, isTextType } from "./changed-files.ts"
import { CONTEXT, editsOf, lineDiff, sizeOf } from "./line-diffs.ts"
import type { Hunk } from "./line-diffs.ts"
import type { ProjectId } from "./model.ts"
import { makeReaching } from "./reaching.ts"
import { makeContentsOf } from "./version-contents.ts"
import type { VersionContents } from "./version-contents.ts"

/** Files that each list names; the counts cover all. */
const LISTED = 1000

/** Per answer: text files read, to show their lines, bytes of these lines, and the size of a file that is read at all. */
const DIFFS = 50
const ROOM = 256 * 1024
const MAX_TEXT = 1024 * 1024

/** The largest text that is shown in full if that is asked for; of longer ones, only the changes are shown. */
const WHOLE = 96 * 1024

/** Added and removed lines: in one file, which bounds the search, and in one answer. */
const EDITS = 1000
const ALL_EDITS = 4000

type LeftOut = "too_large" | "no_room"

export interface FileDiff {
  readonly path: string
  /** Null if they are left out. */
  readonly hunks: ReadonlyArray<Hunk> | null
  readonly leftOut: LeftOut | null
}

/** What a comparison tells without reading a file, and of the changed files those that are read. */
export interface Differing {
  readonly summary: Readonly<Record<"added" | "changed" | "removed" | "unchanged", number>>
  readonly files: {
    readonly added: ReadonlyArray<{ readonly path: string; readonly sizeBytes: number }>
    readonly changed: ReadonlyArray<{ readonly path: string; readonly sizeBytesFrom: number; readonly sizeBytesTo: number }>
    readonly removed: ReadonlyArray<{ readonly path: string; readonly sizeBytes: number }>
  }
  readonly listed: ReadonlyArray<ChangedFile>
  readonly truncated: boolean
}

/** The earlier files; a document under a new name takes the place of its predecessor. */
const earlierOf = (from: VersionContents, to: VersionContents): Manifest => {
  const { [from.entry]: document, ...others } = from.manifest
  const isRenamed = from.kind !== "site" && to.kind !== "site" && document !== undefined && !Object.hasOwn(from.manifest, to.entry)
  return isRenamed ? { ...others, [to.entry]: document } : from.manifest
}

export const differing = (from: VersionContents, to: VersionContents): Differing => {
  const { added, changed, removed, unchanged } = changedFiles(earlierOf(from, to), to.manifest)
  const listed = changed.slice(0, LISTED)
  return {
    summary: { added: added.length, changed: changed.length, removed: removed.length, unchanged },
    files: {
      added: added.slice(0, LISTED).map(({ path, to }) => ({ path, sizeBytes: to.length })),
      changed: listed.map(({ from, path, to }) => ({ path, sizeBytesFrom: from.length, sizeBytesTo: to.length })),
      removed: removed.slice(0, LISTED).map(({ from, path }) => ({ path, sizeBytes: from.length }))
    },
    listed,
    truncated: [added, changed, removed].some((list) => list.length > LISTED)
  }
}

interface Budget {
  readonly files: number
  readonly room: number
  readonly edits: number
}

export class Comparing extends Context.Service<Comparing>()("svc/domain/projects/Comparing", {
  make: Effect.gen(function*() {
    const { seen } = yield* makeReaching
    const contentsOf = yield* makeContentsOf
    const packs = yield* Packs
    // Comparing takes memory and time: few run at once in the process, in fair turns between workspaces.
    const turns = makeTurns(2)

    const textOf = (asset: Asset) =>
      asset.length === 0 ? Effect.succeed("") : Effect.map(packs.slice(asset.pack, asset.offset, asset.length), (bytes) => comparable(bytes, asset.type))

    /** Nothing if either turns out not to be text. */
    const diff = Effect.fn("Comparing.diff")(function*(workspaceId: WorkspaceId, { from, path, to }: ChangedFile, left: Budget, whole: boolean) {
      if (!isTextType(from.type) || !isTextType(to.type)) return [undefined, left] as const
      const without = (leftOut: LeftOut, after: Budget): readonly [FileDiff, Budget] => [{ path, hunks: null, leftOut }, after]
      if (from.length > MAX_TEXT || to.length > MAX_TEXT) return without("too_large", left)
      if (left.files === 0 || left.edits === 0) return without("no_room", left)
      const context = whole && from.length <= WHOLE && to.length <= WHOLE ? Infinity : CONTEXT
      const most = Math.min(EDITS, left.edits)
      // Read in turn, too: the texts of all who wait would fill the memory.
      const found = yield* turns.inTurn({ of: workspaceId, awaited: true }, Effect.gen(function*() {
        const [before, after] = [yield* textOf(from), yield* textOf(to)]
        if (before === undefined || after === undefined) return undefined
        return { hunks: yield* lineDiff(before, after, most, context) }
      }))
      const read = { ...left, files: left.files - 1 }
      if (found === undefined) return [undefined, read] as const
      const { hunks } = found
      // Whether they are shown or not: it is the search that takes time.
      const spent = { ...read, edits: left.edits - (hunks === undefined ? most : editsOf(hunks)) }
      if (hunks === undefined) return without(most < EDITS ? "no_room" : "too_large", spent)
      const size = sizeOf(hunks)
      if (size > ROOM) return without("too_large", spent)
      if (size > left.room) return without("no_room", spent)
      return [{ path, hunks, leftOut: null } satisfies FileDiff, { ...spent, room: left.room - size }] as const
    })

    const diffsOf = Effect.fn("Comparing.diffsOf")(function*(workspaceId: WorkspaceId, changed: ReadonlyArray<ChangedFile>, whole: boolean) {
      const diffs: Array<FileDiff> = []
      let left: Budget = { files: DIFFS, room: ROOM, edits: ALL_EDITS }
      for (const file of changed) {
        const [found, after] = yield* diff(workspaceId, file, left, whole)
        if (found !== undefined) diffs.push(found)
        left = after
      }
      return diffs
    })

    /** What is taken of two versions, in turn: a manifest may name 10,000 files, and those of all who wait would fill the memory. */
    const ofBoth = <A>(workspaceId: WorkspaceId, project: ProjectId, from: number, to: number, take: (from: VersionContents, to: VersionContents) => A) =>
      turns.inTurn({ of: workspaceId, awaited: true }, Effect.gen(function*() {
        return take(yield* contentsOf(project, from, "from"), yield* contentsOf(project, to, "to"))
      }))

    /** What changed between two versions. `whole`: texts that are not too long are shown with all unchanged lines. */
    const between = Effect.fn("Comparing.between")(function*(workspaceId: WorkspaceId, { files, listed, summary, truncated }: Differing, { whole }: { readonly whole: boolean }) {
      const diffs = yield* diffsOf(workspaceId, listed, whole)
      return { summary, files, diffs, truncated: truncated || diffs.some(({ leftOut }) => leftOut !== null) }
    })

    const compare = Effect.fn("Comparing.compare")(function*(user: User, slug: string, from: number, to: number) {
      const { project: { id, workspaceId } } = yield* seen(user, slug)
      const found = yield* ofBoth(workspaceId, id, from, to, differing)
      return { from, to, ...yield* between(workspaceId, found, { whole: false }) }
    })

    return { compare, between, ofBoth }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
