/** Which errors mean that PostgreSQL is away, or that others held what was asked for. */
import { Layer } from "effect"
import type { Cause } from "effect"
import { SqlError } from "effect/sql"
import { Outages } from "../../domain/ports/outages.ts"
import type { Outage } from "../../domain/ports/outages.ts"
import { sqlStateOf } from "./sql-state.ts"

/**
 * SQLSTATEs of a server that is away, starting, stopping, full, read-only, or not taking connections; and of a statement that ran
 * for half a minute or a transaction that idled, since a database or an instance was stuck.
 */
const AWAY = /^(08...|57P0[1-5]|57014|53[134]00|25006|25P03|55000)$/

/** Of a lock that others kept too long, and of a deadlock. */
const BUSY = /^(55P03|40P01)$/

/** Also where the job engine wrapped it. */
const sqlErrorIn = (error: unknown): SqlError.SqlError | undefined =>
  SqlError.isSqlError(error) ? error : error instanceof Error ? sqlErrorIn(error.cause) : undefined

export const outageIn = (cause: Cause.Cause<unknown>): Outage | undefined => {
  for (const reason of cause.reasons) {
    const error = sqlErrorIn(reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined)
    if (error === undefined) continue
    const code = sqlStateOf(error)
    if (BUSY.test(code)) return { what: "busy", code }
    if (error.reason._tag === "ConnectionError" || AWAY.test(code)) return { what: "away", code: code || error.reason._tag }
  }
  return undefined
}

export const OutagesSql = Layer.succeed(Outages, { outageIn })
