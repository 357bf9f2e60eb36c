/** Exports as admins take them: request one with the password, see its status, open the mailed link (SPEC §4.5, CONTRACT §7). */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import type { User } from "../accounts/model.ts"
import { Reauthentication } from "../accounts/reauthentication.ts"
import { Audit } from "../audit/audit.ts"
import { inBatches } from "../batches.ts"
import { orFail } from "../found.ts"
import { Atomically } from "../ports/atomically.ts"
import { Packs } from "../ports/packs.ts"
import { Tokens } from "../ports/tokens.ts"
import { makeTurns } from "../turns.ts"
import type { Administered, WorkspaceId } from "../workspaces/model.ts"
import { Workspaces } from "../workspaces/workspaces.ts"
import { ExportId } from "./model.ts"
import type { Opened } from "./model.ts"
import * as Rules from "./rules.ts"
import { ExportStore } from "./store.ts"

/** Downloads of one person's exports at once: each takes some megabytes for as long as it is read. */
const DOWNLOADS = 16
/** Archives that are removed in one batch. */
const BATCH = 100

const idIn = Schema.decodeUnknownOption(ExportId)

export class Exports extends Context.Service<Exports>()("svc/domain/exports/Exports", {
  make: Effect.gen(function*() {
    const store = yield* ExportStore
    const workspaces = yield* Workspaces
    const reauthentication = yield* Reauthentication
    const audit = yield* Audit
    const packs = yield* Packs
    const tokens = yield* Tokens
    const { atomically } = yield* Atomically

    const enqueue = Effect.fn("Exports.enqueue")(
      function*(admin: Administered) {
        const now = yield* DateTime.now
        const { user, workspaceId } = admin
        yield* workspaces.held(admin)
        yield* Effect.fromResult(Rules.request(Option.getOrUndefined(yield* store.counted(workspaceId, now)), now))
        const id = ExportId.make(yield* tokens.uuid)
        const wanted = { id, workspaceId, requestedBy: user.id, requestedAt: now }
        yield* store.add(wanted)
        yield* audit.write({ workspaceId, actor: user.id, action: "export.requested", target: { type: "export", id } }, now)
        return Rules.recordOf({ ...wanted, begunAt: null, completedAt: null, failedAt: null, sizeBytes: null }, now)
      },
      atomically
    )

    const request = Effect.fn("Exports.request")(function*(user: User, id: WorkspaceId, password: string) {
      const admin = yield* workspaces.administer(user, id)
      yield* reauthentication.confirm(user, password)
      return yield* enqueue(admin)
    })

    /** Null where none was ever taken. */
    const latest = Effect.fn("Exports.latest")(function*(user: User, id: WorkspaceId) {
      const now = yield* DateTime.now
      const { workspaceId } = yield* workspaces.administer(user, id)
      const found = Option.getOrUndefined(yield* store.latest(workspaceId, now))
      return found === undefined ? { status: null } : Rules.recordOf(found, now)
    })

    const opened = Effect.fn("Exports.opened")(function*(id: string, token: string, now: DateTime.Utc) {
      const known = Option.getOrUndefined(idIn(id))
      return known === undefined ? Option.none() : Option.filter(yield* store.opened(known, tokens.hash(token)), (found) => Rules.opens(found, now))
    })

    /** Whether a mailed link, by its address, leads to its archive now. */
    const leads = Effect.fn("Exports.leads")(function*(url: string) {
      const { pathname, searchParams } = new URL(url)
      return Option.isSome(yield* opened(pathname.split("/").at(-2) ?? "", searchParams.get("token") ?? "", yield* DateTime.now))
    })

    const downloads = makeTurns(Infinity, DOWNLOADS)

    /** What a mailed link leads to; its turn ends with the scope. Whatever is wrong with its id or its token, the refusal is the same. */
    const open = Effect.fn("Exports.open")(function*(id: string, token: string) {
      const read = Effect.flatMap(DateTime.now, (now) => opened(id, token, now)).pipe(orFail(Rules.noSuchDownload))
      yield* downloads.turn({ of: (yield* read).requestedBy ?? id, awaited: true })
      // It may have ended while it waited.
      const found = yield* read
      const now = yield* DateTime.now
      const { archive: { hash, pack, sizeBytes }, requestedAt } = found
      // Bytes that cannot be reached must fail before the response has begun.
      yield* packs.slice(pack, 0, 1)
      const noted = (sent: Parameters<typeof Rules.countsAsDownload>[0]) => Rules.countsAsDownload(sent) ? noteDownload(found, now) : Effect.void
      const bytes = (offset: number, length: number) => packs.read(pack, offset, length)
      return { name: `export-${DateTime.formatIsoDate(requestedAt)}.zip`, hash, sizeBytes, bytes, noted }
    })

    const noteDownload = ({ id, requestedBy, workspaceId }: Opened, now: DateTime.Utc) =>
      audit.write({ workspaceId, actor: requestedBy, action: "export.downloaded", target: { type: "export", id } }, now)

    /** Removes archives whose link has expired. Rows go first: bytes that no row names are collected later, as strays. */
    const sweep = Effect.fn("Exports.sweep")(function*() {
      const cutoff = DateTime.subtract(yield* DateTime.now, Rules.LINK_LASTS)
      return yield* inBatches(BATCH, store.expire(cutoff, BATCH).pipe(
        Effect.tap((gone) => Effect.forEach(gone, packs.remove, { discard: true })),
        Effect.map((gone) => gone.length)
      ))
    })

    return { request, latest, leads, open, sweep }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
