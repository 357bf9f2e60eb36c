/**
 * Each day's keys, made once for all instances, and the visitors that this instance has written. Both stay in memory until the
 * day is forgotten, so that the table of visitors is asked only about those who may be new.
 */
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Loads } from "../../domain/analytics/model.ts"
import { forgottenAt } from "../../domain/analytics/rules.ts"
import { dateOf } from "../../domain/days.ts"
import type { Day } from "../../domain/days.ts"
import { newVisitorKey } from "../crypto/visitors.ts"

/** Projects per day whose keys are kept in memory. */
const MOST = 50_000
/** Visitors known to be written; once there are this many, all are forgotten and asked about again. */
const MOST_MET = 50_000

interface Wanted {
  readonly projectId: string
  readonly day: Day
}

/** One project's visitors on one day. */
export interface Readers {
  readonly key: string
  /** The names of visitors who are in the table; never those of a batch that may yet fail. */
  readonly met: Set<string>
}

const nameOf = ({ day, projectId }: Wanted): string => `${projectId} ${day}`

export const viewKeys = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const scope = yield* Effect.scope
  const held = new Map<Day, Map<string, Readers>>()
  let met = 0

  /** What is known of a day. A timer deletes it when the day must be forgotten, whether or not another view comes. */
  const known = Effect.fnUntraced(function*(day: Day) {
    const keys = held.get(day)
    if (keys !== undefined && keys.size < MOST) return keys
    const fresh = new Map<string, Readers>()
    held.set(day, fresh)
    if (keys !== undefined) return fresh
    const left = Math.max(0, forgottenAt(day) - (yield* Clock.currentTimeMillis))
    yield* Effect.forkIn(Effect.delay(Effect.sync(() => held.delete(day)), left), scope)
    return fresh
  })

  const fetched = Effect.fnUntraced(function*(wanted: ReadonlyArray<Wanted>) {
    const projects = wanted.map((one) => one.projectId)
    const days = wanted.map((one) => dateOf(one.day))
    // In the same order everywhere, so that instances never deadlock.
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

  /** Finds the readers of a load's project and day; none where the project is gone. */
  const readersOf = Effect.fnUntraced(function*(loads: ReadonlyArray<Loads>) {
    const missing = new Map(loads.filter((one) => !held.get(one.day)?.has(one.projectId)).map((one) => [nameOf(one), one]))
    const found = new Map<string, Readers>()
    if (missing.size > 0) {
      for (const one of yield* fetched([...missing.values()])) {
        const readers = { key: one.key, met: new Set<string>() }
        found.set(nameOf(one), readers)
        ;(yield* known(one.day)).set(one.projectId, readers)
      }
    }
    return (one: Wanted): Readers | undefined => held.get(one.day)?.get(one.projectId) ?? found.get(nameOf(one))
  })

  /** Notes that these visitors are in the table. */
  const remember = (written: Iterable<{ readonly readers: Readers; readonly visitor: string }>): void => {
    for (const { readers, visitor } of written) {
      if (met === MOST_MET) forgetMet()
      if (readers.met.size < readers.met.add(visitor).size) met++
    }
  }

  const forgetMet = (): void => {
    for (const projects of held.values()) for (const readers of projects.values()) readers.met.clear()
    met = 0
  }

  const forget = (last: Day): void => {
    for (const day of held.keys()) if (day <= last) held.delete(day)
  }

  return { readersOf, remember, forget }
})
