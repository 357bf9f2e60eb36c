/** Every five minutes: puts mails to admins about the end of their trial and of their links into the outbox. Safe to run twice. */
import { TrialMails } from "../domain/billing/trial-mails.ts"
import { byTheClock, telling } from "./by-the-clock.ts"

const sendTrialMailsOnce = telling(TrialMails.use(({ sendAll }) => sendAll()), "trial mails sent")

export const SendTrialMailsWorker = byTheClock("send-trial-mails", "*/5 * * * *", sendTrialMailsOnce, "trial mails not sent")
