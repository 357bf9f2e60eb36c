/**
 * The erasure itself, in small steps: each looks at what is still there and takes some of it away, so that it may be cut
 * anywhere and taken up anywhere, by two at once if need be.
 *
 * 1. From its beginning there is no way back.
 * 2. Nobody goes on paying: a payment may have come in since. A payment service that does not answer holds up nothing.
 * 3. Mails that are not out and are to or about what goes, while the rows that tell so are still there.
 * 4. Of each workspace: the bytes, then the rows that name them; projects; the rest.
 * 5. The account: what it made in the workspaces of others stays, as a former user's.
 * 6. That it happened is what stays.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Packs } from "../ports/packs.ts"
import { Tokens } from "../ports/tokens.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import type { Begun, DeletionId } from "./model.ts"
import * as Rules from "./rules.ts"
import type { Traces } from "./rules.ts"
import { Renewals } from "./renewals.ts"
import { DeletionStore, ErasingStore } from "./store.ts"

export class Erasing extends Context.Service<Erasing>()("svc/domain/erasure/Erasing", {
  make: Effect.gen(function*() {
    const deletions = yield* DeletionStore
    const store = yield* ErasingStore
    const packs = yield* Packs
    const renewals = yield* Renewals
    const tokens = yield* Tokens

    const tracesOf = Effect.fn("Erasing.tracesOf")(function*({ account, workspaces }: Begun) {
      const all = yield* Effect.forEach(workspaces, store.traces)
      const together = (of: (one: (typeof all)[number]) => ReadonlySet<string>) => new Set(all.flatMap((one) => [...of(one)]))
      return {
        addresses: new Set(account === null ? [] : [account.email]),
        workspaces: new Set(workspaces),
        slugs: together(({ slugs }) => slugs),
        exports: together((one) => one.exports),
        invites: together(({ invites }) => invites)
      } satisfies Traces
    })

    /** (2) */
    const endRenewal = (id: WorkspaceId) =>
      Effect.catch(renewals.settle(id), ({ _tag }) => Effect.annotateLogs(Effect.logError("erased without ending what is paid for it"), { workspaceId: id, why: _tag }))

    /** (3) */
    const eraseMails = Effect.fn("Erasing.eraseMails")(function*(traces: Traces) {
      for (let after: string | undefined;;) {
        const { mails, next } = yield* store.mails(after)
        const telling = mails.filter(({ mail }) => Rules.tells(mail, traces, tokens.hash))
        if (telling.length > 0) yield* store.dropMails(telling.map(({ id }) => id))
        if (next === undefined) return
        after = next
      }
    })

    /** (4) Nobody can reach them any more, so bytes go first: once a row is gone, so are they. */
    const eraseWorkspace = Effect.fn("Erasing.eraseWorkspace")(function*(id: WorkspaceId, now: DateTime.Utc) {
      while (yield* store.dropProjects(id, now));
      for (;;) {
        const some = yield* store.packs(id)
        if (some.length === 0) break
        yield* Effect.forEach(some, packs.remove, { discard: true })
        yield* store.dropPacks(id, some)
      }
      yield* store.dropWorkspace(id)
    })

    /** Fails where bytes cannot be reached; to be tried again. Answers whether anything was left to do. */
    const erase = Effect.fn("Erasing.erase")(function*(id: DeletionId) {
      const now = yield* DateTime.now
      const begun = Option.getOrUndefined(yield* store.begin(id, now))
      if (begun === undefined) return false
      yield* Effect.forEach(begun.workspaces, endRenewal, { discard: true })
      yield* eraseMails(yield* tracesOf(begun))
      yield* Effect.forEach(begun.workspaces, (workspace) => eraseWorkspace(workspace, now), { discard: true })
      if (begun.account !== null) yield* store.dropAccount(begun.account, now)
      yield* store.finish(id, yield* DateTime.now)
      yield* Effect.annotateLogs(Effect.logInfo("erased"), { deletion: id, workspaces: begun.workspaces.length })
      return true
    })

    /** Sets the jobs going of what is due. */
    const beginDue = Effect.fn("Erasing.beginDue")(function*() {
      return yield* deletions.beginDue(yield* DateTime.now)
    })

    return { erase, beginDue }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
