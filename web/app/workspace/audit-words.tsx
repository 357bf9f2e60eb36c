/** What an entry of the audit log says in plain words, after the name of whoever did it. */
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { components } from "../api/client.ts"
import { countOf } from "../ui/facts.tsx"
import { PLANS } from "./plans.ts"
import { articled } from "./roles.ts"

export type Entry = components["schemas"]["AuditList"]["entries"][number]

/** The names that this app knows, by id. */
export interface Names {
  readonly people: ReadonlyMap<string, string>
  readonly invited: ReadonlyMap<string, string>
  readonly folders: ReadonlyMap<string, string>
}

/** A target as the actions read it, with what its project is called: fields that only some kinds carry are optional. */
interface Read extends Pick<Entry, "called"> {
  readonly id: string
  readonly plan?: keyof typeof PLANS
  readonly role?: "admin" | "member"
  readonly visibility?: "public" | "password" | "private"
  readonly sharing?: "private" | "team"
  readonly level?: "project" | "folder" | "workspace"
  readonly added?: number
  readonly removed?: number
  readonly comment_access?: "members" | "allowlist" | "anyone"
  readonly comment_allowlist_inherit?: boolean
}

const VISIBLE = { public: "public", password: "open by doorcode", private: "private" } as const
const MAY_COMMENT = { members: "members may comment", allowlist: "members and listed people may comment", anyone: "anyone signed in may comment" } as const

const project = ({ called }: Read): ReactNode =>
  called === null ? "a project" : <Link to="/projects/$slug" params={{ slug: called.slug }} className="font-medium underline decoration-line underline-offset-4 hover:decoration-current">{called.title}</Link>

const Name = ({ children }: { readonly children: ReactNode }) => <span className="font-medium">{children}</span>
const person = (id: string, { people }: Names): ReactNode => people.has(id) ? <Name>{people.get(id)}</Name> : "somebody who is gone"
const guest = (id: string, { invited }: Names): ReactNode => invited.has(id) ? <Name>{invited.get(id)}</Name> : "somebody"
const folder = (id: string, { folders }: Names): ReactNode => folders.has(id) ? <>the folder <Name>{folders.get(id)}</Name></> : "a folder"

const link = (target: Read): ReactNode =>
  typeof target.called?.label === "string" ? <>the link for <Name>{target.called.label}</Name> to {project(target)}</> : <>a link to {project(target)}</>

const listed = (target: Read, names: Names): ReactNode => {
  const { added = 0, comment_access, comment_allowlist_inherit, id, level, removed = 0 } = target
  const where = level === "workspace" ? "the workspace" : level === "folder" ? folder(id, names) : project(target)
  const parts = [
    added > 0 && `${countOf(added, "address", "addresses")} added`,
    removed > 0 && `${countOf(removed, "address", "addresses")} taken off`,
    comment_access !== undefined && MAY_COMMENT[comment_access],
    comment_allowlist_inherit !== undefined && (comment_allowlist_inherit ? "the list above counts too" : "the list above no longer counts")
  ].filter((part) => part !== false)
  return <>changed who may comment in {where}{parts.length > 0 && `: ${parts.join(", ")}`}</>
}

type Words = (target: Read, names: Names, actor: string | undefined) => ReactNode

