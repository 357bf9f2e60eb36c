/** What a user may see and do at a project's comments, by the facts of this moment; for the API and the project's own host alike. */
import { Context, Effect, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { UserId } from "../accounts/model.ts"
import { Allowlists } from "../allowlists/allowlists.ts"
import { mayComment } from "../allowlists/rules.ts"
import * as AccessRules from "../projects/access-rules.ts"
import type { ProjectId } from "../projects/model.ts"
import { ProjectStore } from "../projects/store.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import type { Commenter } from "./rules.ts"

interface CommentedProject {
  readonly id: ProjectId
  readonly workspaceId: WorkspaceId
  readonly ownerId: UserId
  readonly version: number
  readonly commentsEnabled: boolean
}

/** A user at a project, whether or not they may see it. */
export interface Arrived extends Commenter {
  readonly project: CommentedProject
  /** They have a verified address, and the project's comment access lets them in. */
  readonly mayComment: boolean
}

export class Commenters extends Context.Service<Commenters>()("svc/domain/comments/Commenters", {
  make: Effect.gen(function*() {
    const projects = yield* ProjectStore
    const allowlists = yield* Allowlists

    /** None if no project holds the slug, or if the one that holds it is not `expected`. */
    const at = Effect.fn("Commenters.at")(function*(slug: string, user: User, expected?: ProjectId) {
      const reach = Option.getOrUndefined(yield* projects.reach(slug, user.id))
      if (reach === undefined || (expected !== undefined && reach.project.id !== expected)) return Option.none<Arrived>()
      const { commentAccess: access, commentsEnabled, id, owner, version, workspaceId } = reach.project
      const isMember = AccessRules.maySee(reach)
      const listed = !isMember && access === "allowlist" && (yield* allowlists.listed(reach.project, user.email))
      return Option.some<Arrived>({
        user,
        isMember,
        moderates: AccessRules.mayChange(reach, user),
        mayComment: mayComment({ access, isMember, email: user.emailVerified ? user.email : null, listed }),
        project: { id, workspaceId, ownerId: UserId.make(owner.id), version, commentsEnabled }
      })
    })

    return { at }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
