/** OAuth in PostgreSQL. A token is valid until it expires or its family is revoked. */
import { Array, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { User } from "../../domain/accounts/model.ts"
import { Code, Family, FamilyId, GrantType, OauthClient } from "../../domain/oauth/model.ts"
import { OauthStore } from "../../domain/oauth/store.ts"
import { activeAccount, userColumns } from "./accounts.ts"
import { anyRow, date, executed, rowCount, sweeping } from "./rows.ts"

const Moment = Schema.DateTimeUtcFromDate

const ClientRow = Schema.Struct({
  ...OauthClient.fields,
  redirectUris: Schema.fromJsonString(Schema.Array(Schema.String)),
  grantTypes: Schema.fromJsonString(Schema.Array(GrantType))
})

const familyColumns = `f.id, f.user_id AS "userId", f.client_id AS "clientId", f.client_name AS "clientName", f.resource`

export const OauthStoreSql = Layer.effect(
  OauthStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(familyColumns)
    const ownerColumns = yield* userColumns
    const isActive = sql.literal(activeAccount)

    const client = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: ClientRow,
      execute: (id) => sql`
        SELECT id, name, redirect_uris AS "redirectUris", grant_types AS "grantTypes", client_uri AS "clientUri", logo_uri AS "logoUri"
        FROM oauth_clients WHERE id = ${id}`
    })

    const code = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: Code,
      execute: (hash) => sql`
        SELECT c.id, c.user_id AS "userId", c.client_id AS "clientId", c.client_name AS "clientName", c.redirect_uri AS "redirectUri",
          c.challenge, c.resource, c.expires_at AS "expiresAt", c.used_at AS "usedAt"
        FROM oauth_codes c JOIN users u ON u.id = c.user_id WHERE c.hash = ${hash} AND ${isActive}`
    })

    const consumeRefresh = SqlSchema.findOneOption({
      Request: Schema.Struct({ hash: Schema.String, clientId: Schema.String, now: Moment }),
      Result: Family,
      execute: ({ clientId, hash, now }) => sql`
        UPDATE oauth_tokens t SET used_at = ${now} FROM oauth_families f JOIN users u ON u.id = f.user_id AND ${isActive}
        WHERE t.hash = ${hash} AND t.kind = 'refresh' AND t.used_at IS NULL AND t.expires_at > ${now}
          AND f.id = t.family_id AND f.revoked_at IS NULL AND f.client_id = ${clientId}
        RETURNING ${columns}`
    })

    const familyOf = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: Schema.Struct({ ...Family.fields, used: Schema.Boolean }),
      execute: (hash) => sql`
        SELECT ${columns}, t.used_at IS NOT NULL AS used
        FROM oauth_tokens t JOIN oauth_families f ON f.id = t.family_id WHERE t.hash = ${hash}`
    })

    const access = SqlSchema.findOneOption({
      Request: Schema.Struct({ hash: Schema.String, resource: Schema.String, now: Moment }),
      Result: Schema.Struct({ ...User.fields, family: FamilyId, lastUsedAt: Schema.NullOr(Moment) }),
      execute: ({ hash, now, resource }) => sql`
        SELECT ${ownerColumns}, f.id AS family, f.last_used_at AS "lastUsedAt"
        FROM oauth_tokens t JOIN oauth_families f ON f.id = t.family_id JOIN users u ON u.id = f.user_id
        WHERE t.hash = ${hash} AND t.kind = 'access' AND t.expires_at > ${now} AND f.revoked_at IS NULL AND f.resource = ${resource} AND ${isActive}`
    })

    return OauthStore.of({
      addClient: (added, now) =>
        executed(sql`
          INSERT INTO oauth_clients (id, name, redirect_uris, grant_types, client_uri, logo_uri, created_at)
          VALUES (${added.id}, ${added.name}, ${JSON.stringify(added.redirectUris)}, ${JSON.stringify(added.grantTypes)},
            ${added.clientUri}, ${added.logoUri}, ${date(now)})`),
      sweepClients: (before, limit) =>
        rowCount(sql`
          DELETE FROM oauth_clients WHERE id = ANY(ARRAY(
            SELECT c.id FROM oauth_clients c WHERE c.created_at < ${date(before)}
              AND NOT EXISTS (SELECT 1 FROM oauth_families f WHERE f.client_id = c.id)
              AND NOT EXISTS (SELECT 1 FROM oauth_codes o WHERE o.client_id = c.id)
              AND NOT EXISTS (SELECT 1 FROM device_grants d WHERE d.client_id = c.id)
            LIMIT ${limit}))
          RETURNING 1`),
      client: (id) => Effect.orDie(client(id)),
      addCode: (added, hash) =>
        executed(sql`
          INSERT INTO oauth_codes (hash, id, user_id, client_id, client_name, redirect_uri, challenge, resource, expires_at)
          VALUES (${hash}, ${added.id}, ${added.userId}, ${added.clientId}, ${added.clientName}, ${added.redirectUri},
            ${added.challenge}, ${added.resource}, ${date(added.expiresAt)})`),
      sweepCodes: sweeping(sql, "oauth_codes", "hash", "expires_at"),
      code: (hash) => Effect.orDie(code(hash)),
      consumeCode: (hash, now) =>
        anyRow(sql`
          UPDATE oauth_codes SET used_at = ${date(now)}
          WHERE hash = ${hash} AND used_at IS NULL AND expires_at > ${date(now)} RETURNING id`),
      forgetCodesOf: (userId) => executed(sql`DELETE FROM oauth_codes WHERE user_id = ${userId} AND used_at IS NULL`),
      addFamily: (family, now) =>
        executed(sql`
          INSERT INTO oauth_families (id, user_id, client_id, client_name, resource, created_at)
          VALUES (${family.id}, ${family.userId}, ${family.clientId}, ${family.clientName}, ${family.resource}, ${date(now)})`),
      addTokens: Effect.fn("OauthStoreSql.addTokens")(function*(family, added, now) {
        // A used refresh token stays until it expires, so that a second use is noticed.
        yield* sql`DELETE FROM oauth_tokens WHERE family_id = ${family} AND expires_at < ${date(now)}`
        yield* sql`INSERT INTO oauth_tokens ${sql.insert(Array.map(added, ({ expiresAt, hash, kind }) => ({ hash, family_id: family, kind, expires_at: date(expiresAt) })))}`
      }, Effect.orDie),
      sweepTokens: sweeping(sql, "oauth_tokens", "hash", "expires_at"),
      sweepFamilies: (before, limit) =>
        rowCount(sql`
          DELETE FROM oauth_families WHERE id = ANY(ARRAY(
            SELECT f.id FROM oauth_families f
            WHERE f.created_at < ${date(before)} AND coalesce(f.last_used_at, f.created_at) < ${date(before)}
              AND NOT EXISTS (SELECT 1 FROM oauth_tokens t WHERE t.family_id = f.id)
            ORDER BY f.created_at LIMIT ${limit}))
          RETURNING 1`),
      consumeRefresh: (hash, clientId, now) => Effect.orDie(consumeRefresh({ hash, clientId, now })),
      familyOf: (hash) => Effect.orDie(familyOf(hash)),
      revoke: (family, now) =>
        executed(sql`
          UPDATE oauth_families SET revoked_at = ${date(now)} WHERE id = ${family} AND revoked_at IS NULL`),
      revokeAllOf: (userId, now) =>
        executed(sql`
          UPDATE oauth_families SET revoked_at = ${date(now)} WHERE user_id = ${userId} AND revoked_at IS NULL`),
      access: (hash, resource, now) =>
        Effect.orDie(access({ hash, resource, now })).pipe(
          Effect.map(Option.map(({ family, lastUsedAt, ...user }) => ({ user, family, lastUsedAt })))
        ),
      used: (family, now) =>
        executed(sql`UPDATE oauth_families SET last_used_at = ${date(now)} WHERE id = ${family}`)
    })
  })
)
