/** A project by its slug, as far as its caller reaches it; any other is refused as missing. */
import { Effect } from "effect"
import type { User } from "../accounts/model.ts"
import * as AccessRules from "./access-rules.ts"
import { ProjectStore } from "./store.ts"

export const makeReaching = ProjectStore.useSync(({ reach }) => ({
  seen: Effect.fn("Projects.seen")(function*(user: User, slug: string) {
    return yield* Effect.fromResult(AccessRules.visible(yield* reach(slug, user.id)))
  }),
  changeable: Effect.fn("Projects.changeable")(function*(user: User, slug: string) {
    return yield* Effect.fromResult(AccessRules.changeable(yield* reach(slug, user.id), user))
  })
}))
