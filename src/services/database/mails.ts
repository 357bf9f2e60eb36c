/** The outbox: a mail is committed in its writer's transaction, as a sealed row. The row says when it is tried next; workers take up what is due. */
import { DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Workflow } from "effect/workflow"
import { AWAITED, firstTry, isAwaited, stoodStillBefore } from "../../domain/mails/rules.ts"
import type { Trying } from "../../domain/mails/rules.ts"
import { Mail, Mailer } from "../../domain/ports/mailer.ts"
import { Seals } from "../../domain/ports/seals.ts"
import { Tokens } from "../../domain/ports/tokens.ts"
import { date, executed, sweeping } from "./rows.ts"

/** What the release before begins for each mail, and may go on to beside this one: a worker that has such a job takes the mail over. */
export const DeliverMail = Workflow.make("DeliverMail", {
  payload: { mailId: Schema.String, round: Schema.optionalKey(Schema.Int) },
  success: Schema.Void,
  idempotencyKey: ({ mailId, round }) => round === undefined ? mailId : `${mailId}/${round}`
})

/** A mail whose turn has come. */
export interface Taken extends Trying {
  readonly id: string
  readonly mail: Mail | "unreadable"
  readonly enqueuedAt: DateTime.Utc
}

/** Neither out nor given up. */
export const WAITING = "sent_at IS NULL AND dead_at IS NULL"

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

    return Mailer.of({
      enqueue: Effect.fn("MailerOutbox.enqueue")(function*(mail) {
        const id = yield* tokens.uuid
        const sealed = yield* seals.seal(PURPOSE, mail)
        const now = yield* DateTime.now
        yield* sql`
          INSERT INTO mails (id, kind, sealed, enqueued_at, awaited, next_try_at)
          VALUES (${id}, ${mail._tag}, ${sealed}, ${date(now)}, ${isAwaited(mail)}, ${date(firstTry(now))})`
      }, Effect.orDie)
    })
  })
)

const until = (sql: SqlClient.SqlClient, held: Duration.Duration) => sql`clock_timestamp() + ${Duration.toSeconds(held)} * interval '1 second'`

/**
 * Takes up the mail that is due the longest, of those that somebody waits for or of the notices, and of the others if there is none. For
 * `held` it is nobody else's, unless it is held on to, or noted before how the try ended; by the database's clock, since this is a lock
 * among workers and no rule, and theirs may differ.
 */
export const takeUp = Effect.fn("takeUp")(function*(first: "awaited" | "notices", now: DateTime.Utc, held: Duration.Duration) {
  const sql = yield* SqlClient.SqlClient
  const seals = yield* Seals
  const due = (awaited: boolean) => sql`
    SELECT id FROM mails WHERE ${sql.literal(WAITING)} AND awaited = ${awaited} AND next_try_at <= ${date(now)}
      AND (held_until IS NULL OR held_until < clock_timestamp())
    ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED`
  const awaited = first === "awaited"
  const rows = yield* sql<{ id: string; attempts: number; sealed: string | null; since: Date; enqueued: Date }>`
    UPDATE mails SET attempts = attempts + 1, held_until = ${until(sql, held)},
      first_tried_at = CASE WHEN next_try_at >= ${date(stoodStillBefore(now))} THEN least(first_tried_at, ${date(now)}) ELSE ${date(now)} END
    WHERE id = coalesce((${due(awaited)}), (${due(!awaited)}))
    RETURNING id, attempts, sealed, first_tried_at AS since, enqueued_at AS enqueued`
  if (rows[0] === undefined) return Option.none<Taken>()
  const { attempts, enqueued, id, sealed, since } = rows[0]
  const mail = Option.getOrElse(yield* opened(seals, sealed ?? ""), () => "unreadable" as const)
  return Option.some<Taken>({ id, attempts, since: DateTime.fromDateUnsafe(since), enqueuedAt: DateTime.fromDateUnsafe(enqueued), mail })
}, Effect.orDie)

/** Deletes what the mail said and keeps the record that it was sent, also where another worker has given it up meanwhile. */
export const markSent = Effect.fn("markSent")((id: string, now: DateTime.Utc) =>
  SqlClient.SqlClient.use((sql) => executed(sql`UPDATE mails SET sent_at = ${date(now)}, sealed = NULL, next_try_at = NULL, held_until = NULL, dead_at = NULL WHERE id = ${id}`)))

/** Not of a mail that is sent, or that another worker has taken up since. */
const unlessTaken = (sql: SqlClient.SqlClient, { attempts, id }: Taken) => sql`id = ${id} AND attempts = ${attempts} AND sent_at IS NULL`

export const holdOn = Effect.fn("holdOn")((taken: Taken, held: Duration.Duration) =>
  SqlClient.SqlClient.use((sql) => executed(sql`UPDATE mails SET held_until = ${until(sql, held)} WHERE ${unlessTaken(sql, taken)}`)))

export const markMissed = Effect.fn("markMissed")((taken: Taken, next: DateTime.Utc) =>
  SqlClient.SqlClient.use((sql) => executed(sql`UPDATE mails SET next_try_at = ${date(next)}, held_until = NULL WHERE ${unlessTaken(sql, taken)}`)))

/** The mail stays, sealed, for somebody to look at and send again. */
export const markDead = Effect.fn("markDead")((taken: Taken, now: DateTime.Utc) =>
  SqlClient.SqlClient.use((sql) => executed(sql`UPDATE mails SET dead_at = ${date(now)}, next_try_at = NULL, held_until = NULL WHERE ${unlessTaken(sql, taken)}`)))

/** Sent again later it would still not be so: nobody has to look at it. */
export const drop = Effect.fn("drop")((taken: Taken) =>
  SqlClient.SqlClient.use((sql) => executed(sql`DELETE FROM mails WHERE ${unlessTaken(sql, taken)}`)))

/** A mail of the release before, enqueued or sent on its way again there, takes its turn with the others. */
export const takeOver = Effect.fn("takeOver")((id: string, now: DateTime.Utc) =>
  SqlClient.SqlClient.use((sql) => executed(sql`
    UPDATE mails SET awaited = kind = ANY(${AWAITED}), next_try_at = ${date(firstTry(now))}
    WHERE id = ${id} AND next_try_at IS NULL AND ${sql.literal(WAITING)}`)))

const sweptBy = (end: "sent_at" | "dead_at") => (before: DateTime.Utc, limit: number) =>
  SqlClient.SqlClient.use((sql) => sweeping(sql, "mails", "id", end)(before, limit))

/** The records of mails that went out. */
export const sweepSent = Effect.fn("sweepSent")(sweptBy("sent_at"))

/** Mails that were given up, with all that they say. */
export const sweepDead = Effect.fn("sweepDead")(sweptBy("dead_at"))
