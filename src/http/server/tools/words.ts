/** Wording that several tools share. */
import { DateTime } from "effect"
import type { CommentAccess, Project } from "../../../domain/projects/model.ts"
import { countText } from "../../contract/sizes.ts"

export const moment = (at: DateTime.Utc): string => DateTime.formatIso(at)

/** Text that somebody wrote is quoted, to show that the words are not ours. */
export const quoted = (text: string): string => JSON.stringify(text)

const WHO = {
  public: "anyone with the address",
  password: "whoever has the doorcode",
  private: "signed-in members of the workspace, and others by share link"
} as const

const COMMENTERS: Record<CommentAccess, (listed: number) => string> = {
  members: () => "members",
  allowlist: (listed) => `members and the ${countText(listed, "person", "people")} listed${listed === 0 ? " (set_commenters lists them)" : ""}`,
  anyone: () => "every signed-in reader"
}

type Commented = Pick<Project, "commentAccess" | "commentsEnabled"> & { readonly commentersListed?: number }

export const commenting = ({ commentAccess, commentersListed = 0, commentsEnabled }: Commented): string =>
  `Comments: ${commentsEnabled ? "on," : "off; once they are on,"} for ${COMMENTERS[commentAccess](commentersListed)}.`

/** After a change: nothing while comments are off. */
export const commentingNow = (project: Commented): string => project.commentsEnabled ? ` ${commenting(project)}` : ""

const isPast = (at: DateTime.Utc, now: DateTime.Utc): boolean => DateTime.isLessThanOrEqualTo(at, now)

const REOPENS = "update with expires_at null, or a later time, opens it again"

/** What a share link's recipient meets where the project itself ends. */
export const ending = (expiresAt: DateTime.Utc | null, now: DateTime.Utc): ReadonlyArray<string> =>
  expiresAt === null
    ? []
    : [isPast(expiresAt, now) ? `It opens nothing now: the project expired at ${moment(expiresAt)}; ${REOPENS}.` : `The project itself expires at ${moment(expiresAt)}.`]

export const audience = ({ expiresAt, password, visibility }: Pick<Project, "expiresAt" | "password" | "visibility">, now: DateTime.Utc): string => {
  if (expiresAt !== null && isPast(expiresAt, now)) {
    return `${visibility}, but nobody since it expired at ${moment(expiresAt)}; ${REOPENS}`
  }
  const doorcode = visibility === "password" && password !== null ? ` (${password})` : ""
  return `${visibility}: ${WHO[visibility]}${doorcode}${expiresAt === null ? "" : `, until it expires at ${moment(expiresAt)}`}`
}

/** Without the doorcode: a list is read by more people than the project's owner. */
export const projectLine = ({ expiresAt, kind, slug, title, url, version, visibility }: Pick<Project, "expiresAt" | "kind" | "slug" | "title" | "version" | "visibility"> & { readonly url: string }, now: DateTime.Utc) => {
  const facts = [
    kind === null ? "nothing published yet" : `${kind}, version ${version}`,
    visibility,
    ...(expiresAt === null ? [] : [`${isPast(expiresAt, now) ? "expired" : "expires"} ${moment(expiresAt)}`])
  ]
  return `- ${slug}: ${quoted(title)} at ${url} (${facts.join(", ")})`
}

export const more = (cursor: string | null): ReadonlyArray<string> => cursor === null ? [] : [`There are more: ask again with cursor ${cursor}.`]
