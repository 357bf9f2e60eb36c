/** Which errors mean that PostgreSQL is away. */
import { Layer } from "effect"
import type { Cause } from "effect"
import { SqlError } from "effect/sql"
import { Outages } from "../../domain/ports/outages.ts"

/**
 * SQLSTATEs of a server that is away, starting, stopping, full, read-only, or not taking connections; and of a deadlock, or of a
 * lock, a statement or a transaction that took too long, after which the next try succeeds.
 */
const AWAY = /^(08...|57P0[1-5]|57014|53[134]00|25006|25P03|55000|55P03|40P01)$/

const codeOf = (error: SqlError.SqlError): string => {
  const cause: unknown = "cause" in error.reason ? error.reason.cause : undefined
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
}

/** The SQLSTATE or the socket's code. */
const codeIn = (cause: Cause.Cause<unknown>): string | undefined => {
  for (const reason of cause.reasons) {
    const error = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined
    if (!SqlError.isSqlError(error)) continue
    const code = codeOf(error)
    if (error.reason._tag === "ConnectionError" || AWAY.test(code)) return code || error.reason._tag
  }
  return undefined
}

export const OutagesSql = Layer.succeed(Outages, { codeIn, isAway: (cause) => codeIn(cause) !== undefined })
