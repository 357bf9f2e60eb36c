/** Rate limits that all instances share, exact under concurrency: one try is one statement on one row. */
import { Effect, Layer, Schema } from "effect"
import { RateLimiter } from "effect/persistence"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Try } from "../rate-limits/fixed-windows.ts"
import { fixedWindows } from "../rate-limits/fixed-windows.ts"

const SWEEP_EVERY = 256
const SWEEP_ROWS = 1000

export const RateLimiterStoreSql = Layer.effect(
  RateLimiter.RateLimiterStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    // `asked` is what this try would have come to: the row's lock makes the answer this try's own.
    const count = SqlSchema.findOne({
      Request: Schema.Any,
      Result: Schema.Struct({ count: Schema.Int, endsAt: Schema.Date }),
      execute: ({ key, limit, now, tokens, windowMillis }: Try) => {
        const at = sql`${new Date(now)}::timestamptz`
        const end = sql`${new Date(now + windowMillis)}::timestamptz`
        const taken = sql`${tokens}::int`
        return sql`
          INSERT INTO rate_limits AS held (key, count, asked, ends_at)
          VALUES (${key}, ${taken}, ${taken}, ${end})
          ON CONFLICT (key) DO UPDATE SET
            count = CASE
              WHEN held.ends_at <= ${at} THEN ${taken}
              WHEN held.count + ${taken} > ${limit ?? null}::int THEN held.count
              ELSE held.count + ${taken}
            END,
            asked = CASE WHEN held.ends_at <= ${at} THEN ${taken} ELSE held.count + ${taken} END,
            ends_at = CASE WHEN held.ends_at <= ${at} THEN ${end} ELSE held.ends_at END
          RETURNING asked AS count, ends_at AS "endsAt"`
      }
    })

    const sweep = (now: number) =>
      sql`
        DELETE FROM rate_limits WHERE key IN (
          SELECT key FROM rate_limits WHERE ends_at <= ${new Date(now)}
          ORDER BY ends_at LIMIT ${SWEEP_ROWS} FOR UPDATE SKIP LOCKED
        )`

    let tries = 0

    return fixedWindows((one) =>
      Effect.gen(function*() {
        tries += 1
        if (tries % SWEEP_EVERY === 0) yield* sweep(one.now)
        const found = yield* count(one)
        return { count: found.count, endsAt: found.endsAt.getTime() }
      }).pipe(Effect.orDie)
    )
  })
)
