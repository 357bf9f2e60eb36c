/** Who may see and change a project, and what a publish makes of its files (SPEC §3, CONTRACT §8). */
import { DateTime, Option, Result } from "effect"
import type { User } from "../accounts/model.ts"
import { verified } from "../accounts/rules.ts"
import { Conflict, type EmailNotVerified, Forbidden, type Invalid, invalid, NotFound, PaymentRequired, QuotaExceeded, SlugReserved, SlugTaken } from "../failures.ts"
import type { BillingState, Plan, WorkspaceId } from "../workspaces/model.ts"
import { mayPublish, PLANS } from "../workspaces/rules.ts"
import { clashIn, spelled } from "./file-paths.ts"
import type { Kind, Project, ProjectChanges, Visibility } from "./model.ts"
import { isReserved } from "./reserved-slugs.ts"
import type { Reach } from "./store.ts"

/** How long a freed slug stays its workspace's to take back; then a deleted project is erased. */
export const SLUG_KEPT = { days: 30 } as const

export const MAX_FILES = 10_000

/** A site's first page. */
export const INDEX = "index.html"

/** How long a pack stays after its last version, and an unknown one after it was written. */
export const GUARD = { minutes: 24 * 60 } as const

/** How long bytes that no version names may still be taken up again: half of the time before they are collected. */
export const REVIVABLE = { minutes: GUARD.minutes / 2 } as const

/** No two files at one path, and none where another needs a folder. */
export const distinct = (paths: ReadonlyArray<string>): Result.Result<void, Invalid> => {
  const clash = clashIn(paths)
  return clash === undefined
    ? Result.succeed(undefined)
    : Result.fail(invalid({ field: "file", message: `${clash.message} (${clash.path})` }))
}

export const noIndex = () => invalid({ field: "file", message: `This folder has no ${INDEX}, its first page. Add one, or publish the files one by one.` })

/** The files of a site's next version: those it holds without the removed ones, and the new ones over them. */
export const merged = <A>(
  held: Readonly<Record<string, A>>,
  added: ReadonlyArray<readonly [path: string, asset: A]>,
  removed: ReadonlyArray<string>
): Result.Result<Record<string, A>, Invalid> => {
  const gone = removed.find((path) => !Object.hasOwn(held, spelled(path)))
  if (gone !== undefined) return Result.fail(invalid({ field: "delete", message: `There is no file named ${gone}.` }))
  const without = new Set(removed.map(spelled))
  const files = Object.fromEntries([...Object.entries(held).filter(([path]) => !without.has(path)), ...added])
  const paths = Object.keys(files)
  const refused = distinct(paths)
  if (Result.isFailure(refused)) return Result.fail(refused.failure)
  if (paths.length > MAX_FILES) return Result.fail(invalid({ field: "file", message: `A site may hold ${MAX_FILES} files.` }))
  if (!Object.hasOwn(files, INDEX)) return Result.fail(invalid({ field: "file", message: `A site needs its first page, ${INDEX}.` }))
  return Result.succeed(files)
}

/** Single files are of sites, or of what is still empty. `instead`: what to do otherwise, in the words of the door it came by. */
export const takesFiles = ({ kind }: Pick<Project, "kind">, instead: string): Result.Result<void, Invalid> =>
  kind === null || kind === "site"
    ? Result.succeed(undefined)
    : Result.fail(invalid({ field: "file", message: `This project is not a site. ${instead}` }))

export const noSuchProject = () => new NotFound({ message: "There is no such project.", field: "slug" })

export const noSuchVersion = (field = "version") => new NotFound({ message: "There is no such version. It may have been pruned.", field })

/** Changes meant for a version that is no longer the one being served: merged into another they would make a site that nobody wrote. */
const movedOn = (version: number) =>
  new Conflict({ message: `The project is at version ${version} by now. Look at its files again.`, field: "base_version", details: { version } })

/** Without a base they are meant for whatever is there. */
export const onBase = ({ version }: Pick<Project, "version">, base: number | undefined): Result.Result<void, Conflict> =>
  base === undefined || base === version ? Result.succeed(undefined) : Result.fail(movedOn(version))

export const notYours = () => new Forbidden({ message: "Only its creator and the workspace’s admins may change this project." })

/** What is published there would stay dark, and a free address would bring back what was taken off the web. */
export const standing = ({ takenDownAt }: Pick<Project, "takenDownAt">): Result.Result<void, Conflict> =>
  takenDownAt === null
    ? Result.succeed(undefined)
    : Result.fail(new Conflict({ message: "This project was taken down by whoever runs this service. Ask them before you publish or move it.", field: "slug" }))

export const slugTaken = () => new SlugTaken({ message: "This address is taken. Choose another.", field: "slug" })

/** To whoever may publish there, if they mean to. */
const colleagues = () =>
  new SlugTaken({ message: "A colleague’s project has this address. Publish to it as an update (If-Match: *), or choose another.", field: "slug" })

export const maySee = (reach: Reach): boolean => reach.role !== null && !reach.hidden

export const mayChange = (reach: Reach, user: User): boolean =>
  maySee(reach) && (reach.role === "admin" || reach.project.owner.id === user.id)

/**
 * Who publishes to a slug adds to a project of their own (CONTRACT §8). An admin replaces a colleague's page only by an `update`:
 * a slug that happens to be held must not be enough.
 */
