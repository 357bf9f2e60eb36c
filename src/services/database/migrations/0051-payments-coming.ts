/** Whether a debit for what was bought is on its way: its plan begins days later. Those on their way now are noted as they are read again, within the hour. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE customers ADD COLUMN payment_coming boolean NOT NULL DEFAULT false`
})
