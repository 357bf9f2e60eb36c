/** What jobs wait for, as their engine keeps it in PostgreSQL: the moment at which a message is to be taken up. */
import type { Duration } from "effect"
import { DateTime, Effect } from "effect"
import { Snowflake } from "effect/cluster"
import { SqlClient } from "effect/sql"

/** Nothing runs by the clock less than once a day. */
const LONGEST = "25 hours"

/**
 * Puts right what a clock that was ahead has written. What waits longer than `atMost`, or than anything does, is due now; and turns
 * that were taken before their time are to be taken again, or the one that follows them would never be set out. Answers how many are due.
 */
export const putRight = Effect.fn("timetable.putRight")(
  function*(now: DateTime.Utc, atMost: Duration.Input = LONGEST) {
    const sql = yield* SqlClient.SqlClient
    const at = DateTime.toEpochMillis(now)
    const late = DateTime.toEpochMillis(DateTime.addDuration(now, atMost))
    const never = DateTime.toEpochMillis(DateTime.addDuration(now, LONGEST))
    // Without the name that keeps it from being set out twice: its own moment may come after all, in a year.
    const due = yield* sql`UPDATE cluster_messages SET deliver_at = ${at}, message_id = NULL WHERE NOT processed AND deliver_at > ${late} RETURNING 1`
    const taken = sql`entity_type LIKE 'ClusterCron/%' AND processed AND deliver_at > ${at}`
    yield* sql`DELETE FROM cluster_replies WHERE request_id IN (SELECT request_id FROM cluster_messages WHERE ${taken})`
    yield* sql`DELETE FROM cluster_messages WHERE ${taken} AND deliver_at > ${never}`
    // Under a number of their own: whoever took them remembers the old one.
    yield* sql`
      UPDATE cluster_messages m SET id = again.id, request_id = again.id, processed = FALSE, last_reply_id = NULL, last_read = NULL
      FROM (
        SELECT id AS was, ((${at - Snowflake.constEpochMillis}::bigint << 22) | (floor(random() * 1024)::bigint << 12)) + row_number() OVER () AS id
        FROM cluster_messages WHERE ${taken}
      ) again WHERE m.id = again.was`
    return due.length
  },
  (program) => SqlClient.SqlClient.use((sql) => sql.withTransaction(program)),
  Effect.orDie
)
