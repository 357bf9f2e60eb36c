/** Sends mails, each when its turn has come; one that is not taken waits in its row for its next try, one that is refused for good becomes a dead letter, and one that waited until it is not so any more is dropped. */
import { DateTime, Duration, Effect, Layer, Option, Schedule, Schema, Semaphore } from "effect"
import { Activity } from "effect/workflow"
import { TrialMails } from "../domain/billing/trial-mails.ts"
import { CommentDigests } from "../domain/comments/digests.ts"
import { DeletionStore } from "../domain/erasure/store.ts"
import { Exports } from "../domain/exports/exports.ts"
import { Invites } from "../domain/invites/invites.ts"
import { firstAt, isOver, nextTry } from "../domain/mails/rules.ts"
import { Addresses } from "../domain/ports/addresses.ts"
import type { Mail } from "../domain/ports/mailer.ts"
import { makeStillTold } from "../domain/projects/looking-after.ts"
import { makeMailedAdmin } from "../domain/workspaces/mailed-admins.ts"
import { databaseReady } from "../services/database/client.ts"
import { DeliverMail, drop, holdOn, markDead, markMissed, markSent, takeOver, takeUp } from "../services/database/mails.ts"
import type { Taken } from "../services/database/mails.ts"
import { kindOf } from "../services/kind-of.ts"
import { written } from "../services/mail/templates.ts"
import { CONNECTIONS, MailRefused, MailTransport, reasonOf } from "../services/mail/transport.ts"
import { forADay, persistently } from "./retry-job.ts"

/** How soon a worker that has nothing to send sees a new mail. */
const LOOKS = "200 millis"

/** For how long a mail that was taken up is nobody else's. If its worker dies, or stands still for as long, another has it then. */
export const HELD = Duration.seconds(20)

/** How often a worker that is still at it says so. */
const SAYS_SO = "5 seconds"

/** What the workers have, once the database is back, to note what they sent while it was away: others could have it by then. */
const NOTING = "5 seconds"

/** Sealed with a secret that this instance does not have, or does not have yet: while a secret is changed, others have it. */
class MailUnreadable extends Schema.TaggedError<MailUnreadable>()("MailUnreadable", {}) {}

/** What it says is not so any more. */
class MailOver extends Schema.TaggedError<MailOver>()("MailOver", {}) {}

/** The mail as far as it is still so: while it waited, its link may have ended, or its recipient may have lost what it tells of. */
const asOfNow = Effect.fn("DeliverMail.asOfNow")(function*(mail: Mail, enqueuedAt: DateTime.Utc) {
  if (isOver(mail, enqueuedAt, yield* DateTime.now)) return Option.none<Mail>()
  const one = Option.some<Mail>(mail)
  switch (mail._tag) {
    case "CommentDigest":
      return yield* CommentDigests.use((digests) => digests.asOfNow(mail))
    case "ExportReady":
      return (yield* Exports.use(({ leads }) => leads(mail.url))) ? one : Option.none()
    case "ExportFailed":
      return Option.isSome(yield* (yield* makeMailedAdmin)(mail)) ? one : Option.none()
    case "Invitation":
      return (yield* Invites.use(({ opens }) => opens(mail.token))) ? one : Option.none()
    case "WorkspaceDeleted":
      return (yield* DeletionStore.use((deletions) => deletions.isScheduled(mail.workspaceId))) ? one : Option.none()
    case "TrialNotice":
      return (yield* TrialMails.use(({ stands }) => stands(mail))) ? one : Option.none()
    case "ProjectTakenDown":
    case "ShareLinkOpened": {
      if (mail.projectId === undefined) return one
      const stillTold = yield* makeStillTold
      const project = yield* stillTold(mail.to, mail.projectId)
      return Option.map(Option.filter(project, ({ takenDownAt }) => mail._tag === "ShareLinkOpened" || takenDownAt !== null), ({ slug }): Mail => ({ ...mail, slug }))
    }
    default:
      return one
  }
})

const attempt = Effect.fn("DeliverMail.attempt")(function*({ enqueuedAt, id, mail: kept }: Taken) {
  if (kept === "unreadable") return yield* new MailUnreadable()
  const mail = yield* Effect.mapError(asOfNow(kept, enqueuedAt).pipe(Effect.flatMap(Effect.fromOption)), () => new MailOver())
  const { appUrl, baseUrl } = yield* Addresses
  const transport = yield* MailTransport
  const { html, subject, text, unsubscribe } = yield* Effect.promise(() => written(mail, { appUrl, baseUrl }))
  yield* transport.send({ id, to: mail.to, subject, html, text, unsubscribe })
  yield* Effect.logInfo("mail sent").pipe(Effect.annotateLogs({ mail: mail._tag, mailId: id }))
})