/** Phrases that follow somebody's name. */
const DID: Readonly<Record<Entry["action"], Words>> = {
  "workspace.created": () => "made this workspace",
  "workspace.renamed": () => "renamed the workspace",
  "workspace.plan_changed": ({ plan }) => `moved the workspace to ${plan === undefined ? "another plan" : PLANS[plan].name}`,
  "workspace.trial_extended": () => "extended the trial",
  "workspace.lapsed": () => "let the workspace lapse",
  "workspace.deletion_scheduled": () => "deleted the workspace",
  "workspace.restored": () => "brought the workspace back",
  "billing.checkout_started": ({ plan }) => `went to pay${plan === undefined ? "" : ` for ${PLANS[plan].name}`}`,
  "billing.portal_opened": () => "opened the billing portal",
  "subscription.started": () => "started the subscription",
  "subscription.past_due": () => "did not pay in time",
  "subscription.recovered": () => "paid what was open",
  "subscription.cancelled": () => "cancelled the subscription",
  "subscription.resumed": () => "resumed the subscription",
  "subscription.ended": () => "ended the subscription",
  "subscription.duplicate_refunded": () => "had a second subscription refunded",
  "subscription.duplicate_ended": () => "had a second subscription ended",
  "member.joined": () => "joined",
  "member.role_changed": ({ id, role }, names, actor) => id === actor ? `became ${articled(role)}` : <>made {person(id, names)} {articled(role)}</>,
  "member.removed": ({ id }, names) => <>removed {person(id, names)}</>,
  "member.left": () => "left",
  "invite.created": ({ id, role }, names) => <>invited {guest(id, names)} as {articled(role)}</>,
  "invite.resent": ({ id, role }, names) => <>sent the invitation of {guest(id, names)} as {articled(role)} again</>,
  "invite.cancelled": ({ id }, names) => <>took back the invitation of {guest(id, names)}</>,
  "invite.accepted": ({ role }) => `accepted an invitation as ${articled(role)}`,
  "project.visibility_changed": (target) => <>made {project(target)} {target.visibility === undefined ? "open to others" : VISIBLE[target.visibility]}</>,
  "project.doorcode_changed": (target) => <>changed the doorcode of {project(target)}</>,
  "project.renamed": (target) => <>changed the address of {project(target)}</>,
  "project.retitled": (target) => <>changed the title of {project(target)}</>,
  "project.deleted": (target) => <>deleted {project(target)}</>,
  "project.taken_down": (target) => <>took {project(target)} down</>,
  "project.put_back": (target) => <>put {project(target)} back</>,
  "folder.sharing_changed": ({ id, sharing }, names) => <>made {folder(id, names)} {sharing === "team" ? "visible to the team" : "private"}</>,
  "allowlist.changed": listed,
  "share_link.created": (target) => <>made {link(target)}</>,
  "share_link.changed": (target) => <>changed {link(target)}</>,
  "share_link.revoked": (target) => <>revoked {link(target)}</>,
  "export.requested": () => "asked for an export",
  "export.downloaded": () => "downloaded an export"
}

/** Whole sentences, for what happens without anybody's doing. */
const HAPPENED: Readonly<Partial<Record<Entry["action"], Words>>> = {
  "workspace.plan_changed": ({ plan }) => `The plan is ${plan === undefined ? "another one" : PLANS[plan].name} now`,
  "workspace.lapsed": () => "The workspace lapsed: publishing is paused",
  "subscription.started": () => "The subscription started",
  "subscription.past_due": () => "A payment did not go through",
  "subscription.recovered": () => "The open payment went through",
  "subscription.cancelled": () => "The subscription is set to end with its period",
  "subscription.resumed": () => "The subscription goes on after all",
  "subscription.ended": () => "The subscription ended",
  "subscription.duplicate_refunded": () => "A second subscription was ended and refunded",
  "subscription.duplicate_ended": () => "A second subscription was ended before it was paid",
  "folder.sharing_changed": ({ id, sharing }, names) => sharing === "team" ? <>A former user’s private folder became the team’s: {folder(id, names)}</> : <>A former user made {folder(id, names)} private</>
}

export const wordsOf = ({ action, actor, called, target }: Entry, names: Names): ReactNode => {
  const happened = actor === null ? HAPPENED[action] : undefined
  const read = { ...target, called }
  if (happened !== undefined) return happened(read, names, undefined)
  return <><span className={actor === null ? "text-muted" : "font-medium"}>{actor?.name ?? "A former user"}</span> {DID[action](read, names, actor?.id)}</>
}
