/** Bearer tokens for scripts: made in a session, shown once, revoked at once (SPEC §4.3, §5.1). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User, UserId } from "../accounts/model.ts"
import { signedOut } from "../accounts/refusals.ts"
import { AccountStore } from "../accounts/store.ts"
import { NotFound } from "../failures.ts"
import { isUseStale } from "../grants/rules.ts"
import { Atomically } from "../ports/atomically.ts"
import { Tokens } from "../ports/tokens.ts"
import type { ApiToken } from "./model.ts"
import { ApiTokenId } from "./model.ts"
import * as Rules from "./rules.ts"
import { ApiTokenStore } from "./store.ts"

const PREFIX = "svc_"

/** How many characters of a raw token may be shown afterwards. */
const SHOWN = 8

export class ApiTokens extends Context.Service<ApiTokens>()("svc/domain/api-tokens/ApiTokens", {
  make: Effect.gen(function*() {
    const store = yield* ApiTokenStore
    const tokens = yield* Tokens
    const accounts = yield* AccountStore
    const { atomically } = yield* Atomically

    const list = Effect.fn("ApiTokens.list")((userId: UserId) => store.list(userId))

    const create = Effect.fn("ApiTokens.create")(function*(userId: UserId, label: string) {
      const now = yield* DateTime.now
      const { hash, raw } = yield* tokens.mint(PREFIX)
      const id = ApiTokenId.make(yield* tokens.uuid)
      const token: ApiToken = { id, label, prefix: raw.slice(0, SHOWN), createdAt: now, lastUsedAt: null }
      yield* store.add(userId, token, hash)
      return { ...token, token: raw }
    })

    /** For a signed-in user: a concurrent password reset ends the session first, or finds the token and revokes it. */
    const createSignedIn = Effect.fn("ApiTokens.createSignedIn")(
      function*(user: User, label: string) {
        if (!(yield* accounts.holdSession(user))) return yield* signedOut()
        yield* Effect.fromResult(Rules.room(yield* store.count(user.id)))
        return yield* create(user.id, label)
      },
      atomically
    )

    /** After a device got its token: signing in must not fail for others that were never signed out, so the longest unused ones give way. */
    const retire = Effect.fn("ApiTokens.retire")((userId: UserId) => store.retire(userId, Rules.MAX_TOKENS))

    const revoke = Effect.fn("ApiTokens.revoke")(function*(userId: UserId, id: ApiTokenId) {
      if (!(yield* store.remove(userId, id))) return yield* new NotFound({ message: "There is no such token.", field: "token_id" })
    })

    /** The user whose token this is; none for anything unknown or revoked. */
    const authenticate = Effect.fn("ApiTokens.authenticate")(function*(raw: string) {
      if (!raw.startsWith(PREFIX)) return Option.none<User>()
      const found = yield* store.authenticate(tokens.hash(raw))
      if (Option.isNone(found)) return Option.none<User>()
      const now = yield* DateTime.now
      const { token, user } = found.value
      if (isUseStale(token.lastUsedAt, now)) yield* store.used(token.id, now)
      return Option.some(user)
    })

    return { list, create, createSignedIn, retire, revoke, authenticate }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
