/** Sends one mail, again and again with growing pauses through an outage; what is refused for good becomes a dead letter. */
import { DateTime, Effect, Option, Schedule, Schema } from "effect"
import { Activity } from "effect/workflow"
import { Addresses } from "../domain/ports/addresses.ts"
import { countAttempt, DeliverMail, markDead, markSent, pendingMail } from "../services/mail/outbox.ts"
import { written } from "../services/mail/templates.ts"
import { MailTransport } from "../services/mail/transport.ts"

/** One second, doubling to five minutes, for a day. */
const pauses = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("5 minutes")]).pipe(
  Schedule.upTo({ duration: "1 day" })
)

const attempt = Effect.fn("DeliverMail.attempt")(function*(mailId: string) {
  const { appUrl } = yield* Addresses
  const transport = yield* MailTransport
  const found = Option.getOrUndefined(yield* pendingMail(mailId))
  if (found === undefined) return
  yield* countAttempt(mailId)
  const { html, subject, text } = written(found.mail, { appUrl })
  yield* transport.send({ id: mailId, to: found.mail.to, subject, html, text })
  yield* markSent(mailId, yield* DateTime.now)
  yield* Effect.logInfo("mail sent").pipe(Effect.annotateLogs({ mail: found.mail._tag, mailId }))
})

export const DeliverMailWorker = DeliverMail.toLayer(({ mailId }) =>
  Activity.make({
    name: "deliver",
    success: Schema.Void,
    execute: attempt(mailId).pipe(
      Effect.retry({ schedule: pauses, while: (refused) => !refused.permanent }),
      Effect.catchTag("MailRefused", (refused) =>
        Effect.gen(function*() {
          yield* markDead(mailId, yield* DateTime.now)
          // The server's own words may name the recipient, so they stay out of the log.
          yield* Effect.logError("mail given up").pipe(Effect.annotateLogs({ mailId, permanent: refused.permanent }))
        }))
    )
  })
)
