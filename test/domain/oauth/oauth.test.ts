/** OAuth and devices under the test's clock: what ends when, to the millisecond, and clients known by their documents. */
import { createHash } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { DeviceGrants } from "../../../src/domain/device-grants/device-grants.ts"
import { DeviceGrantStore } from "../../../src/domain/device-grants/store.ts"
import { OauthClients } from "../../../src/domain/oauth/clients.ts"
import { OAuth } from "../../../src/domain/oauth/oauth.ts"
import { OauthStore } from "../../../src/domain/oauth/store.ts"
import { TokenGrants } from "../../../src/domain/oauth/token-grants.ts"
import type { TokenRequest } from "../../../src/domain/oauth/token-grants.ts"
import { ClientDocuments } from "../../../src/domain/ports/client-documents.ts"
import { Tokens } from "../../../src/domain/ports/tokens.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { houseWith } from "../../support/house.ts"

const REDIRECT = "https://agent.example/cb"
const VERIFIER = "v".repeat(43)
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url")

const person = Effect.gen(function*() {
  const store = yield* AccountStore
  const tokens = yield* Tokens
  const now = yield* DateTime.now
  const id = UserId.make(yield* tokens.uuid)
  const home = { id: WorkspaceId.make(yield* tokens.uuid), name: "Home", plan: "studio" as const, trialEndsAt: now }
  yield* store.create({ id, email: `${id}@example.com`, name: "Ada", passwordHash: "", home }, now)
  return Option.getOrThrow(yield* store.find(id))
})

const asked = (clientId: string) => ({
  clientId, redirectUri: REDIRECT, codeChallenge: CHALLENGE, codeChallengeMethod: "S256", scope: undefined, state: undefined, resource: undefined
})

/** A consent, up to the request that exchanges its code. */
const consented = Effect.gen(function*() {
  const user = yield* person
  const { client } = yield* (yield* OauthClients).register({ redirect_uris: [REDIRECT] }, user.id)
  const { redirectTo } = yield* (yield* OAuth).decide(user, asked(client.id), "approve")
  const code = new URL(redirectTo).searchParams.get("code")!
  return { user, client, exchange: { grant_type: "authorization_code", client_id: client.id, code, redirect_uri: REDIRECT, code_verifier: VERIFIER } }
})

/** The error of a refused token request. */
const refusalOf = (request: TokenRequest) =>
  TokenGrants.use((grants) => Effect.map(Effect.flip(grants.token(request)), (refusal) => refusal._tag === "oauth_refusal" ? refusal.error : refusal._tag))

