/**
 * The token endpoint (RFC 6749 §4.1.3, §6; RFC 7009; RFC 8628 §3.4).
 * 1. A code is exchanged once, by its client, within a minute, with the verifier of its challenge. A second
 *    exchange means that two parties hold it: the tokens it was exchanged for are revoked.
 * 2. A refresh token is exchanged for its successor once. A second exchange means that two parties hold it: the family is revoked.
 * 3. A device code is exchanged for an API token, as at the device endpoint.
 * 4. Whoever holds a token may revoke it: an agent's token with its whole family, a device's token alone.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { DeviceGrants } from "../device-grants/device-grants.ts"
import { DeviceGrantStore } from "../device-grants/store.ts"
import { orFail } from "../found.ts"
import { Addresses } from "../ports/addresses.ts"
import { Atomically } from "../ports/atomically.ts"
import { Tokens } from "../ports/tokens.ts"
import { OauthClients } from "./clients.ts"
import { DEVICE_GRANT, SCOPE } from "./model.ts"
import type { Code, Family, TokenAnswer } from "./model.ts"
import { refuse, refusedCode, refusedRefresh } from "./refusals.ts"
import type { OauthRefusal } from "./refusals.ts"
import * as Rules from "./rules.ts"
import { OauthStore } from "./store.ts"

/** The parameters of a token request: each at most once, and none empty. */
export type TokenRequest = Readonly<Record<string, string>>

const needed = (request: TokenRequest, name: string) => {
  const value = request[name]
  return value === undefined ? Effect.fail(refuse("invalid_request", `The parameter ${name} is missing.`)) : Effect.succeed(value)
}

export class TokenGrants extends Context.Service<TokenGrants>()("svc/domain/oauth/TokenGrants", {
  make: Effect.gen(function*() {
    const store = yield* OauthStore
    const clients = yield* OauthClients
    const devices = yield* DeviceGrants
    const deviceGrants = yield* DeviceGrantStore
    const tokens = yield* Tokens
    const { baseUrl } = yield* Addresses
    const { atomically } = yield* Atomically
    const resource = Rules.resourceAt(baseUrl)

    const forResource = (request: TokenRequest) => Effect.fromResult(Rules.forResource(request["resource"], resource))

    /** Checks the resource and the scope of a request that may name both. */
    const grantable = Effect.fnUntraced(function*(request: TokenRequest) {
      yield* forResource(request)
      if (!Rules.mayBeGranted(request["scope"])) return yield* refuse("invalid_scope", Rules.SCOPES)
    })

    const issue = Effect.fn("TokenGrants.issue")(function*(family: Family, now: DateTime.Utc): Effect.fn.Return<TokenAnswer> {
      const access = yield* tokens.mint("svc_at_")
      const refresh = yield* tokens.mint("svc_rt_")
      yield* store.addTokens(family.id, [
        { hash: access.hash, kind: "access", expiresAt: Rules.accessExpiry(now) },
        { hash: refresh.hash, kind: "refresh", expiresAt: Rules.refreshExpiry(now) }
      ], now)
      return { accessToken: access.raw, refreshToken: refresh.raw, expiresIn: Rules.ACCESS_SECONDS, scope: SCOPE }
    })

    const consumeCode = Effect.fn("TokenGrants.consumeCode")(
      function*(code: Code, hash: string, now: DateTime.Utc) {
        if (!(yield* store.consumeCode(hash, now))) return undefined
        const family = { id: code.id, userId: code.userId, clientId: code.clientId, clientName: code.clientName, resource: code.resource }
        yield* store.addFamily(family, now)
        return yield* issue(family, now)
      },
      atomically
    )

    /** Step 1. */
    const exchange = Effect.fn("TokenGrants.exchange")(function*(request: TokenRequest) {
      const now = yield* DateTime.now
      const client = yield* clients.presented(request["client_id"])
      const hash = tokens.hash(yield* needed(request, "code"))
      const redirectUri = yield* needed(request, "redirect_uri")
      const verifier = yield* needed(request, "code_verifier")

      const code = yield* store.code(hash).pipe(orFail(refusedCode))
      if (code.usedAt !== null) {
        yield* store.revoke(code.id, now)
        return yield* refusedCode()
      }
      yield* Effect.fromResult(Rules.redeem(code, { clientId: client.id, redirectUri, verifier, resource: request["resource"] }, tokens.hash, now))

      const issued = yield* consumeCode(code, hash, now)
      if (issued !== undefined) return issued
      yield* store.revoke(code.id, now)
      return yield* refusedCode()
    })

    const consumeRefresh = Effect.fn("TokenGrants.consumeRefresh")(
      function*(hash: string, clientId: string, now: DateTime.Utc) {
        const family = Option.getOrUndefined(yield* store.consumeRefresh(hash, clientId, now))
        return family === undefined ? undefined : yield* issue(family, now)
      },
      atomically
    )

    /** Step 2. */
    const refresh = Effect.fn("TokenGrants.refresh")(function*(request: TokenRequest) {
      const now = yield* DateTime.now
      const client = yield* clients.presented(request["client_id"])
      const hash = tokens.hash(yield* needed(request, "refresh_token"))
      yield* grantable(request)

      const issued = yield* consumeRefresh(hash, client.id, now)
      if (issued !== undefined) return issued
      const family = Option.getOrUndefined(yield* store.familyOf(hash))
      if (family?.used === true) yield* store.revoke(family.id, now)
      return yield* refusedRefresh()
    })

    /** The client that begins step 3; fails if it asks for a resource or scope other than ours (RFC 8628 §3.1). */
    const beginning = Effect.fn("TokenGrants.beginning")(function*(request: TokenRequest) {
      const client = yield* clients.forDevices(request["client_id"])
      yield* grantable(request)
      return client
    })

    /** Step 3. */
    const device = Effect.fn("TokenGrants.device")(function*(request: TokenRequest): Effect.fn.Return<TokenAnswer, OauthRefusal> {
      const client = yield* clients.forDevices(request["client_id"])
      yield* forResource(request)
      const polled = yield* devices.polled(yield* needed(request, "device_code"), client.id)
      switch (polled.state) {
        case "approved":
          return { accessToken: polled.token }
        case "pending":
          return yield* refuse("authorization_pending", "Nobody has answered yet.")
        case "early":
          return yield* refuse("slow_down", "Poll only once per interval.")
        case "denied":
          return yield* refuse("access_denied", "The request was denied.")
        case "expired":
          return yield* refuse("expired_token", "The device code has expired. Start again.")
        case "unknown":
          return yield* refuse("invalid_grant", "This device code is not valid.")
      }
    })

    const token = Effect.fn("TokenGrants.token")(function*(request: TokenRequest) {
      switch (yield* needed(request, "grant_type")) {
        case "authorization_code":
          return yield* exchange(request)
        case "refresh_token":
          return yield* refresh(request)
        case DEVICE_GRANT:
          return yield* device(request)
        default:
          return yield* refuse("unsupported_grant_type", "This grant type is not supported.")
      }
    })

    /** Step 4. An unknown token, or another client's, is silently left as it is (RFC 7009 §2.2). */
    const revoke = Effect.fn("TokenGrants.revoke")(function*(request: TokenRequest) {
      const client = yield* clients.presented(request["client_id"])
      const hash = tokens.hash(yield* needed(request, "token"))
      const family = Option.getOrUndefined(yield* store.familyOf(hash))
      if (family === undefined) return yield* deviceGrants.revoke(hash, client.id)
      if (family.clientId === client.id) yield* store.revoke(family.id, yield* DateTime.now)
    })

    return { token, beginning, revoke }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
