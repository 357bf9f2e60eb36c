/**
 * The erasure itself, in small steps: each removes some of what is still there, so that it may be interrupted and resumed
 * anywhere, even by two workers at once.
 *
 * 1. Once it has begun, it cannot be undone.
 * 2. Subscriptions are set to end, since somebody may have paid meanwhile. The erasure waits for a payment service that does
 *    not answer, for three days and no longer: the rows that say who pays are erased next.
 * 3. Unsent mails to or about what is erased are dropped, while the rows that identify them still exist; not what invites an
 *    address that the account never proved.
 * 4. Each workspace: its projects; then the bytes, each pack before the row that names it; then the rest.
 * 5. The account. If its address was verified, it is removed from the allowlists and invitations of others: they meant this
 *    person, and the next holder of the address is somebody else. What the account made in the workspaces of others stays,
 *    as a former user's: it is passed on beforehand, as their workspaces are locked while the account goes.
 * 6. Only the record that it happened stays.
 */
import { Context, DateTime, Effect, Layer, Option, Semaphore } from "effect"
import { Audit } from "../audit/audit.ts"
import { BillingStore } from "../billing/store.ts"
import { LEFT_BEHIND } from "../folders/rules.ts"
import { Atomically } from "../ports/atomically.ts"
import { Packs } from "../ports/packs.ts"
import { Tokens } from "../ports/tokens.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import type { Begun, DeletionId } from "./model.ts"
import * as Rules from "./rules.ts"
import type { Traces } from "./rules.ts"
import { Renewals } from "./renewals.ts"
import { DeletionStore, ErasingStore } from "./store.ts"

/** Erasures at once in one process: of many that are due together, each would keep a connection to the database, and requests need them. */
const AT_ONCE = 2

export class Erasing extends Context.Service<Erasing>()("svc/domain/erasure/Erasing", {
  make: Effect.gen(function*() {
    const deletions = yield* DeletionStore
    const store = yield* ErasingStore
    const packs = yield* Packs
    const billing = yield* BillingStore
    const renewals = yield* Renewals
    const tokens = yield* Tokens
    const audit = yield* Audit
    const { atomically } = yield* Atomically
    const turns = yield* Semaphore.make(AT_ONCE)

    const tracesOf = Effect.fn("Erasing.tracesOf")(function*({ account, workspaces }: Begun) {
      const all = yield* Effect.forEach(workspaces, store.traces)
      const together = (of: (one: (typeof all)[number]) => ReadonlySet<string>) => new Set(all.flatMap((one) => [...of(one)]))
      return {
        addresses: new Set(account === null ? [] : [account.email]),
        unproven: new Set(account === null || account.verified ? [] : [account.email]),
        workspaces: new Set(workspaces),
        slugs: together(({ slugs }) => slugs),
        exports: together((one) => one.exports),
        invites: together(({ invites }) => invites)
      } satisfies Traces
    })

    /** (2) The log names the subscriptions that go on, so that an operator can end them by hand: the rows that name them are erased. */
    const endRenewal = Effect.fnUntraced(function*(begun: Begun, id: WorkspaceId, now: DateTime.Utc) {
      const customer = Option.getOrUndefined(yield* billing.customer(id))
      yield* Effect.catch(renewals.settle(id), (failure) => {
        if (failure._tag === "payments_away" && Rules.awaitsPayments(begun, now)) return Effect.fail(failure)
        const left = failure._tag === "payments_away" ? failure.left : undefined
        const known = customer === undefined || customer.subscriptionId === null ? [] : [customer.subscriptionId]
        const about = { workspaceId: id, why: failure._tag, customer: customer?.id, subscriptions: left ?? known }
        return Effect.annotateLogs(Effect.logError("erased without ending what is paid for it"), about)
      })
    })

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

    /** (4) Bytes go before the row that names them: once the row is gone, the bytes are gone too. */
    const eraseWorkspace = Effect.fn("Erasing.eraseWorkspace")(function*(id: WorkspaceId, now: DateTime.Utc) {
      while (yield* store.dropProjects(id, now));
      for (;;) {
        const some = yield* store.packs(id)
        if (some.length === 0) break
        yield* Effect.forEach(some, packs.remove, { discard: true })
        yield* store.dropPacks(id, some)
        // Again, for a pack that was being thinned: its copy took its place before the row went.
        yield* Effect.forEach(some, packs.remove, { discard: true })
      }
      yield* store.dropWorkspace(id)
    })

    /** (5) For a verified address alone: an unverified one may belong to somebody else, who was rightly let in. */
    const unname = Effect.fn("Erasing.unname")(
      function*(workspaceId: WorkspaceId, email: string, now: DateTime.Utc) {
        const { invites, lists } = yield* store.unname(workspaceId, email, now)
        const deed = { workspaceId, actor: null }
        for (const { id, level } of lists) {
          yield* audit.write({ ...deed, action: "allowlist.changed", target: { type: "allowlist", level, id, added: 0, removed: 1 } }, now)
        }
        for (const { id, role } of invites) {
          yield* audit.write({ ...deed, action: "invite.cancelled", target: { type: "invite", id, role } }, now)
        }
      },
      atomically
    )

    /** (5) */
    const eraseAccount = Effect.fn("Erasing.eraseAccount")(
      function*(account: NonNullable<Begun["account"]>, now: DateTime.Utc) {
        const { folders, workspaces } = yield* store.dropAccount(account, now)
        for (const workspaceId of workspaces) {
          yield* audit.write({ workspaceId, actor: null, action: "member.left", target: { type: "member", id: account.id } }, now)
        }
        for (const { id, workspaceId } of folders) {
          yield* audit.write({ workspaceId, actor: null, action: "folder.sharing_changed", target: { type: "folder", id, sharing: LEFT_BEHIND } }, now)
        }
      },
      atomically
    )

    /** (3) to (5) */
    const eraseAll = Effect.fn("Erasing.eraseAll")(
      function*(begun: Begun, now: DateTime.Utc) {
        yield* eraseMails(yield* tracesOf(begun))
        yield* Effect.forEach(begun.workspaces, (workspace) => eraseWorkspace(workspace, now), { discard: true })
        if (begun.account === null) return
        const { email, verified } = begun.account
        const naming = verified ? yield* store.naming(email) : []
        yield* Effect.forEach(naming, (workspace) => unname(workspace, email, now), { discard: true })
        yield* store.passOn(begun.account, now)
        yield* eraseAccount(begun.account, now)
      },
      (program) => turns.withPermits(1)(program)
    )

    /** Fails while the bytes or the payment service cannot be reached, and is then retried. False if another run of its job finished it. */
    const erase = Effect.fn("Erasing.erase")(function*(id: DeletionId) {
      const now = yield* DateTime.now
      const begun = Option.getOrUndefined(yield* store.begin(id, now))
      if (begun === undefined) return false
      yield* Effect.forEach(begun.workspaces, (workspace) => endRenewal(begun, workspace, now), { discard: true })
      yield* eraseAll(begun, now)
      const first = yield* store.finish(id, yield* DateTime.now)
      if (first) yield* Effect.annotateLogs(Effect.logInfo("erased"), { deletion: id, workspaces: begun.workspaces.length })
      return first
    })

    /** Begins the jobs of the deletions that are due. */
    const beginDue = Effect.fn("Erasing.beginDue")(function*() {
      return yield* deletions.beginDue(yield* DateTime.now)
    })

    return { erase, beginDue }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
