/** Every quarter of an hour: puts the digests of new comments into the outbox. Safe to run twice. */
import { CommentDigests } from "../domain/comments/digests.ts"
import { byTheClock, telling } from "./by-the-clock.ts"

export const sendDigestsOnce = telling(CommentDigests.use(({ sendAll }) => sendAll()), "comment digests sent")

export const SendCommentDigestsWorker = byTheClock("send-comment-digests", "*/15 * * * *", sendDigestsOnce, "comment digests not sent")
