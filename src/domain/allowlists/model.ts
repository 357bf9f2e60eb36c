/** What a comment allowlist is: whom one level lets comment, and the levels that it inherits from (SPEC §2, CONTRACT §8). */
import { Schema } from "effect"
import type { FolderId } from "../folders/model.ts"
import { CommentAccess } from "../projects/model.ts"
import type { ProjectId } from "../projects/model.ts"
import type { WorkspaceId } from "../workspaces/model.ts"

/** Addresses that one level may add. */
export const MAX_EMAILS = 500
export const TOO_MANY = `At most ${MAX_EMAILS} addresses.`

export const Level = Schema.Struct({
  /** For a project: who may comment on it. For a folder or workspace: what a new project there starts with. */
  commentAccess: CommentAccess,
  /** Whether the level above adds its addresses to these. False at the top. */
  commentAllowlistInherit: Schema.Boolean,
  /** In normal form, each once. */
  emails: Schema.Array(Schema.String)
})
export type Level = typeof Level.Type

export type LevelChanges = { readonly [Key in keyof Level]?: Level[Key] | undefined }

/** What a caller asks: the whole list, or only what comes on it and goes off it, whatever others put there meanwhile. */
export interface AskedChanges extends LevelChanges {
  readonly addEmails?: ReadonlyArray<string> | undefined
  readonly removeEmails?: ReadonlyArray<string> | undefined
}

/** A level as its readers see it. */
export interface Allowlist extends Level {
  readonly inheritedEmails: ReadonlyArray<string>
}

/** A level as a caller names it; a workspace that is not named is the caller’s primary one. */
export type Named =
  | { readonly level: "project"; readonly slug: string }
  | { readonly level: "folder"; readonly id: FolderId }
  | { readonly level: "workspace"; readonly id: WorkspaceId | undefined }

/** Where a level lies: the innermost one that is not null is the level itself. */
export interface LevelPlace {
  readonly project: ProjectId | null
  readonly folder: FolderId | null
  readonly workspace: WorkspaceId
}

/** Someone who wants to comment on a project. */
export interface Candidate {
  readonly access: CommentAccess
  /** Of the project’s workspace, and not shut out by someone else’s private folder. */
  readonly isMember: boolean
  /** Their verified address; null while they have none. */
  readonly email: string | null
  /** Whether that address is on the project’s list, its own or an inherited one. */
  readonly listed: boolean
}
