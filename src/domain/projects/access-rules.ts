/** Who may see, change and publish to a project, and what everybody else is told (SPEC §3, CONTRACT §8). */
import { Option, Result } from "effect"
import type { User, UserId } from "../accounts/model.ts"
import { Conflict, Forbidden, NotFound, SlugTaken } from "../failures.ts"
import type { Member } from "../workspaces/model.ts"
import type { Project } from "./model.ts"
import type { Reach } from "./store.ts"

export const noSuchProject = () => new NotFound({ message: "There is no such project.", field: "slug" })

export const notYours = () => new Forbidden({ message: "Only its creator and the workspace’s admins may change this project." })

/** Refuses to publish to or move a project that was taken down: a new version would not be visible, and a move would put the content back on the web. */
export const notTakenDown = ({ takenDownAt }: Pick<Project, "takenDownAt">): Result.Result<void, Conflict> =>
  takenDownAt === null
    ? Result.succeed(undefined)
    : Result.fail(new Conflict({ message: "This project was taken down by whoever runs this service. Ask them before you publish or move it.", field: "slug" }))

export const slugTaken = () => new SlugTaken({ message: "This address is taken. Choose another.", field: "slug" })

/** Told only to the workspace that had the address. */
export const takenDownForGood = () => new SlugTaken({ message: "Whoever runs this service took down what was at this address. Choose another.", field: "slug" })

/** Told only to somebody who may publish to that project: another workspace was asked for than the one that it lies in. */
export const elsewhere = ({ project }: Pick<Reach, "project">, user: User) =>
  new SlugTaken({
    message: `${project.owner.id === user.id ? "Your" : "A colleague’s"} project in another workspace has this address. Leave out workspace to publish to it, or choose another.`,
    field: "slug"
  })

/** Told only to an admin, who may publish there on purpose. */
const colleagues = () =>
  new SlugTaken({ message: "A colleague’s project has this address. Publish to it as an update (If-Match: *, svc publish --update, the tool update, or update: true of finish_upload), or choose another.", field: "slug" })

export const maySee = (reach: Reach): boolean => reach.role !== null && !reach.hidden

export const mayChange = (reach: Reach, user: User): boolean =>
  maySee(reach) && (reach.role === "admin" || reach.project.owner.id === user.id)

/**
 * A publish to a slug adds a version to a project of the caller's own (CONTRACT §8). An admin replaces a colleague's page only by
 * an explicit `update`: meeting a slug that is in use must not be enough.
 */
export const publishes = (reach: Reach, user: User, update: boolean): Result.Result<void, SlugTaken> => {
  if (!mayChange(reach, user)) return Result.fail(slugTaken())
  return update || reach.project.owner.id === user.id ? Result.succeed(undefined) : Result.fail(colleagues())
}

/** Refuses to make a project where there is one: its creator learns how to publish to it. */
export const madeAlready = (reach: Reach, user: User): SlugTaken =>
  mayChange(reach, user) && reach.project.owner.id === user.id
    ? new SlugTaken({ message: "Your project has this address. Publish to it with a plain PUT, or choose another.", field: "slug" })
    : slugTaken()

/** The project if the caller may see it; otherwise refused as missing. */
export const visible = <R extends Reach>(found: Option.Option<R>): Result.Result<R, NotFound> =>
  Result.fromOption(Option.filter(found, maySee), noSuchProject)

export const changeable = (found: Option.Option<Reach>, user: User): Result.Result<Reach, NotFound | Forbidden> =>
  Result.filterOrFail(visible(found), (reach) => mayChange(reach, user), notYours)

/** The project as the user sees it: without the doorcode unless they may change it. */
export const seenBy = (reach: Reach, user: User): Project =>
  mayChange(reach, user) ? reach.project : { ...reach.project, password: null }

/**
 * Who looks after a project, and hears of what its readers do: its owner, or the admins of its workspace once the owner has left.
 * While the owner's account is to be erased, both: the owner hears of it if the account comes back.
 */
export const lookAfter = (ownerId: UserId, isActive: boolean, members: ReadonlyArray<Pick<Member, "role" | "userId">>): ReadonlyArray<UserId> => {
  const isThere = isActive && members.some(({ userId }) => userId === ownerId)
  return members.filter(({ role, userId }) => userId === ownerId || (!isThere && role === "admin")).map(({ userId }) => userId)
}