/** The mail server's own words may name the recipient, so they stay out of the log. */
const whyOf = (failure: MailRefused | MailUnreadable) =>
  failure._tag === "MailUnreadable" ? { why: "unreadable" } : { why: kindOf(failure.cause), ...reasonOf(failure.cause) }

const givenUp = Effect.fnUntraced(function*(taken: Taken, facts: Readonly<Record<string, unknown>>, now: DateTime.Utc) {
  yield* Effect.annotateLogs(Effect.logError("mail given up"), { mailId: taken.id, ...facts })
  return markDead(taken, now)
})

const missed = Effect.fnUntraced(function*(taken: Taken, failure: MailRefused | MailUnreadable | MailOver) {
  const now = yield* DateTime.now
  if (failure._tag === "MailOver") {
    yield* Effect.annotateLogs(Effect.logInfo("mail out of date"), { mailId: taken.id })
    return drop(taken)
  }
  if (failure._tag === "MailRefused" && failure.permanent) return yield* givenUp(taken, { ...whyOf(failure), why: "refused" }, now)
  yield* Effect.annotateLogs(Effect.logWarning("mail not taken yet"), { mailId: taken.id, ...whyOf(failure) })
  const next = nextTry(taken, now)
  return next === null ? yield* givenUp(taken, { ...whyOf(failure), why: failure._tag === "MailUnreadable" ? "unreadable" : "never taken" }, now) : markMissed(taken, next)
})

/** Answers the note to make of it. Our own failures are tried again as well: a database outage must not cost a mail. */
const tried = (taken: Taken) =>
  attempt(taken).pipe(
    Effect.catchDefect((cause) => Effect.fail(new MailRefused({ permanent: false, cause }))),
    Effect.matchEffect({
      onSuccess: () => Effect.map(DateTime.now, (now) => markSent(taken.id, now)),
      onFailure: (failure) => missed(taken, failure)
    })
  )

const throughOutage = <A, R>(program: Effect.Effect<A, never, R>) =>
  program.pipe(
    Effect.catchDefect(Effect.fail),
    Effect.retry(Schedule.spaced("1 second")),
    Effect.orDie,
    Effect.andThen(Effect.sleep(NOTING))
  )

type Looking = ReturnType<typeof takeUp>

const alone = (looking: Looking): Looking => looking

/** Where the database is away, it is said the next time. */
const holding = (taken: Taken) =>
  Effect.sleep(SAYS_SO).pipe(
    Effect.andThen(Effect.withTracerEnabled(holdOn(taken, HELD), false)),
    Effect.catchDefect(() => Effect.void),
    Effect.forever,
    Effect.interruptible
  )

/**
 * Whether a mail was due, and was tried. A stop waits until the server has answered and that is noted, or the mail would be sent again; it
 * does not wait out a database that is away. At least once: if the worker dies in between, it is sent again, under the same Message-ID.
 */
export const takeTurn = (first: ReturnType<typeof firstAt> = "awaited", inTurn: typeof alone = alone) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const looking = Effect.flatMap(DateTime.now, (now) => Effect.withTracerEnabled(takeUp(first, now, HELD), false))
      const taken = Option.getOrUndefined(yield* restore(inTurn(looking)))
      if (taken === undefined) return false
      const note = yield* Effect.raceFirst(tried(taken), holding(taken))
      yield* Effect.catchDefect(note, (cause) =>
        Effect.annotateLogs(Effect.logWarning("mail not noted yet"), { mailId: taken.id, why: kindOf(cause) }).pipe(Effect.andThen(restore(throughOutage(note)))))
      return true
    })
  )

/** As many turns at once as the transport has connections: what waits for one can still be taken up elsewhere, or be erased. */
const deliveries = Effect.suspend(() => {
  let turns = 0
  const eye = Semaphore.makeUnsafe(1)
  const oneLooks: typeof alone = (looking) => eye.withPermits(1)(Effect.tap(looking, (found) => Option.isNone(found) ? Effect.sleep(LOOKS) : Effect.void))
  const turn = Effect.suspend(() => takeTurn(firstAt(turns++), oneLooks)).pipe(
    Effect.catchDefect((cause) =>
      Effect.annotateLogs(Effect.logWarning("no mails looked for yet"), { why: kindOf(cause) }).pipe(Effect.andThen(throughOutage(databaseReady))))
  )
  return Effect.all(Array.from({ length: CONNECTIONS }, () => Effect.forever(turn)), { concurrency: "unbounded", discard: true })
})

const TakeOver = DeliverMail.toLayer(({ mailId }) => {
  const over = Effect.flatMap(DateTime.now, (now) => takeOver(mailId, now))
  return Activity.make({
    name: "deliver",
    success: Schema.Void,
    execute: Effect.orDie(persistently(over, forADay, "mail not taken over yet", { mailId }))
  })
})

export const DeliverMailWorker = Layer.merge(TakeOver, Layer.effectDiscard(Effect.forkScoped(deliveries)))
