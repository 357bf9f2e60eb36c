/** What happened to a thread and to a share link since a moment, derived from their present state. */
import { DateTime } from "effect"
import type { Comment } from "../comments/model.ts"
import { editableUntil } from "../comments/rules.ts"
import type { ShareLink } from "../share-links/model.ts"

/**
 * A thread keeps only the time of its latest change. Edits happen within the edit window alone, so an open thread that changed
 * after it, or was never edited, was reopened. If `since` lies within the window, an edited thread is called edited, to miss none.
 */
const changesOf = ({ createdAt, edited, resolvedAt, updatedAt }: Pick<Comment, "createdAt" | "edited" | "resolvedAt" | "updatedAt">, since: DateTime.Utc) => {
  if (!DateTime.isGreaterThan(updatedAt, since)) return []
  const editable = editableUntil({ createdAt })
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
