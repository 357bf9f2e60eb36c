/** Every five minutes: what admins are to hear of a trial's end and of their links goes into the outbox. Safe to run twice. */
import { Cron, Effect } from "effect"
import { ClusterCron } from "effect/cluster"
import { TrialMails } from "../domain/billing/trial-mails.ts"

const sendTrialMailsOnce = Effect.gen(function*() {
  const sent = yield* (yield* TrialMails).sendAll()
  if (sent > 0) yield* Effect.logInfo("trial mails sent").pipe(Effect.annotateLogs({ sent }))
}).pipe(Effect.withSpan("SendTrialMails.once"))

export const SendTrialMailsWorker = ClusterCron.make({
  name: "send-trial-mails",
  cron: Cron.parseUnsafe("*/5 * * * *"),
  execute: Effect.catchCause(sendTrialMailsOnce, (cause) => Effect.logError("trial mails not sent", cause))
})
