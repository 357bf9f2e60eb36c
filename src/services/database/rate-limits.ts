/** Rate limits that all instances share, exact under concurrency: one try is one statement on one row. */
import { Context, Effect, Layer, Schema } from "effect"
import { RateLimiter } from "effect/persistence"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Try } from "../rate-limits/fixed-windows.ts"
import { fixedWindows } from "../rate-limits/fixed-windows.ts"
import { executed } from "./rows.ts"

const SWEEP_EVERY = 256
const SWEEP_ROWS = 1000

export const RateLimiterStoreSql = Layer.effect(
  RateLimiter.RateLimiterStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    // `asked` is the count that this try would have reached; the row's lock ensures that RETURNING answers this try's own.
    // PostgreSQL's clock decides, at one moment for the whole statement.
    const count = SqlSchema.findOne({
      Request: Schema.Any,
      Result: Schema.Struct({ count: Schema.Int, leftMillis: Schema.Number }),
      execute: ({ key, limit, tokens, windowMillis }: Try) => {
        const taken = sql`${tokens}::int`
        const first = sql`greatest(${tokens}::int, 0)`
        return sql`
          INSERT INTO rate_limits AS held (key, count, asked, ends_at)
          VALUES (${key}, ${first}, ${first}, statement_timestamp() + ${windowMillis}::float8 * interval '1 millisecond')
          ON CONFLICT (key) DO UPDATE SET
            count = CASE
              WHEN held.ends_at <= statement_timestamp() THEN ${first}
              WHEN held.count + ${taken} > ${limit ?? null}::int THEN held.count
              ELSE greatest(held.count + ${taken}, 0)
            END,
            asked = CASE WHEN held.ends_at <= statement_timestamp() THEN ${first} ELSE greatest(held.count + ${taken}, 0) END,
            ends_at = CASE WHEN held.ends_at <= statement_timestamp() THEN excluded.ends_at ELSE least(held.ends_at, excluded.ends_at) END
          RETURNING asked AS count, ceil(extract(epoch FROM ends_at - statement_timestamp()) * 1000)::float8 AS "leftMillis"`
      }
    })

    const sweep = sql`
      DELETE FROM rate_limits WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM rate_limits WHERE ends_at <= statement_timestamp()
        ORDER BY ends_at LIMIT ${SWEEP_ROWS} FOR UPDATE SKIP LOCKED))`

    /** Never in a transaction of the caller's, which would keep the locks of up to a thousand other keys, in nobody's order. */
    const sweepAlone = Effect.withFiber((fiber) => Context.getOrUndefined(fiber.context, sql.transactionService) === undefined ? executed(sweep) : Effect.void)

    let tries = 0

    return fixedWindows((one) =>
      Effect.gen(function*() {
        tries += 1
        if (tries % SWEEP_EVERY === 0) yield* sweepAlone
        return yield* count(one)
      }).pipe(Effect.orDie)
    )
  })
)
