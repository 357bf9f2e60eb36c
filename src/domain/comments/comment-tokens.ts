/**
 * The token with which a viewer's script posts comments in its reader's name (SPEC §4.8, CONTRACT §9): sealed, bound to one
 * user, one project and the user's session epoch, good for 15 minutes. Checked against the facts again at every use.
 */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { UserId } from "../accounts/model.ts"
import type { User } from "../accounts/model.ts"
import { AccountStore } from "../accounts/store.ts"
import { opensFresh, Seals } from "../ports/seals.ts"
import { ProjectId } from "../projects/model.ts"

const PURPOSE = "comment"

export const LIFETIME = { minutes: 15 } as const

const Sealed = Schema.Struct({ user: UserId, project: ProjectId, epoch: Schema.Int, at: Schema.Number })
const decode = Schema.decodeUnknownOption(Sealed)

export class CommentTokens extends Context.Service<CommentTokens>()("svc/domain/comments/CommentTokens", {
  make: Effect.gen(function*() {
    const seals = yield* Seals
    const accounts = yield* AccountStore
    const opened = opensFresh(seals, decode, LIFETIME)

    const issue = Effect.fn("CommentTokens.issue")(function*(user: User, project: ProjectId) {
      const now = yield* DateTime.now
      return yield* seals.seal(PURPOSE, { user: user.id, project, epoch: user.sessionEpoch, at: DateTime.toEpochMillis(now) })
    })

    /** The user that this token speaks for; none if it is for another project, too old, or of a past epoch. */
    const open = Effect.fn("CommentTokens.open")(function*(raw: string, project: ProjectId) {
      const token = Option.getOrUndefined(yield* opened(PURPOSE, raw, yield* DateTime.now))
      if (token === undefined || token.project !== project) return Option.none<User>()
      return Option.filter(yield* accounts.find(token.user), (user) => user.sessionEpoch === token.epoch)
    })

    return { issue, open }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
