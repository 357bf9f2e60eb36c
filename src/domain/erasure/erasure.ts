/**
 * Deleting an account or a workspace (SPEC §3, CONTRACT §7).
 *
 * 1. Its owner or admin confirms with the password. What stands in the way is decided under the locks.
 * 2. From that moment it is dark: links answer 410, sessions and tokens are refused, nobody belongs to the workspace.
 *    Nothing is lost, slugs stay taken, and its subscription is set to end with its period. Everybody else in it is mailed.
 * 3. Until the erasure begins, a platform administrator can restore all of it.
 * 4. Thirty days after the request it is erased (erasing.ts).
 *
 * An account whose address nobody proves goes as well, thirty days after it was made: at once, since there is nothing in it.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User, UserId } from "../accounts/model.ts"
import { AccountStore } from "../accounts/store.ts"
import { Reauthentication } from "../accounts/reauthentication.ts"
import { signedOut } from "../accounts/refusals.ts"
import type { PlatformAdmin } from "../administration/model.ts"
import { Audit } from "../audit/audit.ts"
import type { Action } from "../audit/model.ts"
import { orNone } from "../batches.ts"
import { orFail } from "../found.ts"
import { Atomically } from "../ports/atomically.ts"
import { Mail, Mailer } from "../ports/mailer.ts"
import { Policies } from "../ports/policies.ts"
import { Tokens } from "../ports/tokens.ts"
import { noSuchWorkspace } from "../workspaces/member-rules.ts"
import type { Administered, WorkspaceId } from "../workspaces/model.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import { Workspaces } from "../workspaces/workspaces.ts"
import { DeletionId } from "./model.ts"
import type { Deletion, Scheduled, Stake, Target } from "./model.ts"
import * as Rules from "./rules.ts"
import { DeletionStore } from "./store.ts"

/** A deletion that somebody confirmed, with everything that goes dark by it. */
interface Confirmed extends Pick<Deletion, "targetId" | "targetType"> {
  readonly by: User
  readonly workspaces: ReadonlyArray<WorkspaceId>
  readonly liveLinks: number
  readonly eraseOn: DateTime.Utc
}

/** Accounts looked at together. */
const PAGE = 200

