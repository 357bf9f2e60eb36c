/** Sends one mail, retried with growing pauses through an outage; a mail that is refused for good becomes a dead letter. */
import { DateTime, Effect, Option, Schema } from "effect"
import { Activity } from "effect/workflow"
import { Addresses } from "../domain/ports/addresses.ts"
import { DeliverMail, markDead, markSent, takeUp } from "../services/database/mails.ts"
import { written } from "../services/mail/templates.ts"
import { MailRefused, MailTransport } from "../services/mail/transport.ts"
import { forADay } from "./retry-job.ts"

/** A database outage must not cost a mail: our own failures are retried as well. */
const atHome = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchDefect(effect, (cause) => Effect.fail(new MailRefused({ permanent: false, cause })))

/** Retried on its own, so that a failing note never repeats the sending. */
const noted = <A, R>(note: Effect.Effect<A, never, R>) => atHome(note).pipe(Effect.retry(forADay), Effect.orDie)

/** The mail server's own words may name the recipient, so they stay out of the log. */
const giveUp = Effect.fn("DeliverMail.giveUp")(function*(mailId: string, why: "refused" | "never taken" | "unreadable") {
  yield* noted(markDead(mailId, yield* DateTime.now))
  yield* Effect.logError("mail given up").pipe(Effect.annotateLogs({ mailId, why }))
})

const attempt = Effect.fn("DeliverMail.attempt")(function*(mailId: string) {
  const { appUrl, baseUrl } = yield* Addresses
  const transport = yield* MailTransport
  const mail = Option.getOrUndefined(yield* takeUp(mailId))
  if (mail === undefined) return
  if (mail === "unreadable") return yield* giveUp(mailId, mail)
  const { html, subject, text, unsubscribe } = yield* Effect.promise(() => written(mail, { appUrl, baseUrl }))
  yield* transport.send({ id: mailId, to: mail.to, subject, html, text, unsubscribe })
  yield* noted(markSent(mailId, yield* DateTime.now))
  yield* Effect.logInfo("mail sent").pipe(Effect.annotateLogs({ mail: mail._tag, mailId }))
})

/** At least once: if a worker dies after the server took the mail and before this is noted, the mail is sent again, under the same Message-ID. */
export const deliver = (mailId: string) =>
  atHome(attempt(mailId)).pipe(
    Effect.retry({ schedule: forADay, while: (refused) => !refused.permanent }),
    Effect.catchTag("MailRefused", ({ permanent }) => giveUp(mailId, permanent ? "refused" : "never taken"))
  )

export const DeliverMailWorker = DeliverMail.toLayer(({ mailId }) =>
  Activity.make({ name: "deliver", success: Schema.Void, execute: deliver(mailId) })
)
