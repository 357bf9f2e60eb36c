/** Device grants in PostgreSQL, stored by the hash of their device code. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { DeviceGrant } from "../../domain/device-grants/model.ts"
import { DeviceGrantStore } from "../../domain/device-grants/store.ts"
import { activeAccount } from "./accounts.ts"
import { anyRow, date, executed, rowCount } from "./rows.ts"

const grantColumns = `id, user_code AS "userCode", client, address, client_id AS "clientId", requested_at AS "requestedAt",
  expires_at AS "expiresAt", polled_at AS "polledAt", user_id AS "userId", approved_at AS "approvedAt",
  denied_at AS "deniedAt", consumed_at AS "consumedAt"`

const Moment = Schema.DateTimeUtcFromDate

export const DeviceGrantStoreSql = Layer.effect(
  DeviceGrantStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(grantColumns)
    const isActive = sql.literal(activeAccount)

    const byDeviceCode = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: DeviceGrant,
      execute: (hash) => sql`SELECT ${columns} FROM device_grants WHERE device_hash = ${hash}`
    })

    const byUserCode = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: DeviceGrant,
      execute: (code) => sql`SELECT ${columns} FROM device_grants WHERE user_code = ${code}`
    })

    const resolve = (fact: "approved_at" | "denied_at") =>
      SqlSchema.findOneOption({
        Request: Schema.Struct({ userCode: Schema.String, userId: Schema.String, now: Moment }),
        Result: DeviceGrant,
        execute: ({ now, userCode, userId }) => sql`
          UPDATE device_grants SET ${sql.literal(fact)} = ${now}, user_id = ${userId}
          WHERE user_code = ${userCode} AND approved_at IS NULL AND denied_at IS NULL AND expires_at > ${now}
          RETURNING ${columns}`
      })
    const approve = resolve("approved_at")
    const deny = resolve("denied_at")

    const consume = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: Schema.String, now: Moment }),
      Result: DeviceGrant,
      execute: ({ id, now }) => sql`
        UPDATE device_grants SET consumed_at = ${now}
        WHERE id = ${id} AND approved_at IS NOT NULL AND consumed_at IS NULL AND expires_at > ${now}
          AND EXISTS (SELECT 1 FROM users u WHERE u.id = user_id AND ${isActive})
        RETURNING ${columns}`
    })

    return DeviceGrantStore.of({
      add: (grant, deviceHash) =>
        executed(sql`
          INSERT INTO device_grants (id, device_hash, user_code, client, address, client_id, requested_at, expires_at)
          VALUES (${grant.id}, ${deviceHash}, ${grant.userCode}, ${grant.client}, ${grant.address}, ${grant.clientId},
            ${date(grant.requestedAt)}, ${date(grant.expiresAt)})`),
      sweep: (before, limit) =>
        rowCount(sql`
          DELETE FROM device_grants WHERE id = ANY(ARRAY(
            SELECT id FROM device_grants WHERE expires_at < ${date(before)} AND token_id IS NULL ORDER BY expires_at LIMIT ${limit}))
          RETURNING 1`),
      byDeviceCode: (hash) => Effect.orDie(byDeviceCode(hash)),
      byUserCode: (code) => Effect.orDie(byUserCode(code)),
      approve: (userCode, userId, now) => Effect.orDie(approve({ userCode, userId, now })),
      deny: (userCode, userId, now) => Effect.orDie(deny({ userCode, userId, now })),
      polled: (id, before, now) =>
        anyRow(sql`
          UPDATE device_grants SET polled_at = ${date(now)}
          WHERE id = ${id} AND (polled_at IS NULL OR polled_at <= ${date(before)}) RETURNING id`),
      consume: (id, now) => Effect.orDie(consume({ id, now })),
      became: (id, token) => executed(sql`UPDATE device_grants SET token_id = ${token} WHERE id = ${id}`),
      revoke: (tokenHash, clientId) =>
        executed(sql`
          DELETE FROM api_tokens t USING device_grants g
          WHERE t.hash = ${tokenHash} AND g.token_id = t.id AND g.client_id = ${clientId}`),
      forgetAllOf: (userId) => executed(sql`DELETE FROM device_grants WHERE user_id = ${userId} AND consumed_at IS NULL`)
    })
  })
)
