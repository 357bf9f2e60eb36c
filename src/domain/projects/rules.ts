/** What a project keeps, is called and counts as: how long, how much, under which address and title (SPEC §3, CONTRACT §8). */
import { DateTime, Option, Result } from "effect"
import type { User } from "../accounts/model.ts"
import { verified } from "../accounts/rules.ts"
import { liftedAt, orLarger } from "../billing/rules.ts"
import { Conflict, type EmailNotVerified, type Invalid, invalid, NotFound, PaymentRequired, QuotaExceeded, SlugReserved, type SlugTaken } from "../failures.ts"
import type { BillingState, Plan, Role, WorkspaceId } from "../workspaces/model.ts"
import { mayPublish, PLANS } from "../workspaces/rules.ts"
import { slugTaken, takenDownForGood } from "./access-rules.ts"
import type { ChangesAsked, Project, ProjectChanges, Visibility } from "./model.ts"
import { isReserved } from "./slugs/reserved-slugs.ts"
import { doorcodeFault } from "./slugs/slugs.ts"
import type { Claimable, Freed, NewVersion } from "./store.ts"

/** How long a freed slug stays reserved for its workspace; after that, a deleted project is erased. */
export const SLUG_KEPT = { days: 30 } as const

/**
 * How many of the slugs that it freed last a workspace keeps: as many as it may have projects, and some more on a small plan. Without
 * a bound, one project that is renamed again and again would keep every name from everybody.
 */
const slugsKept = (plan: Plan): number => Math.max(100, PLANS[plan].projects)
/** On any plan. */
export const MOST_SLUGS_KEPT = Math.max(...(Object.keys(PLANS) as ReadonlyArray<Plan>).map(slugsKept))

/** Whether a slug that this user frees stays reserved: nobody has a link to what an account without a proven address left empty. */
export const keepsSlug = ({ takenDownAt, version }: Pick<Project, "takenDownAt" | "version">, { emailVerified }: User): boolean =>
  version > 0 || emailVerified || takenDownAt !== null

/** A slug that was freed at this time or before is free for everybody. */
export const freedSince = (now: DateTime.Utc): DateTime.Utc => DateTime.subtract(now, SLUG_KEPT)

/** How long a pack is kept after the last version that named it is gone, and a pack without a row after it was written. */
export const GUARD = { minutes: 24 * 60 } as const

/** How long a publish may reuse bytes that no version names: half of the time until they are collected. */
export const REVIVABLE = { minutes: GUARD.minutes / 2 } as const

/** How long one answer may read a version's bytes: half of the time until they are wiped, if the version goes meanwhile. */
export const READ_WITHIN = { minutes: GUARD.minutes / 2 } as const

const SLOW_FROM_S = 10 * 60
const LEAST_PER_S = 64 * 1024

/** Whether whoever has one of few turns reads fast enough for the others to wait: 64 KB a second, once ten minutes are over. */
export const keepsTurn = (sent: number, begun: DateTime.Utc, now: DateTime.Utc): boolean => {
  const seconds = (DateTime.toEpochMillis(now) - DateTime.toEpochMillis(begun)) / 1000
  return seconds < SLOW_FROM_S || sent >= seconds * LEAST_PER_S
}

/** Whether so many files take some MB for as long as they are sent in a zip, and some ten until they are live: only a few such are worked on at once. */
export const isMany = (files: number): boolean => files > 1000

export const noSuchVersion = (field: string) => new NotFound({ message: "There is no such version. It may have made room for newer ones.", field })

/** Refuses changes that are based on a version no longer served: merged into another one, they would make a site that nobody wrote. */
export const movedOn = (version: number) =>
  new Conflict({ message: `The project is at version ${version} by now. Look at its files again.`, field: "base_version", details: { version } })

/** Changes without a base apply to whatever version is served. */
export const onBase = ({ version }: Pick<Project, "version">, base: number | undefined): Result.Result<void, Conflict> =>
  base === undefined || base === version ? Result.succeed(undefined) : Result.fail(movedOn(version))

export type Titled = Pick<Project, "servedTitle" | "slug" | "title" | "titleGiven">

/** What content says about how to call it: its own title, and its file's name. */
export interface Says {
  readonly title: string | null
  readonly fileTitle: string | null
}

export type Called = Pick<NewVersion, "title" | "titleOwn">

/**
 * How a version is called: as it calls itself; else as the one that it replaces called itself, which says more than a file's name; else
 * by its file's name, which may be that of another week.
 */
