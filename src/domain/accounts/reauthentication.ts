/** Asking for the password before what a session or a token alone must not do (SPEC §7, CONTRACT §3, §7). */
import { Context, Effect, Layer, Option } from "effect"
import { Forbidden } from "../failures.ts"
import { Passwords } from "../ports/passwords.ts"
import { RateLimits } from "../ports/rate-limits.ts"
import type { User } from "./model.ts"
import { LIMITS } from "./rules.ts"
import { AccountStore } from "./store.ts"

const refused = () => new Forbidden({ message: "The password is wrong.", field: "password", details: { reason: "password_wrong" } })

const notSet = () =>
  new Forbidden({
    message: "Your account has no password yet. Set one with a password reset, then try again.",
    field: "password",
    details: { reason: "password_not_set" }
  })

export class Reauthentication extends Context.Service<Reauthentication>()("svc/domain/accounts/Reauthentication", {
  make: Effect.gen(function*() {
    const store = yield* AccountStore
    const passwords = yield* Passwords
    const limits = yield* RateLimits

    const confirm = Effect.fn("Reauthentication.confirm")(function*(user: User, password: string) {
      if (!user.hasPassword) return yield* notSet()
      yield* limits.consume(LIMITS.reauthentication, user.id)
      const found = Option.getOrUndefined(yield* store.byEmail(user.email))
      const { matches } = yield* passwords.verify(found?.passwordHash ?? null, password, user.id)
      if (!matches) return yield* refused()
    })

    return { confirm }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
