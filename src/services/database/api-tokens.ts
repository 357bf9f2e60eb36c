/** API tokens in PostgreSQL, stored only as hashes. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { User } from "../../domain/accounts/model.ts"
import { ApiToken } from "../../domain/api-tokens/model.ts"
import type { ApiTokenId } from "../../domain/api-tokens/model.ts"
import { ApiTokenStore } from "../../domain/api-tokens/store.ts"
import { activeAccount, userColumns, userOf } from "./accounts.ts"
import { anyRow, counted, date, executed, firstOf, instant, placed } from "./rows.ts"
import type { Placed, RowOf } from "./rows.ts"
import { together } from "./together.ts"

const tokenColumns = `t.id, t.label, t.prefix, t.created_at AS "createdAt", t.last_used_at AS "lastUsedAt"`

/** A token's owner and what is read of the token itself, in one row. */
type Row = RowOf<User> & { readonly tokenId: ApiTokenId; readonly lastUsedAt: Date | null }

const ownerOf = (row: Row) => ({ user: userOf(row), token: { id: row.tokenId, lastUsedAt: instant(row.lastUsedAt) } })

export const ApiTokenStoreSql = Layer.effect(
  ApiTokenStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const list = SqlSchema.findAll({
      Request: Schema.String,
      Result: ApiToken,
      execute: (userId) => sql`SELECT ${sql.literal(tokenColumns)} FROM api_tokens t WHERE t.user_id = ${userId} ORDER BY t.id DESC`
    })

    const owned = sql`${yield* userColumns}, t.id AS "tokenId", t.last_used_at AS "lastUsedAt"`
    const tables = sql.literal("api_tokens t JOIN users u ON u.id = t.user_id")
    const isActive = sql.literal(activeAccount)

    const authenticate = yield* together({
      alone: (hash: string) => firstOf(sql<Row>`SELECT ${owned} FROM ${tables} WHERE t.hash = ${hash} AND ${isActive}`, ownerOf),
      many: (hashes) =>
        Effect.orDie(Effect.map(
          sql<Row & Placed>`
            SELECT a.at::int4, ${owned} FROM unnest(${hashes}::text[]) WITH ORDINALITY AS a (hash, at) JOIN (${tables}) ON t.hash = a.hash
            WHERE ${isActive}`,
          placed(hashes, ownerOf)
        ))
    })

    return ApiTokenStore.of({
      list: (userId) => Effect.orDie(list(userId)),
      add: (userId, token, hash) =>
        executed(sql`
          INSERT INTO api_tokens (id, user_id, label, prefix, hash, created_at)
          VALUES (${token.id}, ${userId}, ${token.label}, ${token.prefix}, ${hash}, ${date(token.createdAt)})`),
      count: (userId) =>
        counted(sql<{ count: number }>`
          SELECT count(*)::int AS count FROM api_tokens t
          WHERE t.user_id = ${userId} AND NOT EXISTS (SELECT 1 FROM device_grants g WHERE g.token_id = t.id)`),
      retire: (userId, most) =>
        executed(sql`
          DELETE FROM api_tokens WHERE id = ANY(ARRAY(
            SELECT t.id FROM api_tokens t JOIN device_grants g ON g.token_id = t.id WHERE t.user_id = ${userId}
            ORDER BY coalesce(t.last_used_at, t.created_at) DESC, t.id DESC OFFSET ${most}))`),
      remove: (userId, id) =>
        anyRow(sql`DELETE FROM api_tokens WHERE id = ${id} AND user_id = ${userId} RETURNING id`),
      removeAll: (userId) => executed(sql`DELETE FROM api_tokens WHERE user_id = ${userId}`),
      authenticate,
      used: (id, now) =>
        executed(sql`UPDATE api_tokens SET last_used_at = ${date(now)} WHERE id = ${id}`)
    })
  })
)
