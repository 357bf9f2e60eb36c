/** Every quarter of an hour: puts the digests of new comments into the outbox. Safe to run twice. */
import { Effect } from "effect"
import { CommentDigests } from "../domain/comments/digests.ts"
import { byTheClock } from "./by-the-clock.ts"

export const sendDigestsOnce = Effect.gen(function*() {
  const sent = yield* (yield* CommentDigests).sendAll()
  if (sent > 0) yield* Effect.logInfo("comment digests sent").pipe(Effect.annotateLogs({ sent }))
})

export const SendCommentDigestsWorker = byTheClock("send-comment-digests", "*/15 * * * *", sendDigestsOnce, "comment digests not sent")
