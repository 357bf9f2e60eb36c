/**
 * Whose subject a link to an identity provider names: each counts its people for itself. The links of before are those of the provider that
 * is configured at the first start from now on, which the deployment keeps, and theirs stay null: an instance of the release before, which
 * writes no issuer, may go on beside a new one.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE deployment ADD COLUMN idp_issuer text`
  yield* sql`ALTER TABLE users ADD COLUMN idp_issuer text`
  yield* sql`CREATE UNIQUE INDEX users_by_idp ON users (idp_sub, idp_issuer) NULLS NOT DISTINCT WHERE idp_sub IS NOT NULL`
  yield* sql`ALTER TABLE users DROP CONSTRAINT users_idp_sub_key`
})
