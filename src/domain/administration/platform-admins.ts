/** Who may administer the service (CONTRACT §10): asked at every door to what its platform administrators do. */
import { Context, Effect, Layer } from "effect"
import type { User } from "../accounts/model.ts"
import { Policies } from "../ports/policies.ts"
import * as Rules from "./rules.ts"

export class PlatformAdmins extends Context.Service<PlatformAdmins>()("svc/domain/administration/PlatformAdmins", {
  make: Effect.gen(function*() {
    const { platformAdmins } = yield* Policies

    const includes = (user: User) => Rules.isPlatformAdmin(user, platformAdmins)

    /** The same, for those who ask for what only platform administrators may do. */
    const admit = (user: User) => Effect.fromResult(Rules.admit(user, platformAdmins))

    return { includes, admit }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
