/** What an error is, without its words, which may quote what was being written, sent or erased. */
import { sqlKindOf } from "./database/sql-state.ts"

export const kindOf = (error: unknown): string =>
  sqlKindOf(error) ?? (typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : error instanceof Error ? error.name : typeof error)
