/** Every five minutes: puts mails to admins about the end of their trial and of their links into the outbox. Safe to run twice. */
import { Effect } from "effect"
import { TrialMails } from "../domain/billing/trial-mails.ts"
import { byTheClock } from "./by-the-clock.ts"

const sendTrialMailsOnce = Effect.gen(function*() {
  const sent = yield* (yield* TrialMails).sendAll()
  if (sent > 0) yield* Effect.logInfo("trial mails sent").pipe(Effect.annotateLogs({ sent }))
})

export const SendTrialMailsWorker = byTheClock("send-trial-mails", "*/5 * * * *", sendTrialMailsOnce, "trial mails not sent")
