/** Connected devices and agents in PostgreSQL: device grants that are approved or already an API token, and OAuth families. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Grant } from "../../domain/grants/model.ts"
import { GrantStore } from "../../domain/grants/store.ts"
import { date } from "./rows.ts"

export const GrantStoreSql = Layer.effect(
  GrantStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const list = SqlSchema.findAll({
      Request: Schema.Struct({ userId: Schema.String, now: Schema.DateTimeUtcFromDate }),
      Result: Grant,
      execute: ({ now, userId }) => sql`
        SELECT t.id, 'device' AS kind, g.client, g.address, t.created_at AS "createdAt", t.last_used_at AS "lastUsedAt"
        FROM api_tokens t JOIN device_grants g ON g.token_id = t.id WHERE t.user_id = ${userId}
        UNION ALL
        SELECT g.id, 'device', g.client, g.address, g.approved_at, NULL
        FROM device_grants g
        WHERE g.user_id = ${userId} AND g.approved_at IS NOT NULL AND g.consumed_at IS NULL AND g.expires_at > ${now}
        UNION ALL
        SELECT f.id, 'agent', f.client_name, NULL, f.created_at, f.last_used_at
        FROM oauth_families f
        WHERE f.user_id = ${userId} AND f.revoked_at IS NULL AND EXISTS (
          SELECT 1 FROM oauth_tokens o WHERE o.family_id = f.id AND o.used_at IS NULL AND o.expires_at > ${now})
        ORDER BY "createdAt" DESC, id DESC`
    })

    return GrantStore.of({
      list: (userId, now) => Effect.orDie(list({ userId, now })),
      revoke: Effect.fn("GrantStoreSql.revoke")(function*(userId, id, now) {
        // Only one of this and a concurrent poll takes the grant. If the poll did, the token exists by now and is deleted next.
        const approved = yield* sql`
          DELETE FROM device_grants
          WHERE id = ${id} AND user_id = ${userId} AND approved_at IS NOT NULL AND consumed_at IS NULL RETURNING id`
        if (approved.length > 0) return true
        const devices = yield* sql`
          DELETE FROM api_tokens t USING device_grants g
          WHERE ${id} IN (t.id, g.id) AND t.user_id = ${userId} AND g.token_id = t.id RETURNING t.id`
        if (devices.length > 0) return true
        const agents = yield* sql`
          UPDATE oauth_families SET revoked_at = ${date(now)}
          WHERE id = ${id} AND user_id = ${userId} AND revoked_at IS NULL RETURNING id`
        return agents.length > 0
      }, Effect.orDie)
    })
  })
)
