/**
 * Building an export: each try writes the archive into a pack of its own, and completes the export with it unless another
 * try has begun since. A try that is interrupted is simply followed by another, which removes what it left.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { AccountStore } from "../accounts/store.ts"
import { isNoRoom } from "../failures.ts"
import { Addresses } from "../ports/addresses.ts"
import { Archives } from "../ports/archives.ts"
import { Atomically } from "../ports/atomically.ts"
import { Mail, Mailer } from "../ports/mailer.ts"
import { Packs } from "../ports/packs.ts"
import { Tokens } from "../ports/tokens.ts"
import { makeTurns } from "../turns.ts"
import type { Membership } from "../workspaces/model.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import { ExportContents } from "./contents.ts"
import type { Archive, BegunExport, ExportId } from "./model.ts"
import * as Rules from "./rules.ts"
import { ExportStore } from "./store.ts"

/** Builds at once in one process, one of a person: each deflates on a thread of its own. */
const AT_ONCE = 2

export class ExportBuilds extends Context.Service<ExportBuilds>()("svc/domain/exports/ExportBuilds", {
  make: Effect.gen(function*() {
    const store = yield* ExportStore
    const accounts = yield* AccountStore
    const workspaces = yield* WorkspaceStore
    const contents = yield* ExportContents
    const archives = yield* Archives
    const packs = yield* Packs
    const tokens = yield* Tokens
    const mailer = yield* Mailer
    const { baseUrl } = yield* Addresses
    const { atomically } = yield* Atomically
    const turns = makeTurns(AT_ONCE)

    /** The admin for whom it is built; undefined if they may no longer have it. */
    const admin = Effect.fn("ExportBuilds.admin")(function*({ requestedBy, workspaceId }: BegunExport) {
      const user = requestedBy === null ? undefined : Option.getOrUndefined(yield* accounts.find(requestedBy))
      if (user === undefined) return undefined
      const workspace = (yield* workspaces.memberships(user.id)).find(({ id }) => id === workspaceId)
      return workspace?.role === "admin" ? { user, workspace } : undefined
    })

    /** Whoever waits for it is told, unless they may no longer have it. */
    const fail = Effect.fn("ExportBuilds.fail")(
      function*(begun: BegunExport, noRoom: boolean) {
        const pack = yield* store.fail(begun.id, yield* DateTime.now)
        const wanted = yield* admin(begun)
        if (Option.isSome(pack) && wanted !== undefined) {
          const { user: { email: to, name }, workspace } = wanted
          yield* mailer.enqueue(Mail.cases.ExportFailed.make({ to, name, workspaceId: workspace.id, workspace: workspace.name, noRoom }))
        }
        return pack
      },
      atomically
    )

    const giveUp = Effect.fn("ExportBuilds.giveUp")(function*(begun: BegunExport, noRoom = false) {
      const pack = yield* fail(begun, noRoom)
      yield* Effect.logError("export failed").pipe(Effect.annotateLogs({ exportId: begun.id, ...(noRoom && { why: "no room" }) }))
      if (Option.isSome(pack)) yield* packs.remove(pack.value)
    })

    const write = Effect.fn("ExportBuilds.write")(
      function*(user: User, workspace: Membership, pack: string, now: DateTime.Utc) {
        const draft = yield* packs.draft
        const body = yield* draft.append(archives.zip(contents.of(user, workspace, now), now), Infinity, true)
        yield* draft.keep(pack, [body])
        return { pack, sizeBytes: body.length, hash: body.hash } satisfies Archive
      },
      Effect.scoped
    )

    /** Decided again under the lock: much may have happened while the archive was written. */
    const complete = Effect.fn("ExportBuilds.complete")(
      function*(begun: BegunExport, archive: Archive) {
        const now = yield* DateTime.now
        const { id } = begun
        yield* workspaces.lock(begun.workspaceId)
        const wanted = yield* admin(begun)
        if (wanted === undefined) return "unwanted"
        const { user, workspace } = wanted
        const token = yield* tokens.mint()
        if (!(yield* store.complete(id, archive, token.hash, now))) return "overtaken"
        yield* mailer.enqueue(Mail.cases.ExportReady.make({
          to: user.email,
          name: user.name,
          workspace: workspace.name,
          url: `${baseUrl}/v1/exports/${id}/download?token=${encodeURIComponent(token.raw)}`,
          endsAt: DateTime.formatIso(DateTime.add(now, Rules.LINK_LASTS))
        }))
        return "complete"
      },
      atomically
    )

    const finish = Effect.fn("ExportBuilds.finish")(
      function*(begun: BegunExport, pack: string, now: DateTime.Utc) {
        if (begun.leftover !== null) yield* packs.remove(begun.leftover)
        const wanted = begun.tries >= Rules.MAX_TRIES ? undefined : yield* admin(begun)
        if (wanted === undefined) return yield* giveUp(begun)
        const archive = yield* write(wanted.user, wanted.workspace, pack, now).pipe(
          // It would take the room again at each try, and everybody's time.
          Effect.catchIf((failure) => failure._tag === "unavailable" && isNoRoom(failure), () => Effect.undefined)
        )
        if (archive === undefined) return yield* giveUp(begun, true)
        const outcome = yield* complete(begun, archive)
        if (outcome === "unwanted") yield* giveUp(begun)
        if (outcome !== "complete") yield* packs.remove(pack)
      }
    )

    const build = Effect.fn("ExportBuilds.build")(function*(id: ExportId) {
      const now = yield* DateTime.now
      const pack = yield* tokens.uuid
      const begun = Option.getOrUndefined(yield* store.begin(id, pack, now))
      if (begun !== undefined) yield* Effect.onError(finish(begun, pack, now), () => store.failTry(id, pack))
    })

    /** One try, in turns by person: one with many workspaces holds up nobody else. Fails when it is worth another. */
    const attempt = Effect.fn("ExportBuilds.attempt")(function*(id: ExportId) {
      return yield* turns.inTurn({ of: (yield* store.requester(id)) ?? id, awaited: true }, build(id))
    })

    return { attempt }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
