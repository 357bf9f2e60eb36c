/** Clients that registered without naming grant types were stored with two, and used the third as well: they keep all three. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    UPDATE oauth_clients SET grant_types = '["authorization_code","refresh_token","urn:ietf:params:oauth:grant-type:device_code"]'
    WHERE grant_types = '["authorization_code","refresh_token"]'`
})
