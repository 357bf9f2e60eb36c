/** Titles, names and other labels in NFC, as they are written from now on: a search typed in NFC misses others. None grows beyond its bound. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const LABELS = {
  api_tokens: ["label", 100],
  folders: ["name", 100],
  projects: ["title", 200],
  share_links: ["label", 100],
  users: ["name", 100],
  versions: ["title", 200],
  workspaces: ["name", 100]
} as const

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // In other encodings PostgreSQL composes nothing.
  const utf8 = yield* sql`SELECT 1 WHERE current_setting('server_encoding') = 'UTF8'`
  if (utf8.length === 0) return
  for (const [table, [label, most]] of Object.entries(LABELS)) {
    yield* sql`UPDATE ${sql(table)} SET ${sql(label)} = normalize(${sql(label)}) WHERE ${sql(label)} IS NOT NFC NORMALIZED AND char_length(normalize(${sql(label)})) <= ${most}`
  }
})
