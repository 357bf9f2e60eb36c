/** What is of no use any more goes, and nothing that is. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { UserId } from "../../src/domain/accounts/model.ts"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import { OauthClients } from "../../src/domain/oauth/clients.ts"
import { OauthStore } from "../../src/domain/oauth/store.ts"
import { Tokens } from "../../src/domain/ports/tokens.ts"
import { sweepRemnantsOnce } from "../../src/workers/sweep-remnants.ts"
import { houseWith } from "../support/house.ts"

const DAY = 86_400_000

layer(houseWith(), { timeout: "60 seconds" })("a sweep", (it) => {
  it.effect("takes notices of payments after ninety days, to the millisecond", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`INSERT INTO payment_notices (id, kind, taken_at) VALUES ('evt_1', 'invoice.paid', ${now}), ('evt_2', 'invoice.paid', ${new Date(now.getTime() + 1)})`
      yield* TestClock.adjust(90 * DAY)
      assert.strictEqual((yield* sweepRemnantsOnce).notices, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* sweepRemnantsOnce).notices, 1)
      assert.deepStrictEqual(yield* sql`SELECT id FROM payment_notices`, [{ id: "evt_2" }])
    }))

  it.effect("takes agents' clients that nobody let in within thirty days, and never one with a grant", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [clients, store, tokens] = [yield* OauthClients, yield* OauthStore, yield* Tokens]
      const now = yield* DateTime.now
      const at = DateTime.toDateUtc(now)
      const user = UserId.make(yield* tokens.uuid)
      yield* (yield* AccountStore).createGuest({ id: user, email: "ada@example.com", name: "Ada", passwordHash: null, idpSub: null }, now)
      const register = Effect.map(clients.register({ redirect_uris: ["http://127.0.0.1/back"], client_name: "Agent" }, "192.0.2.1"), ({ client }) => client.id)
      const [unused, live, revoked, asked, device] = yield* Effect.all([register, register, register, register, register])
      const family = (id: string, clientId: string) =>
        Effect.flatMap(tokens.uuid, (uuid) => store.addFamily({ id: uuid as never, userId: user, clientId, clientName: "Agent", resource: id }, now))
      yield* family("live", live)
      yield* family("revoked", revoked)
      yield* sql`UPDATE oauth_families SET revoked_at = ${at} WHERE resource = 'revoked'`
      yield* sql`
        INSERT INTO oauth_codes (hash, id, user_id, client_id, client_name, redirect_uri, challenge, resource, expires_at)
        VALUES ('c', gen_random_uuid(), ${user}, ${asked}, 'Agent', 'r', 'c', 'r', ${at})`
      yield* sql`
        INSERT INTO device_grants (id, device_hash, user_code, client, address, client_id, requested_at, expires_at)
        VALUES (gen_random_uuid(), 'd', 'd', 'cli', '::1', ${device}, ${at}, ${at})`
      yield* TestClock.adjust(30 * DAY)
      assert.strictEqual((yield* sweepRemnantsOnce).clients, 0)
      yield* TestClock.adjust(1)
      const later = yield* register
      assert.strictEqual((yield* sweepRemnantsOnce).clients, 1)
      const there = yield* Effect.forEach([unused, live, revoked, asked, device, later], (id) => Effect.map(store.client(id), Option.isSome))
      assert.deepStrictEqual(there, [false, true, true, true, true, true])
      assert.strictEqual((yield* sweepRemnantsOnce).clients, 0)
    }))
})
