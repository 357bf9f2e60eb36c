/** Invitations to a workspace: create, list, resend, cancel (SPEC §3, §4.4; CONTRACT §5). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { Email } from "../accounts/email.ts"
import type { User } from "../accounts/model.ts"
import { verified } from "../accounts/rules.ts"
import type { PlatformAdmin } from "../administration/model.ts"
import { Audit } from "../audit/audit.ts"
import type { Action } from "../audit/model.ts"
import { makePlanPages } from "../billing/plan-pages.ts"
import { DeletionStore } from "../erasure/store.ts"
import { orFail } from "../found.ts"
import { Atomically } from "../ports/atomically.ts"
import { Mail, Mailer } from "../ports/mailer.ts"
import { RateLimits } from "../ports/rate-limits.ts"
import type { Limit } from "../ports/rate-limits.ts"
import { Tokens } from "../ports/tokens.ts"
import { noSuchWorkspace } from "../workspaces/member-rules.ts"
import type { Administered, Role, Workspace, WorkspaceId } from "../workspaces/model.ts"
import { PLANS } from "../workspaces/rules.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import { Workspaces } from "../workspaces/workspaces.ts"
import { InviteId, stateOf } from "./model.ts"
import type { Invite, ListedInvite } from "./model.ts"
import * as Rules from "./rules.ts"
import { InviteStore } from "./store.ts"

/** An invite to be issued, and why. */
interface Wanted extends Pick<Invite, "email" | "grantsOwnership" | "role"> {
  readonly workspace: Workspace
  readonly by: User
  readonly action: Action
}

export class Inviting extends Context.Service<Inviting>()("svc/domain/invites/Inviting", {
  make: Effect.gen(function*() {
    const store = yield* InviteStore
    const workspaces = yield* Workspaces
    const workspaceStore = yield* WorkspaceStore
    const deletions = yield* DeletionStore
    const tokens = yield* Tokens
    const limits = yield* RateLimits
    const mailer = yield* Mailer
    const audit = yield* Audit
    const { planPage } = yield* makePlanPages
    const { atomically } = yield* Atomically

    const seen = (invite: ListedInvite, now: DateTime.Utc) => ({ ...invite, invitedBy: invite.inviter, status: stateOf(invite, now) })

    /** Takes one of the limit, and gives it back where what follows is refused: what was not mailed does not count, whichever store counts. */
    const counting = <A, E, R>(limit: Limit, key: string, then: Effect.Effect<A, E, R>) =>
      Effect.andThen(limits.consume(limit, key), Effect.tapError(then, () => limits.giveBack(limit, key)))

    /** Replaces the address's unaccepted invite, if there is one, with a new one and mails it. Runs behind the workspace's lock. */
    const issue = Effect.fn("Inviting.issue")(function*({ action, by, email, grantsOwnership, role, workspace }: Wanted, now: DateTime.Utc) {
      const live = Option.getOrUndefined(yield* store.live(workspace.id, email))
      const member = Option.getOrUndefined(yield* workspaceStore.memberBy(workspace.id, email))
      const seats = { cap: PLANS[workspace.plan].seats, taken: yield* workspaceStore.seatsTaken(workspace.id, now), planPage: planPage(workspace.id) }
      const draft = { id: InviteId.make(yield* tokens.uuid), workspaceId: workspace.id, email, role, grantsOwnership, invitedBy: by.id }
      const invite = yield* Effect.fromResult(Rules.create(draft, { live, member }, seats, now))
      const toOne = Effect.mapError(
        counting(Rules.MAILS_TO_ONE, `${workspace.id} ${email}`, limits.consume(Rules.MAILS_FROM_ALL, email)),
        Rules.invitedOften(live, now)
      )
      // An ownership invite is made by a platform administrator, whom nobody else's mails keep from it.
      yield* counting(Rules.MAILS, workspace.id, grantsOwnership ? Effect.void : toOne)

      const { hash, raw } = yield* tokens.mint()
      if (live !== undefined) yield* store.remove(live.id)
      yield* store.add(invite, hash)
      yield* mailer.enqueue(Mail.cases.Invitation.make({ to: email, name: "", inviter: by.name, workspace: workspace.name, token: raw, owner: grantsOwnership }))
      const target = { type: "invite", id: invite.id, role: invite.role } as const
      yield* audit.write({ workspaceId: workspace.id, actor: by.id, action, target }, now)
      return seen({ ...invite, inviter: { id: by.id, name: by.name } }, now)
    })

    const list = Effect.fn("Inviting.list")(function*({ workspaceId }: Administered) {
      const now = yield* DateTime.now
      return (yield* store.list(workspaceId)).map((invite) => seen(invite, now))
    })

    const create = Effect.fn("Inviting.create")(
      function*(admin: Administered, { email, role }: { readonly email: Email; readonly role: Role }) {
        const now = yield* DateTime.now
        yield* Effect.fromResult(verified(admin.user))
        const workspace = yield* workspaces.held(admin)
        return yield* issue({ workspace, by: admin.user, email, role, grantsOwnership: false, action: "invite.created" }, now)
      },
      atomically
    )

    /** For platform administrators, who need not be members of the workspace; its admins do not see such an invite. */
    const createOwner = Effect.fn("Inviting.createOwner")(
      function*(by: PlatformAdmin, workspaceId: WorkspaceId, email: Email) {
        const now = yield* DateTime.now
        const workspace = yield* workspaceStore.lock(workspaceId).pipe(orFail(noSuchWorkspace))
        if (yield* deletions.isScheduled(workspaceId)) return yield* Rules.goes()
        return yield* issue({ workspace, by, email, role: "admin", grantsOwnership: true, action: "invite.created" }, now)
      },
      atomically
    )

    /** Reads the invite behind the workspace's lock, so that nobody accepts it meanwhile. */
    const held = Effect.fn("Inviting.held")(function*(admin: Administered, id: InviteId) {
      const workspace = yield* workspaces.held(admin)
      const invite = yield* Effect.fromResult(Rules.handle(Option.getOrUndefined(yield* store.find(workspace.id, id))))
      return { workspace, invite }
    })

    /** The old invite's link stops working. Resending an expired invite takes a seat again. */
    const resend = Effect.fn("Inviting.resend")(
      function*(admin: Administered, id: InviteId) {
        const now = yield* DateTime.now
        yield* Effect.fromResult(verified(admin.user))
        const { invite: { email, grantsOwnership, role }, workspace } = yield* held(admin, id)
        return yield* issue({ workspace, by: admin.user, email, role, grantsOwnership, action: "invite.resent" }, now)
      },
      atomically
    )

    const cancel = Effect.fn("Inviting.cancel")(
      function*(admin: Administered, id: InviteId) {
        const now = yield* DateTime.now
        const { invite, workspace } = yield* held(admin, id)
        yield* store.remove(id)
        const target = { type: "invite", id, role: invite.role } as const
        yield* audit.write({ workspaceId: workspace.id, actor: admin.user.id, action: "invite.cancelled", target }, now)
      },
      atomically
    )

    return { list, create, createOwner, resend, cancel }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