export const called = ({ fileTitle, title }: Says, { servedTitle, servedTitleOwn }: Pick<Project, "servedTitle" | "servedTitleOwn">): Called => {
  if (title !== null) return { title, titleOwn: true }
  return servedTitleOwn ? { title: servedTitle, titleOwn: true } : { title: fileTitle ?? servedTitle, titleOwn: false }
}

type Retitled = Partial<Pick<Project, "title" | "titleGiven">>

/** Instances of releases that do not know the flag, which may run beside this one, change a title without it. */
const isGiven = ({ servedTitle, slug, title, titleGiven }: Titled): boolean => titleGiven || (title !== slug && title !== servedTitle)

/** The title after a publish: the one that it gives, else what its version is called or the slug, unless somebody gave one before. */
export const titled = (given: string | undefined, called: string | null, held: Titled): Retitled => {
  if (given !== undefined) return { title: given, titleGiven: true }
  if (isGiven(held)) return held.titleGiven ? {} : { titleGiven: true }
  const title = called ?? held.slug
  return title === held.title ? {} : { title }
}

/** The title after a change: null hands it back to what is served, and a slug that stood in for one goes with the address. */
export const retitled = ({ slug, title }: Pick<ChangesAsked, "slug" | "title">, held: Titled): Retitled => {
  if (typeof title === "string") return { title, titleGiven: true }
  if (title === undefined && (slug === undefined || isGiven(held))) return {}
  return { title: held.servedTitle ?? slug ?? held.slug, titleGiven: false }
}

/** A doorcode alone means that it shall be asked for: it closes a project that is open to all, and opens none that is closed further. */
export const visibilityIn = (
  { password, visibility }: Pick<ProjectChanges, "password" | "visibility">,
  held: Visibility
): Visibility => visibility ?? (typeof password === "string" && held === "public" ? "password" : held)

const changed = <Key extends "visibility" | "password" | "slug" | "title">(project: Pick<Project, Key>, changes: ProjectChanges, key: Key): boolean =>
  changes[key] !== undefined && changes[key] !== project[key]

/** A project may keep the doorcode that it has, though more is asked of one by now than when it was chosen. */
export const doorcode = ({ password }: Pick<ProjectChanges, "password">, held: Pick<Project, "password">): Result.Result<void, Invalid> => {
  const fault = typeof password === "string" && password !== held.password ? doorcodeFault(password) : undefined
  return fault === undefined ? Result.succeed(undefined) : Result.fail(invalid({ field: "password", message: fault }))
}

/** Whether a change ends the passes given for the doorcode: one of the doorcode does, and one of who may see the project. */
export const endsPasses = (project: Pick<Project, "password" | "visibility">, changes: ProjectChanges): boolean =>
  changed(project, changes, "visibility") || changed(project, changes, "password")

interface Noted {
  readonly action: "project.visibility_changed" | "project.doorcode_changed" | "project.renamed" | "project.retitled"
  readonly visibility?: Visibility
}

/** The parts of a change that go into the audit log: visibility, doorcode, slug and title. */
export const noted = (project: Project, changes: ProjectChanges): ReadonlyArray<Noted> => {
  const all: Array<Noted> = []
  if (changed(project, changes, "visibility")) all.push({ action: "project.visibility_changed", visibility: changes.visibility! })
  if (changed(project, changes, "password")) all.push({ action: "project.doorcode_changed" })
  // Only a new slug ends the old address.
  if (changed(project, changes, "slug")) all.push({ action: "project.renamed" })
  if (changed(project, changes, "title")) all.push({ action: "project.retitled" })
  return all
}

/** How a workspace stands, and what the caller is there; without a role, they are told what a member is told. */
export interface Standing {
  readonly billingState: BillingState
  /** Null where there was never a trial or a plan that could have ended. */
  readonly linksDownOn: DateTime.Utc | null
  readonly role?: Role
}

/** Publishing content needs a verified address and a workspace in good standing; an empty project needs neither. `planPage`: undefined where no plan is sold. */
export const publishable = (
  user: User,
  { billingState, linksDownOn, role }: Standing,
  planPage: string | undefined
): Result.Result<void, EmailNotVerified | PaymentRequired> => {
  const proven = verified(user)
  if (Result.isFailure(proven) || mayPublish(billingState)) return proven
  const why = linksDownOn === null ? "Publishing in this workspace begins with a plan." : "The workspace’s trial or subscription has ended."
  const next = planPage === undefined
    ? "Ask whoever runs this service."
    : role === "admin" ? "Choose a plan on its billing page." : "Ask one of its admins to choose a plan."
  return Result.fail(new PaymentRequired({ message: `${why} ${next}`, details: liftedAt(planPage) }))
}

