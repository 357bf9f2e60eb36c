/** Who may do what with a comment, and until when (SPEC §3, §4.8; CONTRACT §9). */
import { DateTime, Result } from "effect"
import type { User } from "../accounts/model.ts"
import { AuthRequired, Conflict, Forbidden, Gone, invalid, NotFound } from "../failures.ts"
import type { Invalid } from "../failures.ts"
import { door, isGated, isViewerOrigin, notWithin } from "../hosting/rules.ts"
import type { Closed, Gated } from "../hosting/rules.ts"
import type { Site } from "../hosting/model.ts"
import { plainLine, shortened } from "../labels/model.ts"
import type { Limit } from "../ports/rate-limits.ts"
import type { TrialPolicy } from "../workspaces/model.ts"
import type { Anchor, Comment, CommentFacts, News, Person, Reply } from "./model.ts"

/** How long an author may change or take back what they posted. */
const EDIT_WINDOW = { minutes: 15 } as const

export const LIMITS = {
  /** Comments and replies of one user, through the API and all projects' hosts together. */
  post: { name: "comments", limit: 30, window: "1 minute" },
  /** What one user edits, resolves, reopens and deletes: each is told to everyone who follows the project. */
  change: { name: "comment-changes", limit: 60, window: "1 minute" }
} as const satisfies Record<string, Limit>

/** A thread is always read as a whole, so its length is limited. */
const MAX_REPLIES = 200

/** A user at a project whose comments they may see. */
export interface Commenter {
  readonly user: User
  /** A member who may see the project. */
  readonly isMember: boolean
  /** Its owner or an admin of its workspace: may take any comment away. */
  readonly moderates: boolean
}

/** `field`: where the caller named it. */
export const noSuchComment = (field: "id" | "parent_id" = "id") => new NotFound({ message: "There is no such comment.", field })

const notTheAuthor = () => new Forbidden({ message: "Only its author may do this.", details: { reason: "not_author" } })

const windowClosed = () =>
  new Forbidden({ message: "A comment can be changed for 15 minutes after it was posted.", details: { reason: "edit_window_closed" } })

const isResolved = () => new Conflict({ message: "This comment is resolved. Reopen it first." })

export const switchedOff = () => new Conflict({ message: "Comments are switched off for this project. Set comments_enabled first." })

export const mayNotComment = () =>
  new Forbidden({ message: "The owner of this document did not open its comments to you.", details: { reason: "not_allowed_to_comment" } })

/** Until then its author may change it or take it back, as long as its thread is open. */
export const editableUntil = ({ createdAt }: { readonly createdAt: DateTime.Utc }): DateTime.Utc => DateTime.add(createdAt, EDIT_WINDOW)

/** Only its author may, within the edit window, and not once the thread is resolved. */
export const ownFresh = (comment: CommentFacts, { user }: Commenter, now: DateTime.Utc): Result.Result<void, Conflict | Forbidden> => {
  if (comment.authorId !== user.id) return Result.fail(notTheAuthor())
  if (DateTime.isGreaterThanOrEqualTo(now, editableUntil(comment))) return Result.fail(windowClosed())
  return comment.resolved ? Result.fail(isResolved()) : Result.succeed(undefined)
}

export const removable = (comment: CommentFacts, by: Commenter, authorOnly: boolean, now: DateTime.Utc): Result.Result<void, Conflict | Forbidden> =>
  by.moderates && !authorOnly ? Result.succeed(undefined) : ownFresh(comment, by, now)

/** Members may resolve and reopen any thread, its author their own. */
export const resolvable = (comment: CommentFacts, { isMember, user }: Commenter): Result.Result<void, Forbidden> =>
  isMember || comment.threadAuthorId === user.id ? Result.succeed(undefined) : Result.fail(notTheAuthor())

export const roomForReply = (comment: CommentFacts): Result.Result<void, Conflict> =>
  comment.replyCount < MAX_REPLIES
    ? Result.succeed(undefined)
    : Result.fail(new Conflict({ message: `A comment has ${MAX_REPLIES} replies at most. Start a new one.` }))

/** Only members see email addresses; anyone else sees their own alone (CONTRACT §9). */
export const toldTo = ({ isMember, user }: Commenter) => {
  const person = <P extends Person | null>(one: P): P => one === null || isMember || one.id === user.id ? one : { ...one, email: null }
  const reply = (one: Reply): Reply => ({ ...one, author: person(one.author) })
  const thread = (one: Comment): Comment => ({ ...one, author: person(one.author), resolvedBy: person(one.resolvedBy), replies: one.replies.map(reply) })
  return { reply, thread, either: (one: Comment | Reply) => "replies" in one ? thread(one) : reply(one) }
}

/** The version that a comment is on: the one that its author says to read, which there must be or have been, or else the newest. */
export const versionRead = (said: number | null | undefined, newest: number): Result.Result<number, Invalid> =>
  said == null || said === newest ? Result.succeed(newest)
    : said < newest ? Result.succeed(said)
    : Result.fail(invalid({ field: "version", message: newest === 0 ? "Nothing is published yet." : `The newest version is ${newest}.` }))

/** An anchor as it is stored: without the fields that are null or undefined. */
export const anchored = (anchor: Anchor | null | undefined): Anchor | null =>
  anchor == null ? null : Object.fromEntries(Object.entries(anchor).filter(([, value]) => value !== null && value !== undefined)) as Anchor

/** Comments on a project's own host exist where our code alone runs, and its owner switched them on. */
export const hasComments = (site: Site): boolean => site.commentsEnabled && isViewerOrigin(site)

/** How the door stands to somebody without a pass who comes for the comments. */
export const doorWithoutPass = (site: Site, policy: TrialPolicy, now: DateTime.Utc): "open" | Closed =>
  hasComments(site) ? door({ site, pass: null }, policy, now) : "unknown"

export const noComments = () => new NotFound({ message: "There are no comments at this address: they are switched off, or the document was moved or deleted." })

export const putAway = () => new Gone({ message: "This document does not open any more. If you still need it, ask the person who sent you the link." })

/** A closed door, as `/` would tell a program. */
export const shut = (why: Gated): AuthRequired | Forbidden => {
  switch (why) {
    case "doorcode":
      return new AuthRequired({ message: "This document opens with its doorcode.", details: { reason: "doorcode" } })
    case "private":
      return notWithin()
  }
}

/**
 * How much a digest tells somebody: a guest who can no longer open the project hears that there are comments, not what they
 * say; one who may no longer comment hears nothing of a project that is closed to them.
 */
export const tellable = (
  { isMember, mayComment }: { readonly isMember: boolean; readonly mayComment: boolean },
  verdict: "open" | Closed
): "all" | "count" | "nothing" => {
  if (isMember || verdict === "open") return "all"
  return mayComment && isGated(verdict) ? "count" : "nothing"
}

/** Comments resolved since are no news; to somebody who left the workspace, only replies in threads where they wrote are. */
export const isNews = ({ createdAt, isReply, resolvedAt }: News, isMember: boolean): boolean =>
  (isMember || isReply) && (resolvedAt === null || DateTime.isLessThan(resolvedAt, createdAt))

const QUOTED = 280

/** A comment as a mail quotes it: one short paragraph, nothing invisible, no scheme or `www.` that a mail client would make clickable. */
export const quoteOf = (body: string): string =>
  shortened(plainLine(plainLine(body).replaceAll(/(?<![a-z\d+.-])[a-z\d+.-]*:\/\/|www\./giu, " ")), QUOTED)
