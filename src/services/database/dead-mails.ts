/** Given-up mails in PostgreSQL. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { DeadMail, MailId } from "../../domain/mails/model.ts"
import { DeadMailStore } from "../../domain/mails/store.ts"
import { anyRow, date, past } from "./rows.ts"

export const DeadMailStoreOutbox = Layer.effect(
  DeadMailStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const list = SqlSchema.findAll({
      Request: Schema.Struct({ limit: Schema.Int, after: Schema.NullOr(MailId) }),
      Result: DeadMail,
      execute: ({ after, limit }) => sql`
        SELECT id, kind, attempts, enqueued_at AS "enqueuedAt", dead_at AS "deadAt" FROM mails
        WHERE dead_at IS NOT NULL ${past(sql, "id <", after)}
        ORDER BY id DESC LIMIT ${limit}`
    })

    return DeadMailStore.of({
      list: ({ after, limit }) => Effect.orDie(list({ limit, after: after ?? null })),
      revive: (id, now) =>
        anyRow(sql`
          UPDATE mails SET dead_at = NULL, first_tried_at = NULL, next_try_at = ${date(now)}
          WHERE id = ${id} AND dead_at IS NOT NULL RETURNING 1`)
    })
  })
)
