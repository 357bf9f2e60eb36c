/** What a long list of files took of a database session's memory goes back to the machine: ten sessions would keep half of a small one. */
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withoutLimits } from "../../../src/services/database/client.ts"
import { freshDatabase } from "../../support/database.ts"

/** In megabytes. */
const memoryOf = (pid: number): number => Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

it.effect.skipIf(process.platform !== "linux")("a session that took and gave lists of ten thousand long paths keeps little of them (needs /proc)", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const list = JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`${"a long path/".repeat(15)}${at}`, { pack: randomUUID(), offset: at, length: 1, hash: "0".repeat(64), type: "text/html" }])))
    const kept = yield* sql.withTransaction(Effect.gen(function*() {
      // On a machine that is busy with something else, it takes longer than a request may.
      yield* withoutLimits(sql)
      const [session] = yield* sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
      yield* sql`CREATE TEMPORARY TABLE lists (list jsonb) ON COMMIT DROP`
      const before = memoryOf(session!.pid)
      for (let times = 0; times < 5; times++) {
        yield* sql`INSERT INTO lists VALUES (${list}::jsonb)`
        yield* sql`SELECT list FROM lists`
      }
      return memoryOf(session!.pid) - before
    }))
    assert.isBelow(kept, 24)
  }).pipe(Effect.provide(freshDatabase)))
