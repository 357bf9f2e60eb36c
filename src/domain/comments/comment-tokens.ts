/**
 * The token with which a viewer's script posts comments in its reader's name (SPEC §4.8, CONTRACT §9): sealed, bound to one
 * user, one project, the user's session epoch and the session that asked for it, good for 15 minutes unless that session
 * signs out. Checked against the facts again at every use.
 */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { UserId } from "../accounts/model.ts"
import type { User } from "../accounts/model.ts"
import { AccountStore } from "../accounts/store.ts"
import { opensFresh, Seals } from "../ports/seals.ts"
import { Tokens } from "../ports/tokens.ts"
import { ProjectId } from "../projects/model.ts"
import { endOf } from "../sessions/sessions.ts"
import type { SignedIn } from "../sessions/sessions.ts"

const PURPOSE = "comment"

const LIFETIME = { minutes: 15 } as const

/** `since` is missing from the tokens of the release before, which may be issued beside this one; they last their 15 minutes. */
const Sealed = Schema.Struct({ user: UserId, since: Schema.optionalKey(Schema.Number), project: ProjectId, epoch: Schema.Int, at: Schema.Number })
const decode = Schema.decodeUnknownOption(Sealed)

export class CommentTokens extends Context.Service<CommentTokens>()("svc/domain/comments/CommentTokens", {
  make: Effect.gen(function*() {
    const seals = yield* Seals
    const tokens = yield* Tokens
    const accounts = yield* AccountStore
    const opened = opensFresh(seals, decode, LIFETIME)

    const issue = Effect.fn("CommentTokens.issue")(function*({ since, user }: SignedIn, project: ProjectId) {
      const at = DateTime.toEpochMillis(yield* DateTime.now)
      return yield* seals.seal(PURPOSE, { user: user.id, since: DateTime.toEpochMillis(since), project, epoch: user.sessionEpoch, at })
    })

    const bearer = ({ since, user }: typeof Sealed.Type) =>
      since === undefined ? accounts.find(user) : accounts.findSignedIn(user, tokens.hash(endOf(user, DateTime.makeUnsafe(since))))

    /** The user that this token speaks for; none if it is for another project, too old, of a past epoch, or its session has signed out. */
    const open = Effect.fn("CommentTokens.open")(function*(raw: string, project: ProjectId) {
      const token = Option.getOrUndefined(yield* opened(PURPOSE, raw, yield* DateTime.now))
      if (token === undefined || token.project !== project) return Option.none<User>()
      return Option.filter(yield* bearer(token), (user) => user.sessionEpoch === token.epoch)
    })

    return { issue, open }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
