/** Who may comment, and which addresses a level inherits: plain decisions (SPEC §2, CONTRACT §8). */
import { Result } from "effect"
import { Forbidden, type Invalid, invalid } from "../failures.ts"
import type { Target } from "../audit/model.ts"
import { MAX_EMAILS, TOO_MANY } from "./model.ts"
import type { Allowlist, AskedChanges, Candidate, Level, LevelChanges, Named } from "./model.ts"

/** What the level above gives: its own addresses and what it inherits itself. `levels`: innermost first. */
export const inherited = ([level, ...above]: ReadonlyArray<Level>): ReadonlyArray<string> =>
  level?.commentAllowlistInherit === true ? given(above) : []

/** Every address that a level lets in, each once. */
export const given = (levels: ReadonlyArray<Level>): ReadonlyArray<string> =>
  [...new Set([...(levels[0]?.emails ?? []), ...inherited(levels)])]

export const allowlistOf = (levels: ReadonlyArray<Level>): Allowlist => ({ ...levels[0]!, inheritedEmails: inherited(levels) })

/** Nobody comments without a verified address; with one, a member always may, whatever the project asks of others. */
export const mayComment = ({ access, email, isMember, listed }: Candidate): boolean =>
  email !== null && (isMember || access === "anyone" || access === "allowlist" && listed)

/** The changes as they are stored. What is both removed and added is on the list. */
export const change = ({ level }: Named, { emails: before }: Level, { addEmails, removeEmails, ...changes }: AskedChanges): Result.Result<LevelChanges, Invalid> => {
  if (level === "workspace" && changes.commentAllowlistInherit === true) {
    return Result.fail(invalid({ field: "comment_allowlist_inherit", message: "Nothing lies above a workspace that it could inherit from." }))
  }
  if (addEmails === undefined && removeEmails === undefined) {
    return Result.succeed({ ...changes, emails: changes.emails && [...new Set(changes.emails)] })
  }
  if (changes.emails !== undefined) {
    return Result.fail(invalid({ field: "emails", message: "Send the whole list, or what to add and remove, not both." }))
  }
  const emails = [...new Set([...before.filter((email) => !removeEmails?.includes(email)), ...addEmails ?? []])]
  return emails.length > MAX_EMAILS ? Result.fail(invalid({ field: "add_emails", message: TOO_MANY })) : Result.succeed({ ...changes, emails })
}

/** What the audit log says of a change: how many addresses were added and removed, never which; undefined if nothing changed. */
export const noted = (level: Named["level"], id: string, before: Level, after: Level): Extract<Target, { type: "allowlist" }> | undefined => {
  const added = after.emails.filter((email) => !before.emails.includes(email)).length
  const removed = before.emails.filter((email) => !after.emails.includes(email)).length
  const { commentAccess, commentAllowlistInherit } = after
  const more = {
    ...(commentAccess === before.commentAccess ? {} : { commentAccess }),
    ...(commentAllowlistInherit === before.commentAllowlistInherit ? {} : { commentAllowlistInherit })
  }
  return added + removed + Object.keys(more).length === 0 ? undefined : { type: "allowlist", level, id, added, removed, ...more }
}

const CHANGERS: Record<Named["level"], string> = {
  project: "Only its creator and the workspace’s admins may change who comments on this project.",
  folder: "Only its creator and the workspace’s admins may change this folder’s list.",
  workspace: "Only the workspace’s admins may change its list."
}

export const notYours = ({ level }: Named) => new Forbidden({ message: CHANGERS[level] })
