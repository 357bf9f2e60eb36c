/** A comment as clients see it: its place in words, and until when its author may change it. */
import type { Comment, Reply } from "./model.ts"
import { located } from "./places.ts"
import { editableUntil } from "./rules.ts"

export const shownReply = (reply: Reply) => ({ ...reply, editableUntil: editableUntil(reply) })

export const shownThread = (thread: Comment) =>
  located({ ...thread, editableUntil: editableUntil(thread), replies: thread.replies.map(shownReply) })

export const shown = (written: Comment | Reply) => "replies" in written ? shownThread(written) : shownReply(written)