layer(houseWith())("oauth in time", (it) => {
  it.effect("a code lasts a minute, an access token an hour, a refresh token thirty days, each less a millisecond", () =>
    Effect.gen(function*() {
      const grants = yield* TokenGrants
      const oauth = yield* OAuth
      const [early, late] = [yield* consented, yield* consented]
      yield* TestClock.adjust(59_999)
      const first = yield* grants.token(early.exchange)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* refusalOf(late.exchange), "invalid_grant")

      yield* TestClock.adjust(3_599_998)
      assert.isTrue(Option.isSome(yield* oauth.authenticateAccess(first.accessToken)))
      yield* TestClock.adjust(1)
      assert.isTrue(Option.isNone(yield* oauth.authenticateAccess(first.accessToken)))

      const refresh = (token: string) => ({ grant_type: "refresh_token", client_id: early.client.id, refresh_token: token })
      const second = yield* grants.token(refresh(first.refreshToken!))
      yield* TestClock.adjust("30 days")
      assert.strictEqual(yield* refusalOf(refresh(second.refreshToken!)), "invalid_grant")
      const third = yield* consented.pipe(Effect.flatMap(({ exchange, client }) => Effect.map(grants.token(exchange), (given) => ({ ...given, client }))))
      yield* TestClock.adjust(30 * 86_400_000 - 1)
      const last = yield* grants.token({ grant_type: "refresh_token", client_id: third.client.id, refresh_token: third.refreshToken! })
      assert.isTrue(Option.isSome(yield* oauth.authenticateAccess(last.accessToken)))
    }))

  it.effect("a device is pending for fifteen minutes, polled once in five seconds", () =>
    Effect.gen(function*() {
      const devices = yield* DeviceGrants
      const user = yield* person
      const codes = yield* devices.start({ client: "cli", address: "10.0.0.1", clientId: null })
      const state = Effect.map(devices.polled(codes.deviceCode), (polled) => polled.state)
      assert.strictEqual(yield* state, "pending")
      yield* TestClock.adjust(4_999)
      assert.deepStrictEqual(yield* devices.polled(codes.deviceCode), { state: "early", retryAfterSeconds: 1 })
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* state, "pending")
      yield* TestClock.adjust(894_999)
      yield* devices.look(user, codes.userCode)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* state, "expired")
      assert.strictEqual((yield* Effect.flip(devices.approve(user, codes.userCode)))._tag, "not_found")
    }))

  it.effect("what a reset revokes: families, codes on their way, devices that were approved; and nobody else’s", () =>
    Effect.gen(function*() {
      const grants = yield* TokenGrants
      const devices = yield* DeviceGrants
      const { exchange, user } = yield* consented
      const given = yield* grants.token(exchange)
      const waiting = new URL((yield* (yield* OAuth).decide(user, asked(exchange.client_id), "approve")).redirectTo).searchParams.get("code")!
      const codes = yield* devices.start({ client: "cli", address: "10.0.0.2", clientId: null })
      yield* devices.approve(user, codes.userCode)
      const [other, waits] = [yield* consented, yield* consented]
      const theirs = yield* grants.token(other.exchange)
      const device = yield* devices.start({ client: "cli", address: "10.0.0.3", clientId: null })
      yield* devices.approve(other.user, device.userCode)

      yield* (yield* DeviceGrantStore).forgetAllOf(user.id)
      yield* (yield* OauthStore).forgetCodesOf(user.id)
      yield* (yield* OauthStore).revokeAllOf(user.id, yield* DateTime.now)
      assert.isTrue(Option.isNone(yield* (yield* OAuth).authenticateAccess(given.accessToken)))
      assert.strictEqual(yield* refusalOf({ ...exchange, code: waiting }), "invalid_grant")
      assert.strictEqual(yield* refusalOf({ grant_type: "refresh_token", client_id: exchange.client_id, refresh_token: given.refreshToken! }), "invalid_grant")
      assert.strictEqual((yield* devices.polled(codes.deviceCode)).state, "unknown")

      assert.isTrue(Option.isSome(yield* (yield* OAuth).authenticateAccess(theirs.accessToken)))
      assert.isDefined((yield* grants.token(waits.exchange)).accessToken)
      assert.strictEqual((yield* devices.polled(device.deviceCode)).state, "approved")
    }))

  it.effect("a document's client is known by its address alone, and only so many are fetched for one person, one at a time", () =>
    Effect.gen(function*() {
      const user = yield* person
      const id = "https://agent.example/client.json"
      const fetched: Array<string> = []
      const under = { now: 0, most: 0 }
      const documents: Record<string, unknown> = {
        [id]: { client_id: id, client_name: "By document", redirect_uris: [REDIRECT] },
        "https://evil.example/client.json": { client_id: id, client_name: "By document", redirect_uris: ["https://evil.example/cb"] },
        "https://bad.example/client.json": { client_id: "https://bad.example/client.json", redirect_uris: ["javascript:alert(1)"] }
      }
      const Documents = Layer.succeed(ClientDocuments, {
        fetch: (address) => Effect.gen(function*() {
          fetched.push(address)
          under.most = Math.max(under.most, ++under.now)
          yield* Effect.yieldNow
          under.now--
          return Option.fromUndefinedOr(documents[address])
        })
      })
      const { known, presented } = yield* OauthClients.make.pipe(Effect.provide(Documents))
      assert.strictEqual((yield* known(id, user.id)).name, "By document")
      for (const address of ["https://evil.example/client.json", "https://bad.example/client.json", "https://none.example/client.json"]) {
        assert.strictEqual((yield* Effect.flip(known(address, user.id)))._tag, "validation_error")
      }
      yield* presented(id)
      assert.lengthOf(fetched, 4)
      const tries = yield* Effect.forEach(Array.from({ length: 60 }), () => Effect.option(known(id, user.id)), { concurrency: "unbounded" })
      assert.strictEqual(tries.filter(Option.isSome).length, 26)
      assert.lengthOf(fetched, 30)
      assert.strictEqual(under.most, 1)
    }))
})
