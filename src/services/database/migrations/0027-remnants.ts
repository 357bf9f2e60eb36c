/** Indexes by the time of ending, so that a sweep reads only what is over. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX email_tokens_by_end ON email_tokens (expires_at)`
  yield* sql`CREATE INDEX oauth_tokens_by_end ON oauth_tokens (expires_at)`
  yield* sql`CREATE INDEX mails_sent ON mails (sent_at) WHERE sent_at IS NOT NULL`
})
