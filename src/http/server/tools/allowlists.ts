/** Who may comment on a project (SPEC §4.6, §4.9): its list of addresses, and how many are on it. */
import { Effect, Schema } from "effect"
import { Allowlists } from "../../../domain/allowlists/allowlists.ts"
import type { Allowlist } from "../../../domain/allowlists/model.ts"
import { invalid } from "../../../domain/failures.ts"
import type { Project } from "../../../domain/projects/model.ts"
import { CommentAccess } from "../../../domain/projects/model.ts"
import { Projects } from "../../../domain/projects/projects.ts"
import { allowlist, changesOf, Emails } from "../../contract/allowlists.ts"
import { Caller } from "../../contract/authentication.ts"
import { wire } from "../../contract/wire.ts"
import { optional, slug } from "./arguments.ts"
import { aroundOf } from "./around.ts"
import type { Around, Told } from "./around.ts"
import { SETS_BEFORE_OTHERS, tool } from "./tool.ts"
import { commenting } from "./words.ts"

export const commentAccess = optional(CommentAccess, "members: they alone. allowlist: members and the people listed (set_commenters). anyone: every signed-in reader")

/** In answers about a project whose list decides who may comment. */
export const listed = {
  commentersListed: Schema.optionalKey(Schema.Int).annotate({ description: "How many people are listed; only while comments are on for them" })
}

const count = ({ emails, inheritedEmails }: Pick<Allowlist, "emails" | "inheritedEmails">) => new Set([...emails, ...inheritedEmails]).size

export const withListed = Effect.fnUntraced(function*<P extends Pick<Project, "commentAccess" | "commentsEnabled" | "folderId" | "id" | "workspaceId">>(project: P) {
  if (!project.commentsEnabled || project.commentAccess !== "allowlist") return project
  return { ...project, commentersListed: count(yield* (yield* Allowlists).of(project)) }
})

/** Its own list in full: whoever replaces it sends the whole of it. */
export const commentersWords = ({ emails, inheritedEmails, ...project }: Allowlist & Pick<Project, "commentsEnabled" | "htmlDisplayMode" | "kind">, around: Pick<Around, "sharing">): ReadonlyArray<string> => [
  commenting({ ...project, commentersListed: count({ emails, inheritedEmails }) }, around),
  ...(emails.length === 0 ? [] : [`Listed here: ${emails.join(", ")}.`]),
  ...(inheritedEmails.length === 0 ? [] : [`Listed for its folder or workspace: ${inheritedEmails.length}.`])
]

const Output = wire({ slug: Schema.String, commentsEnabled: Schema.Boolean, ...allowlist })

export const setCommenters = tool("set_commenters", {
  title: "Set who can comment on a project",
  description:
    "Who may comment beside the members, while comments are on (update with comments_enabled). add_emails and remove_emails change the project’s list; emails replaces the whole of it. Ask before you let people in.",
  annotations: SETS_BEFORE_OTHERS,
  input: Schema.Struct({
    slug,
    add_emails: optional(Emails, "Addresses to put on the list, which holds 500"),
    remove_emails: optional(Emails, "Addresses to take off it"),
    emails: optional(Emails, "The whole list in place of the one there is; [] empties it"),
    comment_allowlist_inherit: optional(Schema.Boolean, "Whether the list of its folder, or of the workspace, counts too; so it does from the beginning"),
    comment_access: commentAccess
  }),
  output: Output,
  run: Effect.fnUntraced(function*({ slug, ...asked }) {
    const { user } = yield* Caller
    if (Object.values(asked).every((one) => one === undefined)) {
      return yield* invalid({ field: "add_emails", message: "Name what is to change: add_emails, remove_emails, emails, comment_allowlist_inherit or comment_access." })
    }
    // Before its list is changed: it may be at another address right after.
    const { commentsEnabled, htmlDisplayMode, kind, ...project } = yield* (yield* Projects).get(user, slug)
    const list = yield* (yield* Allowlists).change(user, { level: "project", slug }, changesOf(asked))
    return { slug, commentsEnabled, htmlDisplayMode, kind, around: yield* aroundOf(project), ...list }
  }),
  words: ({ around, ...list }: Told<typeof Output.Type> & Pick<Project, "htmlDisplayMode" | "kind">) => commentersWords(list, around).join("\n")
})
