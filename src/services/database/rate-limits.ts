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

    // `asked` is the count that this try would have reached; the row's lock ensures that RETURNING answers this try's own.
    const count = SqlSchema.findOne({
      Request: Schema.Any,
      Result: Schema.Struct({ count: Schema.Int, endsAt: Schema.Date }),
      execute: ({ key, limit, now, tokens, windowMillis }: Try) => {
        const at = sql`${new Date(now)}::timestamptz`
        const end = sql`${new Date(now + windowMillis)}::timestamptz`
        const taken = sql`${tokens}::int`
        const first = sql`greatest(${tokens}::int, 0)`
        return sql`
          INSERT INTO rate_limits AS held (key, count, asked, ends_at)
          VALUES (${key}, ${first}, ${first}, ${end})
          ON CONFLICT (key) DO UPDATE SET
            count = CASE
              WHEN held.ends_at <= ${at} THEN ${first}
              WHEN held.count + ${taken} > ${limit ?? null}::int THEN held.count
              ELSE greatest(held.count + ${taken}, 0)
            END,
            asked = CASE WHEN held.ends_at <= ${at} THEN ${first} ELSE greatest(held.count + ${taken}, 0) END,
            ends_at = CASE WHEN held.ends_at <= ${at} THEN ${end} ELSE least(held.ends_at, ${end}) END
          RETURNING asked AS count, ends_at AS "endsAt"`
      }
    })

    const sweep = (now: number) =>
      sql`
        DELETE FROM rate_limits WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM rate_limits WHERE ends_at <= ${new Date(now)}
          ORDER BY ends_at LIMIT ${SWEEP_ROWS} FOR UPDATE SKIP LOCKED))`

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
