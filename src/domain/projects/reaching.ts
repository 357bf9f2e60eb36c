/** A project by its slug, as far as its caller reaches it; any other is refused as missing. */
import { Effect, Option } from "effect"
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

/**
 * What is found by an id of its own, and then its project by the slug that it tells: both again where the project moved to
 * another address between the two. None where no such project is there.
 */
export const withProject = Effect.fnUntraced(function*<A extends { readonly slug: string }, B, E, R>(
  find: Effect.Effect<A, E, R>,
  projectOf: (found: A) => Effect.Effect<Option.Option<B>, E, R>
) {
  let before: string | undefined
  while (true) {
    const found = yield* find
    const project = yield* projectOf(found)
    if (Option.isSome(project) || found.slug === before) return Option.map(project, (there) => [found, there] as const)
    before = found.slug
  }
})
