/** Connected devices and agents, in one list: each can be revoked, with immediate effect (CONTRACT §3). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { UserId } from "../accounts/model.ts"
import { NotFound } from "../failures.ts"
import { GrantStore } from "./store.ts"

export class Grants extends Context.Service<Grants>()("svc/domain/grants/Grants", {
  make: Effect.gen(function*() {
    const store = yield* GrantStore

    const list = Effect.fn("Grants.list")(function*(userId: UserId) {
      return yield* store.list(userId, yield* DateTime.now)
    })

    const revoke = Effect.fn("Grants.revoke")(function*(userId: UserId, id: string) {
      if (!(yield* store.revoke(userId, id, yield* DateTime.now))) return yield* new NotFound({ message: "No device or agent with this id is connected." })
    })

    return { list, revoke }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
