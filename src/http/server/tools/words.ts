/** Wording that several tools share. */
import { DateTime } from "effect"
import { escaped } from "../../../domain/labels/model.ts"
import type { CommentAccess, Project } from "../../../domain/projects/model.ts"
import { isBare, opensFor } from "../../../domain/projects/opening.ts"
import type { Standing } from "../../../domain/projects/rules.ts"
import { countText } from "../../../domain/words.ts"
import { mayPublish } from "../../../domain/workspaces/rules.ts"
import type { Around } from "./around.ts"

export const moment = (at: DateTime.Utc): string => DateTime.formatIso(at)

/** Text that somebody wrote is quoted, on one line with nothing hidden in it, to show that the words are not ours. */
export const quoted = (text: string): string => escaped(JSON.stringify(text))

const WHO = {
  public: "anyone with the address",
  password: "whoever has the doorcode",
  private: "signed-in members of the workspace, and others by share link"
} as const

const HIDDEN = "its folder’s creator alone, since the folder is private, and others by share link"

const COMMENTERS: Record<CommentAccess, (members: string, listed: number) => string> = {
  members: (members) => members,
  allowlist: (members, listed) => `${members} and the ${countText(listed, "person", "people")} listed${listed === 0 ? " (set_commenters lists them)" : ""}`,
  anyone: () => "every signed-in reader"
}

type Commented = Pick<Project, "commentAccess" | "commentsEnabled" | "htmlDisplayMode" | "kind"> & { readonly commentersListed?: number }

export const commenting = ({ commentAccess, commentersListed = 0, commentsEnabled, htmlDisplayMode, kind }: Commented, { sharing }: Pick<Around, "sharing">): string => {
  if (isBare({ htmlDisplayMode, kind })) {
    return `Comments: ${commentsEnabled ? "on, but readers have none" : "off, and readers would have none"}: html_display_mode raw serves the site without our viewer; auto brings them.`
  }
  const members = sharing === "private" ? "its folder’s creator" : "members"
  return `Comments: ${commentsEnabled ? "on," : "off; once they are on,"} for ${COMMENTERS[commentAccess](members, commentersListed)}.`
}

/** After a change: nothing while comments are off. */
export const commentingNow = (project: Commented, around: Pick<Around, "sharing">): string => project.commentsEnabled ? ` ${commenting(project, around)}` : ""

const REOPENS = "update with no_expiry, or a later expires_at, opens it again"

type Opened = Pick<Project, "expiresAt" | "takenDownAt" | "visibility">

/** What a share link's recipient meets where the project itself ends. */
export const ending = (project: Omit<Opened, "visibility">, now: DateTime.Utc): ReadonlyArray<string> => {
  const { expiresAt } = project
  const opening = opensFor({ ...project, visibility: "public" }, now)
  if (opening === "taken down") return ["It opens nothing now: whoever runs this service took the project down."]
  if (expiresAt === null) return []
  return [opening === "expired" ? `It opens nothing now: the project expired at ${moment(expiresAt)}; ${REOPENS}.` : `The project itself expires at ${moment(expiresAt)}.`]
}

export const audience = (project: Opened & Pick<Project, "password" | "version">, now: DateTime.Utc, { billingState, sharing }: Around): string => {
  const { expiresAt, password, version, visibility } = project
  const opening = opensFor(project, now)
  if (opening === "taken down") return `${visibility}, but nobody: whoever runs this service took it down`
  if (billingState === "down") return `${visibility}, but nobody: the workspace’s trial or subscription has ended`
  if (opening === "expired") return `${visibility}, but nobody since it expired at ${moment(expiresAt!)}; ${REOPENS}`
  // Kept for later: whoever gave it beside another visibility may take the project for closed.
  const doorcode = password === null ? "" : visibility === "password" ? ` (${quoted(password)})` : ", without the doorcode"
  const who = visibility === "private" && sharing === "private" ? HIDDEN : WHO[visibility]
  return `${visibility}: ${who}${doorcode}${expiresAt === null ? "" : `, until it expires at ${moment(expiresAt)}`}${version === 0 ? ", once something is published there" : ""}`
}

/** What its projects' addresses do not tell: nothing while the workspace may publish. */
export const standing = ({ billingState, linksDownOn }: Standing): ReadonlyArray<string> => {
  if (mayPublish(billingState)) return []
  if (linksDownOn === null) return ["Publishing in this workspace begins with a plan."]
  return [billingState === "down"
    ? `The workspace’s trial or subscription has ended: since ${moment(linksDownOn)} none of its addresses and share links opens.`
    : `The workspace’s trial or subscription has ended: nothing can be published, and its links go down at ${moment(linksDownOn)}.`]
}

/** Without the doorcode: a list is read by more people than the project's owner. */
export const projectLine = (project: Opened & Pick<Project, "kind" | "slug" | "title" | "version"> & { readonly url: string }, now: DateTime.Utc) => {
  const { expiresAt, kind, slug, title, url, version, visibility } = project
  const opening = opensFor(project, now)
  const facts = [
    kind === null ? "nothing published yet" : `${kind}, version ${version}`,
    visibility,
    ...(opening === "taken down" ? ["taken down"] : []),
    ...(expiresAt === null ? [] : [`${opening === "expired" ? "expired" : "expires"} ${moment(expiresAt)}`])
  ]
  return `- ${slug}: ${quoted(title)} at ${url} (${facts.join(", ")})`
}

export const more = (cursor: string | null): ReadonlyArray<string> => cursor === null ? [] : [`There are more: ask again with cursor ${cursor}.`]
