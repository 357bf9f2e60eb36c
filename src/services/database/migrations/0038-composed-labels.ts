/** Titles, names and other labels in NFC, as they are written from now on: a search typed in NFC misses others. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const LABELS = {
  api_tokens: "label", folders: "name", projects: "title", share_links: "label", users: "name", versions: "title", workspaces: "name"
} as const

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // In other encodings PostgreSQL composes nothing.
  const utf8 = yield* sql`SELECT 1 WHERE current_setting('server_encoding') = 'UTF8'`
  if (utf8.length === 0) return
  for (const [table, label] of Object.entries(LABELS)) {
    yield* sql`UPDATE ${sql(table)} SET ${sql(label)} = normalize(${sql(label)}) WHERE ${sql(label)} IS NOT NFC NORMALIZED`
  }
})