export class Erasure extends Context.Service<Erasure>()("svc/domain/erasure/Erasure", {
  make: Effect.gen(function*() {
    const store = yield* DeletionStore
    const accounts = yield* AccountStore
    const workspaces = yield* Workspaces
    const members = yield* WorkspaceStore
    const mailer = yield* Mailer
    const reauthentication = yield* Reauthentication
    const policies = yield* Policies
    const audit = yield* Audit
    const tokens = yield* Tokens
    const { atomically } = yield* Atomically

    const note = (actor: UserId, action: Action, ids: ReadonlyArray<WorkspaceId>, now: DateTime.Utc) =>
      Effect.forEach(ids, (id) => audit.write({ workspaceId: id, actor, action }, now), { discard: true })

    /** (2) Runs under the locks of everything that it schedules. */
    const schedule = Effect.fn("Erasure.schedule")(function*({ by, eraseOn, liveLinks, workspaces, ...target }: Confirmed, now: DateTime.Utc) {
      const id = DeletionId.make(yield* tokens.uuid)
      yield* note(by.id, "workspace.deletion_scheduled", workspaces, now)
      yield* store.schedule({ id, ...target, requestedBy: by.id, requestedAt: now, eraseOn }, workspaces)
      return { status: "scheduled", ...target, eraseOn, liveLinks } satisfies Scheduled
    })

    const impact = Effect.fn("Erasure.impact")(function*(user: User) {
      const now = yield* DateTime.now
      return Rules.impact(yield* store.stakes(user.id, now), policies.trial, now)
    })

    const takeAccount = Effect.fn("Erasure.takeAccount")(
      function*(user: User) {
        const now = yield* DateTime.now
        // The account was deleted by a concurrent request: this session is over too.
        const held = yield* store.hold(user.id).pipe(orFail(signedOut))
        const found = Rules.impact(yield* store.stakes(user.id, now), policies.trial, now)
        yield* Effect.fromResult(Rules.deleteAccount(found))
        const taken = found.workspaces.map(({ id }) => id)
        if (taken.some((id) => !held.includes(id))) return yield* Rules.movedMeanwhile()
        return yield* schedule({ by: user, targetType: "user", targetId: user.id, workspaces: taken, liveLinks: found.liveLinks, eraseOn: found.eraseOn }, now)
      },
      atomically
    )

    /** (1) */
    const deleteAccount = Effect.fn("Erasure.deleteAccount")(function*(user: User, password: string) {
      yield* reauthentication.confirm(user, password)
      return yield* takeAccount(user)
    })

    const stakeIn = Effect.fn("Erasure.stakeIn")(function*({ user, workspaceId }: Administered, now: DateTime.Utc) {
      return (yield* store.stakes(user.id, now)).find(({ id }) => id === workspaceId) ?? (yield* noSuchWorkspace())
    })

    const workspaceImpact = Effect.fn("Erasure.workspaceImpact")(function*(user: User, id: WorkspaceId) {
      const now = yield* DateTime.now
      return Rules.workspaceImpact(yield* stakeIn(yield* workspaces.administer(user, id), now), policies.trial, now)
    })

    /** What they made there goes dark as well. Read before it does: then nobody belongs to it. */
    const tellOthers = Effect.fnUntraced(function*(by: User, { id, name: workspace }: Stake, eraseOn: DateTime.Utc) {
      for (const { userId } of yield* members.members(id)) {
        const other = userId === by.id ? undefined : Option.getOrUndefined(yield* accounts.find(userId))
        if (other?.emailVerified !== true) continue
        yield* mailer.enqueue(Mail.cases.WorkspaceDeleted.make({ to: other.email, name: other.name, by: by.name, workspaceId: id, workspace, eraseOn: DateTime.formatIso(eraseOn) }))
      }
    })

    const takeWorkspace = Effect.fn("Erasure.takeWorkspace")(
      function*(admin: Administered) {
        const now = yield* DateTime.now
        const { user, workspaceId } = admin
        yield* workspaces.held(admin)
        const stake = yield* stakeIn(admin, now)
        const liveLinks = Rules.liveLinks(stake, policies.trial, now)
        const eraseOn = Rules.eraseOn(now)
        yield* tellOthers(user, stake, eraseOn)
        return yield* schedule({ by: user, targetType: "workspace", targetId: workspaceId, workspaces: [workspaceId], liveLinks, eraseOn }, now)
      },
      atomically
    )

    /** (1) `asked` is the workspace that the URL names; if it names one, it must be the same. */
    const deleteWorkspace = Effect.fn("Erasure.deleteWorkspace")(function*(
      user: User,
      asked: WorkspaceId | undefined,
      { password, workspace }: { readonly workspace: WorkspaceId; readonly password: string }
    ) {
      if (asked !== undefined && asked !== workspace) return yield* noSuchWorkspace()
      const admin = yield* workspaces.administer(user, workspace)
      yield* reauthentication.confirm(user, password)
      return yield* takeWorkspace(admin)
    })

    const bringBack = Effect.fn("Erasure.bringBack")(
      function*(by: PlatformAdmin, target: Target) {
        const now = yield* DateTime.now
        const found = Option.getOrUndefined(yield* store.restorable(target))
        if (found === undefined) return { restored: false }
        yield* Effect.fromResult(Rules.restore(found))
        yield* store.restore(found, by.id, now)
        yield* note(by.id, "workspace.restored", found.workspaces.map((workspace) => workspace.id), now)
        return { restored: true }
      },
      atomically
    )

    /** (3) False if it is not scheduled, was deleted along with its one member’s account, or is being erased already. */
    const restore = Effect.fn("Erasure.restore")(function*(by: PlatformAdmin, target: Target) {
      if (!(yield* store.exists(target))) return yield* Rules.noSuchTarget()
      return yield* bringBack(by, target)
    })

    /** False where somebody proved it, or it is not alone, by the time that it is held. */
    const abandon = Effect.fn("Erasure.abandon")(
      function*(id: UserId) {
        const now = yield* DateTime.now
        const held = Option.getOrUndefined(yield* store.hold(id))
        const user = Option.getOrUndefined(yield* accounts.find(id))
        if (held === undefined || user === undefined) return false
        const stakes = yield* store.stakes(id, now)
        if (!Rules.isAbandoned(user, stakes, now) || stakes.some((stake) => !held.includes(stake.id))) return false
        yield* schedule({ by: user, targetType: "user", targetId: id, workspaces: stakes.map((stake) => stake.id), liveLinks: 0, eraseOn: now }, now)
        return true
      },
      atomically
    )

    /** Answers how many go. */
    const abandonUnproven = Effect.fn("Erasure.abandonUnproven")(function*() {
      const made = Rules.unprovenSince(yield* DateTime.now)
      let gone = 0
      for (let after: UserId | undefined;;) {
        const some = yield* store.unproven(made, after, PAGE)
        for (const id of some) gone += yield* orNone("an account never confirmed stays for now")(Effect.map(abandon(id), Number))
        after = some.at(-1)
        if (some.length < PAGE) return gone
      }
    })

    return { abandonUnproven, impact, workspaceImpact, deleteAccount, deleteWorkspace, restore }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
