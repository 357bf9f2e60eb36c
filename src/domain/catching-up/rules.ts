/** What happened to a thread and to a share link since a moment, told from how they are now. */
import { DateTime } from "effect"
import type { Comment } from "../comments/model.ts"
import { EDIT_WINDOW } from "../comments/rules.ts"
import type { ShareLink } from "../share-links/model.ts"

/**
 * A thread keeps one time of all its changes: an edit lies within its first minutes, so an open one that changed after them,
 * or that nobody edited, was reopened. What changed within them is called edited rather than missed.
 */
const changesOf = ({ createdAt, edited, resolvedAt, updatedAt }: Pick<Comment, "createdAt" | "edited" | "resolvedAt" | "updatedAt">, since: DateTime.Utc) => {
  if (!DateTime.isGreaterThan(updatedAt, since)) return []
  const editable = DateTime.add(createdAt, EDIT_WINDOW)
  const isReopened = resolvedAt === null && DateTime.isGreaterThan(updatedAt, createdAt) && (!edited || DateTime.isGreaterThan(updatedAt, editable))
  return [
    ...(isReopened ? ["reopened" as const] : []),
    ...(edited && DateTime.isLessThan(since, editable) ? ["edited" as const] : [])
  ]
}

export const happenedTo = (thread: Comment, since: DateTime.Utc) => {
  const after = (at: DateTime.Utc | null) => at !== null && DateTime.isGreaterThan(at, since)
  const changes = changesOf(thread, since)
  const isReplyEdited = thread.replies.some(({ edited, updatedAt }) => edited && after(updatedAt))
  return [
    ...(after(thread.createdAt) ? ["opened" as const] : []),
    ...(thread.replies.some((reply) => after(reply.createdAt)) ? ["replied" as const] : []),
    ...(after(thread.resolvedAt) ? ["resolved" as const] : []),
    ...changes,
    ...(isReplyEdited && !changes.includes("edited") ? ["edited" as const] : [])
  ]
}

export const happenedToLink = (link: ShareLink, since: DateTime.Utc, now: DateTime.Utc) => {
  const between = (at: DateTime.Utc | null) => at !== null && DateTime.isGreaterThan(at, since) && DateTime.isLessThanOrEqualTo(at, now)
  return [
    ...(between(link.createdAt) ? ["created" as const] : []),
    ...(between(link.firstOpenedAt) ? ["first_opened" as const] : []),
    ...(between(link.expiresAt) ? ["expired" as const] : [])
  ]
}
