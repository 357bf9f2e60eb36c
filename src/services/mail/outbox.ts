/** The outbox: a mail rides in its writer's transaction as a sealed row and a durable job. */
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Workflow, WorkflowEngine } from "effect/workflow"
import { DateTime } from "effect"
import { Mail, Mailer } from "../../domain/ports/mailer.ts"
import { Seals } from "../../domain/ports/seals.ts"
import { Tokens } from "../../domain/ports/tokens.ts"

/** The job: delivers the mail of this id. Its payload holds nothing of the mail itself. */
export const DeliverMail = Workflow.make("DeliverMail", {
  payload: { mailId: Schema.String },
  success: Schema.Void,
  idempotencyKey: ({ mailId }) => mailId
})

const PURPOSE = "mail"

const decodeMail = Schema.decodeUnknownOption(Mail)

export const MailerOutbox = Layer.effect(
  Mailer,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const seals = yield* Seals
    const tokens = yield* Tokens
    const engine = yield* WorkflowEngine.WorkflowEngine

    return Mailer.of({
      enqueue: Effect.fn("MailerOutbox.enqueue")(function*(mail) {
        const id = yield* tokens.uuid
        const sealed = yield* seals.seal(PURPOSE, mail)
        const at = DateTime.toDateUtc(yield* DateTime.now)
        yield* sql`INSERT INTO mails (id, kind, sealed, enqueued_at) VALUES (${id}, ${mail._tag}, ${sealed}, ${at})`
        yield* DeliverMail.execute({ mailId: id }, { discard: true }).pipe(
          Effect.provideService(WorkflowEngine.WorkflowEngine, engine)
        )
      }, Effect.orDie)
    })
  })
)

/** A mail that still has to go out; none when it went, or can no longer be read. */
export const pendingMail = Effect.fn("pendingMail")(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  const seals = yield* Seals
  const rows = yield* sql<{ sealed: string | null; enqueuedAt: Date }>`
    SELECT sealed, enqueued_at AS "enqueuedAt" FROM mails WHERE id = ${id} AND sent_at IS NULL AND dead_at IS NULL`
  const row = rows[0]
  if (row === undefined || row.sealed === null) return Option.none<{ mail: Mail; enqueuedAt: Date }>()
  const mail = Option.flatMap(yield* seals.open(PURPOSE, row.sealed), decodeMail)
  return Option.map(mail, (mail) => ({ mail, enqueuedAt: row.enqueuedAt }))
}, Effect.orDie)

export const countAttempt = Effect.fn("countAttempt")(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE mails SET attempts = attempts + 1 WHERE id = ${id}`
}, Effect.orDie)

/** What it said is forgotten; that it went stays. */
export const markSent = Effect.fn("markSent")(function*(id: string, now: DateTime.Utc) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE mails SET sent_at = ${DateTime.toDateUtc(now)}, sealed = NULL WHERE id = ${id}`
}, Effect.orDie)

/** Kept, sealed, for someone to look at and send again. */
export const markDead = Effect.fn("markDead")(function*(id: string, now: DateTime.Utc) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE mails SET dead_at = ${DateTime.toDateUtc(now)} WHERE id = ${id}`
}, Effect.orDie)
