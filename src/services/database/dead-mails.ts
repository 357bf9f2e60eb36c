/** Given-up mails in PostgreSQL; sending one again begins a new job. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { DeadMail, MailId } from "../../domain/mails/model.ts"
import { DeadMailStore } from "../../domain/mails/store.ts"
import { makeBeginJob } from "./begin-job.ts"
import { DeliverMail } from "./mails.ts"
import { past } from "./rows.ts"

export const DeadMailStoreOutbox = Layer.effect(
  DeadMailStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const beginJob = yield* makeBeginJob

    const list = SqlSchema.findAll({
      Request: Schema.Struct({ limit: Schema.Int, after: Schema.NullOr(MailId) }),
      Result: DeadMail,
      execute: ({ after, limit }) => sql`
        SELECT id, kind, attempts, enqueued_at AS "enqueuedAt", dead_at AS "deadAt" FROM mails
        WHERE dead_at IS NOT NULL ${past(sql, "id <", after)}
        ORDER BY id DESC LIMIT ${limit}`
    })

    // Attempts have been counted since the last round, so no earlier job of this mail has this number as its round.
    const revive = Effect.fn("DeadMailStoreOutbox.revive")(function*(id: MailId) {
      const rows = yield* sql<{ attempts: number }>`
        UPDATE mails SET dead_at = NULL WHERE id = ${id} AND dead_at IS NOT NULL RETURNING attempts`
      if (rows[0] === undefined) return false
      yield* beginJob(DeliverMail, { mailId: id, round: rows[0].attempts })
      return true
    }, Effect.orDie)

    return DeadMailStore.of({
      list: ({ after, limit }) => Effect.orDie(list({ limit, after: after ?? null })),
      revive
    })
  })
)
