/** What an error is, without its words, which may quote what was being written, sent or erased. */
import { SqlError } from "effect/sql"
import { sqlStateOf } from "./database/sql-state.ts"

export const kindOf = (error: unknown): string => {
  if (SqlError.isSqlError(error)) return `${error._tag} ${sqlStateOf(error) || error.reason._tag}`
  return typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : error instanceof Error ? error.name : typeof error
}
