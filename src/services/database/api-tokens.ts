/** API tokens in PostgreSQL, by their hashes alone. */
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { User } from "../../domain/accounts/model.ts"
import { ApiToken } from "../../domain/api-tokens/model.ts"
import { ApiTokenStore } from "../../domain/api-tokens/store.ts"
import { standing, userColumns } from "./accounts.ts"

const tokenColumns = `t.id, t.label, t.prefix, t.created_at AS "createdAt", t.last_used_at AS "lastUsedAt"`

/** A token beside its user, in one row. */
const Row = Schema.Struct({
  ...User.fields,
  tokenId: ApiToken.fields.id,
  label: Schema.String,
  prefix: Schema.String,
  tokenCreatedAt: Schema.DateTimeUtcFromDate,
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})

export const ApiTokenStoreSql = Layer.effect(
  ApiTokenStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const list = SqlSchema.findAll({
      Request: Schema.String,
      Result: ApiToken,
      execute: (userId) => sql`SELECT ${sql.literal(tokenColumns)} FROM api_tokens t WHERE t.user_id = ${userId} ORDER BY t.id DESC`
    })

    const authenticate = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: Row,
      execute: (hash) => sql`
        SELECT ${sql.literal(userColumns)}, t.id AS "tokenId", t.label, t.prefix,
          t.created_at AS "tokenCreatedAt", t.last_used_at AS "lastUsedAt"
        FROM api_tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = ${hash} AND ${sql.literal(standing)}`
    })

    return ApiTokenStore.of({
      list: (userId) => Effect.orDie(list(userId)),
      add: (userId, token, hash) =>
        Effect.orDie(Effect.asVoid(sql`
          INSERT INTO api_tokens (id, user_id, label, prefix, hash, created_at)
          VALUES (${token.id}, ${userId}, ${token.label}, ${token.prefix}, ${hash}, ${DateTime.toDateUtc(token.createdAt)})`)),
      remove: (userId, id) =>
        Effect.orDie(Effect.map(
          sql`DELETE FROM api_tokens WHERE id = ${id} AND user_id = ${userId} RETURNING id`,
          (rows) => rows.length > 0
        )),
      removeAll: (userId) => Effect.orDie(Effect.asVoid(sql`DELETE FROM api_tokens WHERE user_id = ${userId}`)),
      authenticate: (hash) =>
        Effect.orDie(authenticate(hash)).pipe(
          Effect.map(Option.map(({ label, lastUsedAt, prefix, tokenCreatedAt, tokenId, ...user }) => ({
            user,
            token: { id: tokenId, label, prefix, createdAt: tokenCreatedAt, lastUsedAt }
          })))
        ),
      used: (id, now) =>
        Effect.orDie(Effect.asVoid(sql`UPDATE api_tokens SET last_used_at = ${DateTime.toDateUtc(now)} WHERE id = ${id}`))
    })
  })
)
