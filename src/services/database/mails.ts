/** The outbox: a mail is committed in its writer's transaction, as a sealed row and a durable job. */
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Workflow } from "effect/workflow"
import { Mail, Mailer } from "../../domain/ports/mailer.ts"
import { Seals } from "../../domain/ports/seals.ts"
import { Tokens } from "../../domain/ports/tokens.ts"
import { makeBeginJob } from "./begin-job.ts"
import { date, sweeping } from "./rows.ts"

/**
 * The job that delivers the mail of this id. Its payload holds nothing of the mail itself; `round` tells a later job for the
 * same mail from the first.
 */
export const DeliverMail = Workflow.make("DeliverMail", {
  payload: { mailId: Schema.String, round: Schema.optionalKey(Schema.Int) },
  success: Schema.Void,
  idempotencyKey: ({ mailId, round }) => round === undefined ? mailId : `${mailId}/${round}`
})

const PURPOSE = "mail"

const decodeMail = Schema.decodeUnknownOption(Mail)

/** None for a mail sealed under a secret that is gone. */
export const opened = (seals: typeof Seals.Service, sealed: string) => Effect.map(seals.open(PURPOSE, sealed), Option.flatMap(decodeMail))

export const MailerOutbox = Layer.effect(
  Mailer,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const seals = yield* Seals
    const tokens = yield* Tokens
    const beginJob = yield* makeBeginJob

    return Mailer.of({
      enqueue: Effect.fn("MailerOutbox.enqueue")(function*(mail) {
        const id = yield* tokens.uuid
        const sealed = yield* seals.seal(PURPOSE, mail)
        const at = date(yield* DateTime.now)
        yield* sql`INSERT INTO mails (id, kind, sealed, enqueued_at) VALUES (${id}, ${mail._tag}, ${sealed}, ${at})`
        yield* beginJob(DeliverMail, { mailId: id })
      }, Effect.orDie)
    })
  })
)

/** Counts an attempt at a mail and opens it: none when it is sent or given up, unreadable when its secret is gone. */
export const takeUp = Effect.fn("takeUp")(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  const seals = yield* Seals
  const rows = yield* sql<{ sealed: string }>`
    UPDATE mails SET attempts = attempts + 1
    WHERE id = ${id} AND sent_at IS NULL AND dead_at IS NULL AND sealed IS NOT NULL RETURNING sealed`
  if (rows[0] === undefined) return Option.none<Mail | "unreadable">()
  return Option.some(Option.getOrElse(yield* opened(seals, rows[0].sealed), () => "unreadable" as const))
}, Effect.orDie)

/** Deletes what the mail said and keeps the record that it was sent. */
export const markSent = Effect.fn("markSent")(function*(id: string, now: DateTime.Utc) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE mails SET sent_at = ${date(now)}, sealed = NULL WHERE id = ${id}`
}, Effect.orDie)

/** The mail stays, sealed, for somebody to look at and send again. */
export const markDead = Effect.fn("markDead")(function*(id: string, now: DateTime.Utc) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE mails SET dead_at = ${date(now)} WHERE id = ${id}`
}, Effect.orDie)

const sweptBy = (end: "sent_at" | "dead_at") => (before: DateTime.Utc, limit: number) =>
  SqlClient.SqlClient.use((sql) => sweeping(sql, "mails", "id", end)(before, limit))

/** The records of mails that went out. */
export const sweepSent = Effect.fn("sweepSent")(sweptBy("sent_at"))

/** Mails that were given up, with all that they say. */
export const sweepDead = Effect.fn("sweepDead")(sweptBy("dead_at"))
