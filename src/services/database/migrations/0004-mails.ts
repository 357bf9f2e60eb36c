/** Mail on its way out, and the developer mailbox. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // `sealed` carries tokens and addresses, so it is encrypted, and deleted once the mail is sent.
  yield* sql`
    CREATE TABLE mails (
      id          uuid PRIMARY KEY,
      kind        text NOT NULL,
      sealed      text,
      enqueued_at timestamptz NOT NULL,
      sent_at     timestamptz,
      dead_at     timestamptz,
      attempts    integer NOT NULL DEFAULT 0
    )`
  yield* sql`CREATE INDEX mails_waiting ON mails (enqueued_at) WHERE sent_at IS NULL AND dead_at IS NULL`
  yield* sql`CREATE INDEX mails_dead ON mails (dead_at) WHERE dead_at IS NOT NULL`

  yield* sql`
    CREATE TABLE mailbox (
      id        uuid PRIMARY KEY,
      recipient text NOT NULL,
      subject   text NOT NULL,
      html      text NOT NULL,
      text      text NOT NULL,
      at        timestamptz NOT NULL
    )`
})
