/** Durable jobs as their engine stores them in PostgreSQL: lists those that are not done, runs one again, sweeps the done ones. */
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { Snowflake } from "effect/cluster"
import { SqlClient, SqlSchema } from "effect/sql"
import { Job, JobId, JobState } from "../../domain/administration/model.ts"
import { JobStore } from "../../domain/administration/store.ts"
import { counted, past } from "./rows.ts"

/** A run of a job; its steps and timers are messages of their own. */
const runs = `m.kind = 0 AND m.tag = 'run' AND m.entity_type LIKE 'Workflow/%' AND m.entity_type NOT LIKE 'Workflow/-/%'`

/** The last reply of a run says how it ended; a suspended run is not done. */
const ended = `r.payload LIKE '%"_tag":"Complete"%' OR r.payload LIKE '{"_tag":"Failure"%'`
const failed = `(m.processed AND r.payload LIKE '%"_tag":"Failure"%' AND (${ended})) IS TRUE`
const waiting = `(m.processed AND (${ended})) IS NOT TRUE`

/** Messages that succeeded: runs, their steps, and cron turns, whose reply says nothing else. Suspended ones are not among them. */
const well = `m.kind = 0 AND m.processed AND r.payload LIKE '{"_tag":"Success"%'
  AND r.payload NOT LIKE '%"_tag":"Failure"%' AND r.payload NOT LIKE '%"_tag":"Suspended"%'`

const columns = `m.id::text AS id, split_part(m.entity_type, '/', 2) AS kind, CASE WHEN ${failed} THEN 'failed' ELSE 'waiting' END AS state,
  to_timestamp(((m.id >> 22) + ${Snowflake.constEpochMillis}) / 1000.0) AS "enqueuedAt", m.last_read::timestamptz AS "takenUpAt"`

const tables = `cluster_messages m LEFT JOIN cluster_replies r ON r.id = m.last_reply_id`

export const JobStoreSql = Layer.effect(
  JobStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const list = SqlSchema.findAll({
      Request: Schema.Struct({ states: Schema.Array(JobState), after: Schema.NullOr(JobId), limit: Schema.Int }),
      Result: Job,
      execute: ({ after, limit, states }) => sql`
        SELECT ${sql.literal(columns)} FROM ${sql.literal(tables)}
        WHERE ${sql.literal(runs)} ${past(sql, "m.id <", after)}
          AND ((${states.includes("failed")} AND ${sql.literal(failed)}) OR (${states.includes("waiting")} AND ${sql.literal(waiting)}))
        ORDER BY m.id DESC LIMIT ${limit}`
    })

    const one = SqlSchema.findOneOption({
      Request: JobId,
      Result: Schema.Struct({ ...Job.fields, entityType: Schema.String, entityId: Schema.String }),
      execute: (id) => sql`
        SELECT ${sql.literal(columns)}, m.entity_type AS "entityType", m.entity_id AS "entityId" FROM ${sql.literal(tables)}
        WHERE m.id = ${id}::bigint AND ${sql.literal(runs)} AND (${sql.literal(failed)} OR ${sql.literal(waiting)}) FOR UPDATE OF m`
    })

    const retry = Effect.fn("JobStoreSql.retry")(function*(id: JobId) {
      const found = Option.getOrUndefined(yield* one(id))
      if (found === undefined) return Option.none()
      const { entityId, entityType, ...job } = found
      if (job.state === "waiting") {
        // A worker takes it up again now, not in ten minutes; one that is running it goes on.
        yield* sql`UPDATE cluster_messages SET last_read = NULL WHERE id = ${id}::bigint AND NOT processed`
        return Option.some(job)
      }
      // Runs it from its beginning: the results of its steps are deleted with its own.
      const its = sql`entity_type = ${entityType} AND entity_id = ${entityId}`
      yield* sql`DELETE FROM cluster_replies WHERE request_id IN (SELECT request_id FROM cluster_messages WHERE ${its})`
      yield* sql`DELETE FROM cluster_messages WHERE ${its} AND id <> ${id}::bigint`
      yield* sql`UPDATE cluster_messages SET processed = FALSE, last_reply_id = NULL, last_read = NULL WHERE id = ${id}::bigint`
      return Option.some({ ...job, state: "waiting" as const, takenUpAt: null })
    }, Effect.orDie)

    const counts = SqlSchema.findOne({
      Request: Schema.Void,
      Result: Schema.Struct({ waiting: Schema.Int, failed: Schema.Int }),
      execute: () => sql`
        SELECT (count(*) FILTER (WHERE ${sql.literal(waiting)}))::int AS waiting, (count(*) FILTER (WHERE ${sql.literal(failed)}))::int AS failed
        FROM ${sql.literal(tables)} WHERE ${sql.literal(runs)}`
    })

    return JobStore.of({
      list: (states, { after, limit }) => Effect.orDie(list({ states, after: after ?? null, limit })),
      retry,
      counts: Effect.orDie(counts()),
      sweep: (before, limit) =>
        counted(sql<{ count: number }>`
          WITH swept AS (
            DELETE FROM cluster_messages WHERE id = ANY(ARRAY(
              SELECT m.id FROM ${sql.literal(tables)}
              WHERE m.id < ${DateTime.toEpochMillis(before) - Snowflake.constEpochMillis}::bigint << 22 AND ${sql.literal(well)}
              ORDER BY m.id LIMIT ${limit}))
            RETURNING request_id
          ), replies AS (DELETE FROM cluster_replies WHERE request_id = ANY(ARRAY(SELECT request_id FROM swept)))
          SELECT count(*)::int AS count FROM swept`)
    })
  })
)
