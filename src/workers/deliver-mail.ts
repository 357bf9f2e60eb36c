/** Sends one mail, retried with growing pauses through an outage; a mail that is refused for good becomes a dead letter. */
import { Context, DateTime, Effect, Layer, Option, Schema, Semaphore } from "effect"
import { Activity } from "effect/workflow"
import { Addresses } from "../domain/ports/addresses.ts"
import { DeliverMail, markDead, markSent, takeUp } from "../services/database/mails.ts"
import { kindOf } from "../services/kind-of.ts"
import { written } from "../services/mail/templates.ts"
import { CONNECTIONS, MailRefused, MailTransport, reasonOf } from "../services/mail/transport.ts"
import { forADay, forAnHour } from "./retry-job.ts"

/** Sealed with a secret that this instance does not have, or does not have yet: while a secret is changed, others have it. */
class MailUnreadable extends Schema.TaggedError<MailUnreadable>()("MailUnreadable", {}) {}

/** A database outage must not cost a mail: our own failures are retried as well. */
const atHome = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchDefect(effect, (cause) => Effect.fail(new MailRefused({ permanent: false, cause })))

/** Retried on its own, so that a failing note never repeats the sending. */
const noted = <A, R>(note: Effect.Effect<A, never, R>) => atHome(note).pipe(Effect.retry(forADay), Effect.orDie)

const giveUp = Effect.fn("DeliverMail.giveUp")(function*(mailId: string, why: "refused" | "never taken" | "unreadable") {
  yield* noted(markDead(mailId, yield* DateTime.now))
  yield* Effect.logError("mail given up").pipe(Effect.annotateLogs({ mailId, why }))
})

/** As many as the transport sends at once: a mail that waits for its turn does not delay a stop. */
export class MailTurns extends Context.Service<MailTurns, Semaphore.Semaphore>()("svc/workers/MailTurns") {
  static readonly layer = Layer.effect(this, Semaphore.make(CONNECTIONS))
}

/** A stop waits until the server has answered and that is noted, or the mail would be sent again; it does not wait out a database that is away. */
const sentAndNoted = <E, R>(mailId: string, send: Effect.Effect<void, E, R>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      yield* send
      const note = markSent(mailId, yield* DateTime.now)
      yield* Effect.catch(atHome(note), () => restore(noted(note)))
    })
  ).pipe((sending) => MailTurns.use((turns) => turns.withPermits(1)(sending)))

const attempt = Effect.fn("DeliverMail.attempt")(function*(mailId: string) {
  const { appUrl, baseUrl } = yield* Addresses
  const transport = yield* MailTransport
  const mail = Option.getOrUndefined(yield* takeUp(mailId))
  if (mail === undefined) return
  if (mail === "unreadable") return yield* new MailUnreadable()
  const { html, subject, text, unsubscribe } = yield* Effect.promise(() => written(mail, { appUrl, baseUrl }))
  yield* sentAndNoted(mailId, transport.send({ id: mailId, to: mail.to, subject, html, text, unsubscribe }))
  yield* Effect.logInfo("mail sent").pipe(Effect.annotateLogs({ mail: mail._tag, mailId }))
})

/** The mail server's own words may name the recipient, so they stay out of the log. */
const notYet = (mailId: string) => (failure: MailRefused | MailUnreadable) => {
  if (failure._tag === "MailRefused" && failure.permanent) return Effect.void
  const why = failure._tag === "MailUnreadable" ? { why: "unreadable" } : { why: kindOf(failure.cause), ...reasonOf(failure.cause) }
  return Effect.annotateLogs(Effect.logWarning("mail not taken yet"), { mailId, ...why })
}

/** At least once: if a worker dies after the server took the mail and before this is noted, the mail is sent again, under the same Message-ID. */
export const deliver = (mailId: string) =>
  atHome(attempt(mailId)).pipe(
    Effect.tapError(notYet(mailId)),
    Effect.retry({ schedule: forAnHour, while: ({ _tag }) => _tag === "MailUnreadable" }),
    Effect.retry({ schedule: forADay, while: (failure) => failure._tag === "MailRefused" && !failure.permanent }),
    Effect.catchTags({
      MailUnreadable: () => giveUp(mailId, "unreadable"),
      MailRefused: ({ permanent }) => giveUp(mailId, permanent ? "refused" : "never taken")
    })
  )

export const DeliverMailWorker = DeliverMail.toLayer(({ mailId }) =>
  Activity.make({ name: "deliver", success: Schema.Void, execute: deliver(mailId) })
).pipe(Layer.provide(MailTurns.layer))