/** Whether one of these workspaces may take a slug that no project has. A freed one is kept for its workspace, until that has freed many others, and for none if it was taken down: deleting the project must not bring its address back. */
export const claim = (
  slug: string,
  freed: Option.Option<Freed>,
  workspaces: ReadonlyArray<WorkspaceId>
): Result.Result<void, SlugReserved | SlugTaken> => {
  if (isReserved(slug)) return Result.fail(new SlugReserved({ message: "This name is reserved. Choose another.", field: "slug" }))
  if (Option.isNone(freed)) return Result.succeed(undefined)
  const { later, plan, takenDown, workspaceId } = freed.value
  if (!takenDown && later >= slugsKept(plan)) return Result.succeed(undefined)
  if (!workspaces.includes(workspaceId)) return Result.fail(slugTaken())
  return takenDown ? Result.fail(takenDownForGood()) : Result.succeed(undefined)
}

/** Why no project could be made at a slug in any of these workspaces; null if one could. */
export const availability = (slug: string, { freed, reach }: Pick<Claimable, "freed" | "reach">, workspaces: ReadonlyArray<WorkspaceId>) => {
  const claimed = claim(slug, freed, workspaces)
  if (Result.isFailure(claimed)) return claimed.failure._tag
  return Option.isSome(reach) ? "slug_taken" : null
}

/** Names that an account may hold before anybody proved its address: anyone can make such accounts by the hundred. */
export const UNPROVEN_PROJECTS = 5

/** `homes`: all workspaces of the account. */
export const mayHoldMore = (user: User, homes: ReadonlyArray<{ readonly projectCount: number }>): Result.Result<void, EmailNotVerified> =>
  homes.reduce((sum, { projectCount }) => sum + projectCount, 0) < UNPROVEN_PROJECTS ? Result.succeed(undefined) : verified(user)

export const roomForProject = (workspace: { readonly plan: Plan; readonly projectCount: number }, planPage: string | undefined): Result.Result<void, QuotaExceeded> =>
  workspace.projectCount < PLANS[workspace.plan].projects
    ? Result.succeed(undefined)
    : Result.fail(
      new QuotaExceeded({
        message: `The plan holds ${PLANS[workspace.plan].projects} projects. Delete one${orLarger(planPage)}.`,
        field: "projects",
        details: { limit: PLANS[workspace.plan].projects, ...liftedAt(planPage) }
      })
    )

/** `bytes`: by how many the storage grows. A workspace over its cap may still replace content by content of at most the same size (CONTRACT §6). */
export const roomForBytes = (
  workspace: { readonly plan: Plan; readonly storageBytes: number },
  bytes: number,
  planPage: string | undefined
): Result.Result<void, QuotaExceeded> =>
  bytes <= 0 || workspace.storageBytes + bytes <= PLANS[workspace.plan].storageBytes
    ? Result.succeed(undefined)
    : Result.fail(
      new QuotaExceeded({
        message: `The plan’s storage is full. Delete something${orLarger(planPage)}.`,
        field: "storage",
        details: { limit: PLANS[workspace.plan].storageBytes, ...liftedAt(planPage) }
      })
    )

export interface Pruning {
  /** Versions of this number or below are older than the plan keeps. */
  readonly upTo: number
  readonly atMost: number
}

/** One version is pruned for each one added, so that what a former, larger plan kept stays but does not grow (CONTRACT §6). */
export const pruning = (next: number, plan: Plan): Pruning => ({ upTo: next - PLANS[plan].versionsKept, atMost: 1 })

/** When something ends, as a time or in days from now; null: never. */
export const endOf = (
  { expiresAt, expiresInDays }: { readonly expiresAt?: DateTime.Utc | null | undefined; readonly expiresInDays?: number | null | undefined },
  now: DateTime.Utc
): Result.Result<DateTime.Utc | null | undefined, Invalid> => {
  if (expiresInDays === undefined) return Result.succeed(expiresAt)
  if (expiresAt !== undefined) return Result.fail(invalid({ field: "expires_at", message: "Choose one: expires_in_days or expires_at." }))
  return Result.succeed(expiresInDays === null ? null : DateTime.add(now, { days: expiresInDays }))
}
