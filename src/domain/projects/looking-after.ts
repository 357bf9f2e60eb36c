/** Who looks after a project, and whom a mail may tell of it, by the facts as they are now. */
import { Effect, Option } from "effect"
import type { User, UserId } from "../accounts/model.ts"
import { AccountStore } from "../accounts/store.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import { lookAfter, mayChange, maySee } from "./access-rules.ts"
import type { ProjectId } from "./model.ts"
import { ProjectStore } from "./store.ts"

interface LookedAfter {
  readonly ownerId: UserId
  readonly workspaceId: WorkspaceId
}

export const makeLookingAfter = Effect.gen(function*() {
  const accounts = yield* AccountStore
  const workspaces = yield* WorkspaceStore

  return Effect.fn("Projects.lookingAfter")(function*({ ownerId, workspaceId }: LookedAfter) {
    return lookAfter(ownerId, Option.isSome(yield* accounts.find(ownerId)), yield* workspaces.members(workspaceId))
  })
})

/** Not those whose address is not proved, nor those from whom a private folder hides the project. In the order of their ids. */
export const makeTellable = Effect.gen(function*() {
  const accounts = yield* AccountStore
  const projects = yield* ProjectStore
  const lookingAfter = yield* makeLookingAfter

  return Effect.fn("Projects.tellable")(function*({ slug, ...project }: LookedAfter & { readonly slug: string }) {
    const told: Array<User> = []
    for (const id of (yield* lookingAfter(project)).toSorted()) {
      const user = Option.getOrUndefined(yield* accounts.find(id))
      if (user?.emailVerified === true && Option.exists(yield* projects.reach(slug, id), maySee)) told.push(user)
    }
    return told
  })
})

/** The project of which a mail that waited tells somebody, as it is now; none if they may not change it any more. */
export const makeStillTold = Effect.gen(function*() {
  const accounts = yield* AccountStore
  const projects = yield* ProjectStore

  return Effect.fn("Projects.stillTold")(function*(to: string, id: ProjectId) {
    const slug = Option.getOrUndefined(yield* projects.slugOf(id))
    const user = Option.getOrUndefined(yield* accounts.byEmail(to))?.user
    if (slug === undefined || user === undefined) return Option.none()
    return Option.filter(yield* projects.reach(slug, user.id), (reach) => mayChange(reach, user)).pipe(Option.map(({ project }) => project))
  })
})
