/** The code of a failure: the SQLSTATE, or the socket's where PostgreSQL could not be asked; empty where there is none. */
import { SqlError } from "effect/sql"

export const sqlStateOf = ({ reason }: SqlError.SqlError): string => {
  const cause: unknown = "cause" in reason ? reason.cause : undefined
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
}

/** Such as `SqlError 53300`; undefined for what is no failure of SQL. */
export const sqlKindOf = (error: unknown): string | undefined =>
  SqlError.isSqlError(error) ? `${error._tag} ${sqlStateOf(error) || error.reason._tag}` : undefined
