/** What the job engine runs again and again is one statement to PostgreSQL, whatever time it writes into it. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { MomentsBeside } from "../../../src/services/database/job-moments.ts"
import { freshDatabaseFacts, patientClient } from "../../support/database.ts"

const FIRST = 1_700_000_000_000

/** How many statements of a session are prepared for twenty that differ in a time, and what they answer. */
const asked = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(Effect.gen(function*() {
    const answers: Array<unknown> = []
    for (let n = 0; n < 20; n++) {
      const [row] = yield* sql<{ late: boolean }>`SELECT ${sql.literal(String(FIRST + n))} > ${FIRST + 9}::bigint AS late, ${"12"} AS other`
      answers.push(row?.late)
    }
    const [held] = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM pg_prepared_statements WHERE statement LIKE '%AS late%' AND statement NOT LIKE '%count%'`
    return { answers, prepared: held?.count }
  }))
})

it.effect("times are sent beside the statement, which is prepared once", () =>
  Effect.gen(function*() {
    const database = patientClient(yield* freshDatabaseFacts)
    const answers = Array.from({ length: 20 }, (_, n) => n > 9)
    assert.deepStrictEqual(yield* Effect.provide(asked, database), { answers, prepared: 20 })
    assert.deepStrictEqual(yield* Effect.provide(asked, [database, MomentsBeside]), { answers, prepared: 1 })
  }))
