/** What tools say in words, where several say the same. */
import { DateTime } from "effect"
import type { Project } from "../../../domain/projects/model.ts"

export const moment = (at: DateTime.Utc): string => DateTime.formatIso(at)

/** A title somebody wrote stands in quotes: it is theirs, no word of ours. */
export const quoted = (text: string): string => JSON.stringify(text)

const WHO = {
  public: "anyone with the address",
  password: "whoever has the doorcode",
  private: "signed-in members of the workspace, and others by share link"
} as const

export const audience = ({ password, visibility }: Pick<Project, "password" | "visibility">): string =>
  `${visibility}: ${WHO[visibility]}${visibility === "password" && password !== null ? ` (${password})` : ""}`

/** Never what came through a doorcode: a list is read by more than its owner. */
export const projectLine = ({ expiresAt, kind, slug, title, url, version, visibility }: Pick<Project, "expiresAt" | "kind" | "slug" | "title" | "version" | "visibility"> & { readonly url: string }) => {
  const facts = [
    kind === null ? "nothing published yet" : `${kind}, version ${version}`,
    visibility,
    ...(expiresAt === null ? [] : [`expires ${moment(expiresAt)}`])
  ]
  return `- ${slug}: ${quoted(title)} at ${url} (${facts.join(", ")})`
}

export const more = (cursor: string | null): ReadonlyArray<string> => cursor === null ? [] : [`There are more: ask again with cursor ${cursor}.`]
