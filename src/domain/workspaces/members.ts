/** The members of a workspace: list, change a role, remove or leave (SPEC §4.4, CONTRACT §5). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User, UserId } from "../accounts/model.ts"
import { Audit } from "../audit/audit.ts"
import { LEFT_BEHIND } from "../folders/rules.ts"
import { Atomically } from "../ports/atomically.ts"
import * as Rules from "./member-rules.ts"
import type { Administered, Member, Role, WorkspaceId } from "./model.ts"
import { WorkspaceStore } from "./store.ts"
import { Workspaces } from "./workspaces.ts"

export class Members extends Context.Service<Members>()("svc/domain/workspaces/Members", {
  make: Effect.gen(function*() {
    const store = yield* WorkspaceStore
    const workspaces = yield* Workspaces
    const audit = yield* Audit
    const { atomically } = yield* Atomically

    /** Non-members get an empty list. */
    const list = Effect.fn("Members.list")(function*(user: User, asked: WorkspaceId | undefined) {
      return yield* workspaces.select(user.id, asked).pipe(
        Effect.flatMap(({ id }) => store.members(id)),
        Effect.catchTag("not_found", () => Effect.succeed<ReadonlyArray<Member>>([]))
      )
    })

    /** The caller, the member and the number of other admins, behind the workspace's lock, so that membership does not change meanwhile. */
    const held = Effect.fn("Members.held")(function*(workspaceId: WorkspaceId, callerId: UserId, memberId: UserId) {
      yield* store.lock(workspaceId)
      const caller = Option.getOrUndefined(yield* store.member(workspaceId, callerId))
      const member = Option.getOrUndefined(yield* store.member(workspaceId, memberId))
      return { caller, member, others: yield* store.adminsBeside(workspaceId, memberId) }
    })

    const changeRole = Effect.fn("Members.changeRole")(
      function*({ user, workspaceId }: Administered, id: UserId, role: Role) {
        const now = yield* DateTime.now
        const { caller, member, others } = yield* held(workspaceId, user.id, id)
        const found = yield* Effect.fromResult(Rules.changeRole(caller, member, role, others))
        if (role === found.role) return found
        const isOwner = yield* store.setRole(workspaceId, found.userId, role)
        yield* audit.write({ workspaceId, actor: user.id, action: "member.role_changed", target: { type: "member", id: found.userId, role } }, now)
        return { ...found, role, isOwner }
      },
      atomically
    )

    const remove = Effect.fn("Members.remove")(
      function*(user: User, asked: WorkspaceId | undefined, id: UserId) {
        const now = yield* DateTime.now
        const { id: workspaceId } = yield* workspaces.select(user.id, asked)
        const { caller, member, others } = yield* held(workspaceId, user.id, id)
        const how = yield* Effect.fromResult(Rules.remove(caller, member, others))
        const shared = yield* store.leave(workspaceId, id, now)
        yield* audit.write({ workspaceId, actor: user.id, action: `member.${how}`, target: { type: "member", id: member!.userId } }, now)
        yield* Effect.forEach(shared, (folder) =>
          audit.write({ workspaceId, actor: user.id, action: "folder.sharing_changed", target: { type: "folder", id: folder, sharing: LEFT_BEHIND } }, now), { discard: true })
      },
      atomically
    )

    return { list, changeRole, remove }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
