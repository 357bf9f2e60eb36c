/** The caller's workspaces and their billing state; creating and renaming a workspace (SPEC §2, §4.4; CONTRACT §3, §5). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User, UserId } from "../accounts/model.ts"
import { signedOut } from "../accounts/refusals.ts"
import { Audit } from "../audit/audit.ts"
import { orFail } from "../found.ts"
import { Atomically } from "../ports/atomically.ts"
import { Policies } from "../ports/policies.ts"
import { Tokens } from "../ports/tokens.ts"
import * as MemberRules from "./member-rules.ts"
import { WorkspaceId } from "./model.ts"
import type { Administered, Workspace } from "./model.ts"
import { billingState, linksDownOn, PLANS } from "./rules.ts"
import { WorkspaceStore } from "./store.ts"

export class Workspaces extends Context.Service<Workspaces>()("svc/domain/workspaces/Workspaces", {
  make: Effect.gen(function*() {
    const store = yield* WorkspaceStore
    const policies = yield* Policies
    const tokens = yield* Tokens
    const audit = yield* Audit
    const { atomically } = yield* Atomically

    /** A workspace, or a membership in it, with how it stands. */
    const withBillingState = <W extends Workspace>(workspace: W, now: DateTime.Utc) => ({
      ...workspace,
      billingState: billingState(workspace, policies.trial, now),
      linksDownOn: linksDownOn(workspace, policies.trial, now)
    })

    /** Every workspace of a user, with its billing state; the home workspace first. */
    const of = Effect.fn("Workspaces.of")(function*(userId: UserId) {
      const now = yield* DateTime.now
      return (yield* store.memberships(userId)).map((membership) => withBillingState(membership, now))
    })

    /** The workspace asked for, or the first one. A non-member gets a 404, which reveals nothing. */
    const select = Effect.fn("Workspaces.select")(function*(userId: UserId, id: WorkspaceId | undefined) {
      const all = yield* of(userId)
      const selected = id === undefined ? all[0] : all.find((workspace) => workspace.id === id)
      return selected ?? (yield* MemberRules.notIn(id))
    })

    /** The same, with the workspace's usage, read in one statement. */
    const used = Effect.fn("Workspaces.used")(function*(userId: UserId, id: WorkspaceId | undefined) {
      const now = yield* DateTime.now
      const { seats, ...workspace } = yield* store.membership(userId, id, now).pipe(orFail(() => MemberRules.notIn(id)))
      return { ...withBillingState(workspace, now), usage: { projects: workspace.projectCount, storageBytes: workspace.storageBytes, seats } }
    })

    /** The workspace asked for, or the first one, if the caller is an admin of it. */
    const selectAsAdmin = Effect.fn("Workspaces.selectAsAdmin")(function*(user: User, id: WorkspaceId | undefined) {
      const workspace = yield* select(user.id, id)
      yield* Effect.fromResult(MemberRules.administer(workspace.role))
      return workspace
    })

    const administer = Effect.fn("Workspaces.administer")(function*(user: User, id: WorkspaceId | undefined) {
      const { id: workspaceId } = yield* selectAsAdmin(user, id)
      return { user, workspaceId } satisfies Administered
    })

    /** Locks the workspace and checks that the caller is still an admin of it. */
    const held = Effect.fn("Workspaces.held")(function*({ user, workspaceId }: Administered) {
      const workspace = yield* store.lock(workspaceId).pipe(orFail(MemberRules.noSuchWorkspace))
      const caller = Option.getOrUndefined(yield* store.member(workspaceId, user.id))
      yield* Effect.fromResult(MemberRules.administer(caller?.role))
      return workspace
    })

    const get = Effect.fn("Workspaces.get")(function*(user: User, id: WorkspaceId) {
      const workspace = yield* used(user.id, id)
      const members = yield* store.members(id)
      return { ...workspace, memberCount: members.length, limits: PLANS[workspace.plan] }
    })

    const create = Effect.fn("Workspaces.create")(
      function*(user: User, name: string) {
        const now = yield* DateTime.now
        // The account was scheduled for erasure meanwhile, which also ended this session.
        const made = yield* store.madeBy(user.id).pipe(orFail(signedOut))
        yield* Effect.fromResult(MemberRules.create(made))
        const id = WorkspaceId.make(yield* tokens.uuid)
        yield* store.create(MemberRules.made(id, name), user.id, now)
        yield* audit.write({ workspaceId: id, actor: user.id, action: "workspace.created" }, now)
        return yield* Effect.orDie(get(user, id))
      },
      atomically
    )

    const change = Effect.fn("Workspaces.change")(
      function*(admin: Administered, { name }: { readonly name: string | undefined }) {
        const now = yield* DateTime.now
        const { user, workspaceId } = admin
        const workspace = yield* held(admin)
        if (name !== undefined && name !== workspace.name) {
          yield* store.rename(workspaceId, name)
          yield* audit.write({ workspaceId, actor: user.id, action: "workspace.renamed" }, now)
        }
        return yield* get(user, workspaceId)
      },
      atomically
    )

    return { withBillingState, of, select, used, selectAsAdmin, administer, held, get, create, change }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
