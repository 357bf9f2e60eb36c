/** Calls that may be sent again, in PostgreSQL. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Call } from "../../domain/idempotency/model.ts"
import { IdempotencyStore } from "../../domain/idempotency/store.ts"
import { anyRow, date, executed, firstOf, rowCount } from "./rows.ts"

export const IdempotencyStoreSql = Layer.effect(
  IdempotencyStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    /** A path may be longer than an index allows. */
    const hashed = (operation: string) => sql`sha256(convert_to(${operation}, 'UTF8'))`
    const of = ({ key, operation, userId }: Call) => sql`user_id = ${userId} AND operation = ${hashed(operation)} AND key = ${key}`

    return IdempotencyStore.of({
      claim: (call, claim, { forgottenSince, now, silentSince }) =>
        anyRow(sql`
          INSERT INTO idempotent_calls AS held (user_id, operation, key, claim, heard_at)
          VALUES (${call.userId}, ${hashed(call.operation)}, ${call.key}, ${claim}, ${date(now)})
          ON CONFLICT (user_id, operation, key) DO UPDATE
          SET claim = excluded.claim, heard_at = excluded.heard_at, answer = NULL
          WHERE held.heard_at <= CASE WHEN held.answer IS NULL THEN ${date(silentSince)}::timestamptz ELSE ${date(forgottenSince)}::timestamptz END
          RETURNING 1`),
      answered: (call, forgottenSince) =>
        firstOf(
          sql<{ answer: string }>`
            SELECT answer FROM idempotent_calls WHERE ${of(call)} AND answer IS NOT NULL AND heard_at > ${date(forgottenSince)}`,
          ({ answer }) => answer
        ),
      renew: (call, claim, now) =>
        anyRow(sql`
          UPDATE idempotent_calls SET heard_at = ${date(now)} WHERE ${of(call)} AND claim = ${claim} AND answer IS NULL RETURNING 1`),
      answer: (call, claim, sealed, now) =>
        executed(sql`
          UPDATE idempotent_calls SET answer = ${sealed}, heard_at = ${date(now)} WHERE ${of(call)} AND claim = ${claim} AND answer IS NULL`),
      release: (call, claim) =>
        executed(sql`DELETE FROM idempotent_calls WHERE ${of(call)} AND claim = ${claim} AND answer IS NULL`),
      sweep: (before, limit) =>
        rowCount(sql`
          DELETE FROM idempotent_calls WHERE ctid = ANY(ARRAY(
            SELECT ctid FROM idempotent_calls WHERE heard_at <= ${date(before)} ORDER BY heard_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))
          RETURNING 1`)
    })
  })
)
