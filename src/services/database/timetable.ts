/** When the job engine's messages and the mails in PostgreSQL are due. */
import type { Duration } from "effect"
import { DateTime, Effect } from "effect"
import { Snowflake } from "effect/cluster"
import type { Statement } from "effect/sql"
import { SqlClient } from "effect/sql"
import { LONGEST_PAUSE } from "../../domain/mails/rules.ts"
import { WAITING } from "./mails.ts"
import { date } from "./rows.ts"

/** Everything that runs by the clock runs at least once a day. */
const LONGEST = "25 hours"

/** What the job engine's own messages of timetables are called. */
const TURN = "entity_type LIKE 'ClusterCron/%'"

/**
 * Repairs what a clock that was ahead has written. Messages that would wait longer than `atMost` (by default: than anything
 * ever does) become due now; cron turns taken before their time are taken again, or the turn after them would never be
 * scheduled. So do mails. Answers how many messages became due.
 */
export const putRight = Effect.fn("timetable.putRight")(
  function*(now: DateTime.Utc, atMost: Duration.Input = LONGEST) {
    const sql = yield* SqlClient.SqlClient
    const at = DateTime.toEpochMillis(now)
    const late = DateTime.toEpochMillis(DateTime.addDuration(now, atMost))
    const never = DateTime.toEpochMillis(DateTime.addDuration(now, LONGEST))
    // Clears the `message_id`, which keeps a message from being enqueued twice: its original moment may still come, in a year.
    const due = yield* sql`UPDATE cluster_messages SET deliver_at = ${at}, message_id = NULL WHERE NOT processed AND deliver_at > ${late} RETURNING 1`
    yield* sql`
      UPDATE mails SET next_try_at = ${date(now)}
      WHERE ${sql.literal(WAITING)} AND next_try_at > ${date(DateTime.addDuration(now, LONGEST_PAUSE))}`
    const taken = sql`${sql.literal(TURN)} AND processed AND deliver_at > ${at}`
    yield* sql`
      WITH gone AS (DELETE FROM cluster_messages WHERE ${taken} AND deliver_at > ${never} RETURNING request_id)
      DELETE FROM cluster_replies WHERE request_id IN (SELECT request_id FROM gone)`
    yield* takeAgain(now, sql`SELECT id, request_id FROM cluster_messages WHERE ${taken}`)
    return due.length
  },
  (program) => SqlClient.SqlClient.use((sql) => sql.withTransaction(program)),
  Effect.orDie
)

/** Takes the turns again that `found` has the ids of, under new ones: the workers that took them remember the old. Answers them. */
const takeAgain = (now: DateTime.Utc, found: Statement.Fragment) =>
  SqlClient.SqlClient.use((sql) => sql`
    WITH turns AS (${found}), answered AS (DELETE FROM cluster_replies WHERE request_id IN (SELECT request_id FROM turns))
    UPDATE cluster_messages m SET id = again.id, request_id = again.id, processed = FALSE, last_reply_id = NULL, last_read = NULL
    FROM (
      SELECT id AS was, ((${DateTime.toEpochMillis(now) - Snowflake.constEpochMillis}::bigint << 22) | (floor(random() * 1024)::bigint << 12)) + row_number() OVER () AS id
      FROM turns
    ) again WHERE m.id = again.was
    RETURNING m.id`)

/**
 * A turn schedules the next one when it ends. One that is over after the clock was set back, but was taken up before, finds that the
 * next is itself, and none would follow. So the last turn of every timetable that has none ahead is taken again, at its time or now.
 * Answers how many.
 */
export const goOn = Effect.fn("timetable.goOn")(function*(now: DateTime.Utc) {
  const sql = yield* SqlClient.SqlClient
  const again = yield* takeAgain(now, sql`
    SELECT id, request_id FROM (
      SELECT DISTINCT ON (entity_type) id, request_id, processed FROM cluster_messages WHERE ${sql.literal(TURN)}
      ORDER BY entity_type, processed, deliver_at DESC
    ) last WHERE processed`)
  return again.length
}, Effect.orDie)
