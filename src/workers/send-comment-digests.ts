/** Every quarter of an hour: what people are to hear of comments goes into the outbox. Safe to run twice. */
import { Cron, Effect } from "effect"
import { ClusterCron } from "effect/cluster"
import { CommentDigests } from "../domain/comments/digests.ts"

export const sendDigestsOnce = Effect.gen(function*() {
  const sent = yield* (yield* CommentDigests).sendAll()
  if (sent > 0) yield* Effect.logInfo("comment digests sent").pipe(Effect.annotateLogs({ sent }))
}).pipe(Effect.withSpan("SendCommentDigests.once"))

export const SendCommentDigestsWorker = ClusterCron.make({
  name: "send-comment-digests",
  cron: Cron.parseUnsafe("*/15 * * * *"),
  execute: Effect.catchCause(sendDigestsOnce, (cause) => Effect.logError("comment digests not sent", cause))
})
