/** The day's keys, made once for all instances and kept in memory until the day is forgotten. */
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Day, Loads } from "../../domain/analytics/model.ts"
import { dateOf, forgottenAt } from "../../domain/analytics/rules.ts"
import { newVisitorKey } from "../crypto/visitors.ts"

/** Projects of one day whose keys are kept in memory. */
const MOST = 50_000

interface Wanted {
  readonly projectId: string
  readonly day: Day
}

const nameOf = ({ day, projectId }: Wanted): string => `${projectId} ${day}`

export const viewKeys = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const scope = yield* Effect.scope
  const held = new Map<Day, Map<string, string>>()

  /** What is known of a day, for as long as it may be: nobody has to come by for it to end. */
  const known = Effect.fnUntraced(function*(day: Day) {
    const keys = held.get(day)
    if (keys !== undefined && keys.size < MOST) return keys
    const fresh = new Map<string, string>()
    held.set(day, fresh)
    if (keys !== undefined) return fresh
    const left = Math.max(0, forgottenAt(day) - (yield* Clock.currentTimeMillis))
    yield* Effect.forkIn(Effect.delay(Effect.sync(() => held.delete(day)), left), scope)
    return fresh
  })

  const fetched = Effect.fnUntraced(function*(wanted: ReadonlyArray<Wanted>) {
    const projects = wanted.map((one) => one.projectId)
    const days = wanted.map((one) => dateOf(one.day))
    // In one order everywhere, so that two instances never wait for each other in a ring.
    yield* sql`
      INSERT INTO view_keys (project_id, day, key)
      SELECT p.id, w.day, w.key
      FROM unnest(${projects}::uuid[], ${days}::date[], ${wanted.map(newVisitorKey)}::bytea[]) AS w (project_id, day, key)
        JOIN projects p ON p.id = w.project_id
      ORDER BY p.id, w.day
      ON CONFLICT DO NOTHING`
    return yield* sql<Wanted & { readonly key: string }>`
      SELECT k.project_id AS "projectId", k.day - DATE '1970-01-01' AS day, encode(k.key, 'hex') AS key
      FROM view_keys k JOIN unnest(${projects}::uuid[], ${days}::date[]) AS w (project_id, day) USING (project_id, day)`
  })

  /** The key of each of these loads' projects and days; none where the project is gone. */
  return Effect.fnUntraced(function*(loads: ReadonlyArray<Loads>) {
    const missing = new Map(loads.filter((one) => !held.get(one.day)?.has(one.projectId)).map((one) => [nameOf(one), one]))
    const found = new Map<string, string>()
    if (missing.size > 0) {
      for (const one of yield* fetched([...missing.values()])) {
        found.set(nameOf(one), one.key)
        ;(yield* known(one.day)).set(one.projectId, one.key)
      }
    }
    return (one: Wanted): string | undefined => held.get(one.day)?.get(one.projectId) ?? found.get(nameOf(one))
  })
})