export const publishes = (reach: Reach, user: User, update: boolean): Result.Result<void, SlugTaken> => {
  if (!mayChange(reach, user)) return Result.fail(slugTaken())
  return update || reach.project.owner.id === user.id ? Result.succeed(undefined) : Result.fail(colleagues())
}

/** What its caller may see; anything else is as good as missing. */
export const visible = <R extends Reach>(found: Option.Option<R>): Result.Result<R, NotFound> =>
  Result.fromOption(Option.filter(found, maySee), noSuchProject)

export const changeable = (found: Option.Option<Reach>, user: User): Result.Result<Reach, NotFound | Forbidden> =>
  Result.filterOrFail(visible(found), (reach) => mayChange(reach, user), notYours)

/** A member who may not change a project sees it without its doorcode. */
export const seenBy = (reach: Reach, user: User): Project =>
  mayChange(reach, user) ? reach.project : { ...reach.project, password: null }

interface Noted {
  readonly action: "project.visibility_changed" | "project.doorcode_changed" | "project.renamed"
  readonly visibility?: Visibility
}

/** What of a change goes into the audit log: who may look, and under which name. */
export const noted = (project: Project, changes: ProjectChanges): ReadonlyArray<Noted> => {
  const changed = (key: "visibility" | "password" | "slug" | "title") => changes[key] !== undefined && changes[key] !== project[key]
  const all: Array<Noted> = []
  if (changed("visibility")) all.push({ action: "project.visibility_changed", visibility: changes.visibility! })
  if (changed("password")) all.push({ action: "project.doorcode_changed" })
  if (changed("slug") || changed("title")) all.push({ action: "project.renamed" })
  return all
}

/** Content needs a verified address and a workspace in good standing; an empty project needs neither. */
export const publishable = (
  user: User,
  state: BillingState
): Result.Result<void, EmailNotVerified | PaymentRequired> => {
  const proven = verified(user)
  if (Result.isFailure(proven) || mayPublish(state)) return proven
  return Result.fail(new PaymentRequired({ message: "The trial or the subscription has ended. Choose a plan to publish again." }))
}

/** Whether a slug that nobody holds may be taken by a workspace; `keptFor` null: by none. */
export const claim = (
  slug: string,
  keptFor: WorkspaceId | null | undefined,
  workspaceId: WorkspaceId
): Result.Result<void, SlugReserved | SlugTaken> => {
  if (isReserved(slug)) return Result.fail(new SlugReserved({ message: "This name is held back. Choose another.", field: "slug" }))
  if (keptFor !== undefined && keptFor !== workspaceId) return Result.fail(slugTaken())
  return Result.succeed(undefined)
}

export const roomForProject = (workspace: { readonly plan: Plan; readonly projectCount: number }): Result.Result<void, QuotaExceeded> =>
  workspace.projectCount < PLANS[workspace.plan].projects
    ? Result.succeed(undefined)
    : Result.fail(
      new QuotaExceeded({
        message: `The plan holds ${PLANS[workspace.plan].projects} projects. Delete one, or choose a larger plan.`,
        field: "projects"
      })
    )

/** `bytes`: by how many it grows. Over the cap, what takes the place of as much goes on (CONTRACT §6). */
export const roomForBytes = (
  workspace: { readonly plan: Plan; readonly storageBytes: number },
  bytes: number
): Result.Result<void, QuotaExceeded> =>
  bytes <= 0 || workspace.storageBytes + bytes <= PLANS[workspace.plan].storageBytes
    ? Result.succeed(undefined)
    : Result.fail(
      new QuotaExceeded({ message: "The plan’s storage is full. Delete something, or choose a larger plan.", field: "storage" })
    )

export interface Pruning {
  /** What is older than the plan keeps: of this number or below. */
  readonly upTo: number
  readonly atMost: number
}

/** A version goes for the one that comes, so that what a larger plan left over stays, and grows no more (CONTRACT §6). */
export const pruning = (next: number, plan: Plan): Pruning => ({ upTo: next - PLANS[plan].versionsKept, atMost: 1 })

export const expiryIn = (days: number | undefined, now: DateTime.Utc): DateTime.Utc | undefined =>
  days === undefined ? undefined : DateTime.add(now, { days })

export interface NamedFile {
  readonly path: string
  /** What it would be alone; undefined for what is only part of a site. */
  readonly kind: Kind | "zip" | undefined
}

/** What several files published together are: a site, one Markdown with its images, or one video with its still and captions. */
export const kindOfFiles = (
  files: ReadonlyArray<NamedFile>
): Result.Result<{ readonly kind: Kind; readonly entry: string }, Invalid> => {
  if (files.some((file) => file.path === INDEX)) return Result.succeed({ kind: "site", entry: INDEX })
  const written = files.filter((file) => file.kind === "markdown")
  if (written.length === 1 && files.every((file) => file.kind === "markdown" || file.kind === "image")) {
    return Result.succeed({ kind: "markdown", entry: written[0]!.path })
  }
  const filmed = files.filter((file) => file.kind === "video")
  if (filmed.length === 1 && files.every((file) => file.kind === "video" || file.kind === "image" || /\.vtt$/i.test(file.path))) {
    return Result.succeed({ kind: "video", entry: filmed[0]!.path })
  }
  return Result.fail(noIndex())
}
