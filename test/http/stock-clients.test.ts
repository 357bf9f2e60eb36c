/** Unmodified clients complete the whole of OAuth, consent included: oauth4webapi and openid-client. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as web from "oauth4webapi"
import * as oidc from "openid-client"
import { signIn } from "../support/oauth.ts"
import type { SessionHeaders } from "../support/oauth.ts"
import { Service, serviceWith } from "../support/service.ts"

type It = typeof Service.Service

interface Asked {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
}

/** Only browsers resolve the service's name: these clients connect by the loopback's own name. */
const fetchFrom = (service: It) => (url: string, init: Asked): Promise<Response> =>
  Effect.runPromise(service.ask(new URL(url).pathname + new URL(url).search, {
    method: init.method,
    headers: init.headers,
    ...(init.body === undefined || init.body === null ? {} : { body: String(init.body) })
  })).then(({ bytes, headers, status }) =>
    new Response(bytes.length === 0 ? null : new Uint8Array(bytes), { status, headers: { "content-type": headers["content-type"] ?? "", "www-authenticate": headers["www-authenticate"] ?? "" } })
  )

/** Does what the consent page does when its reader presses a button. */
const decide = (service: It, session: SessionHeaders, address: URL, decision: string) =>
  Effect.gen(function*() {
    const { response_type: _code, ...asked } = Object.fromEntries(address.searchParams)
    assert.strictEqual((yield* service.ask(address.pathname + address.search, { headers: { cookie: session.cookie } })).status, 200)
    const { json } = yield* service.ask("/v1/oauth/authorize", { json: { ...asked, decision }, headers: session })
    return new URL(json.redirect_to)
  })

layer(serviceWith(), { excludeTestServices: true })("stock clients", (it) => {
  const person = Effect.gen(function*() {
    const service = yield* Service
    const account = yield* service.account()
    return { service, account, session: yield* signIn(service, account.email), base: new URL(`http://svc.localhost:${service.port}`) }
  })

  it.effect("oauth4webapi: from a bare 401 over discovery, registration and consent to the agents' door", () =>
    Effect.gen(function*() {
      const { base, service, session } = yield* person
      const options = { [web.allowInsecureRequests]: true, [web.customFetch]: fetchFrom(service) }
      const bare = yield* service.ask("/mcp", { method: "POST" })
      const metadata = /resource_metadata="([^"]+)"/.exec(bare.headers["www-authenticate"]!)![1]!
      assert.strictEqual(metadata, `${base.origin}/.well-known/oauth-protected-resource`)

      const tokens = yield* Effect.promise(async () => {
        const resource = new URL("/mcp", base)
        const found = await web.processResourceDiscoveryResponse(resource, await web.resourceDiscoveryRequest(resource, options))
        const issuer = new URL(found.authorization_servers![0]!)
        const server = await web.processDiscoveryResponse(issuer, await web.discoveryRequest(issuer, { ...options, algorithm: "oauth2" }))
        const registration = await web.dynamicClientRegistrationRequest(server, { redirect_uris: ["http://127.0.0.1/cb"], client_name: "Agent", token_endpoint_auth_method: "none" }, options)
        const client = await web.processDynamicClientRegistrationResponse(registration)

        const verifier = web.generateRandomCodeVerifier()
        const state = web.generateRandomState()
        const redirect = "http://127.0.0.1:49152/cb"
        const ask = new URL(server.authorization_endpoint!)
        ask.search = new URLSearchParams({
          response_type: "code", client_id: client.client_id, redirect_uri: redirect, state, scope: "mcp", resource: found.resource,
          code_challenge: await web.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256"
        }).toString()
        const back = await Effect.runPromise(decide(service, session, ask, "approve"))
        const answer = web.validateAuthResponse(server, client, back, state)
        const granted = await web.authorizationCodeGrantRequest(server, client, web.None(), answer, redirect, verifier, { ...options, additionalParameters: { resource: found.resource } })
        const first = await web.processAuthorizationCodeResponse(server, client, granted)
        const refreshed = await web.processRefreshTokenResponse(server, client, await web.refreshTokenGrantRequest(server, client, web.None(), first.refresh_token!, options))
        const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "agent", version: "1" } } }
        const opened = await Effect.runPromise(service.ask("/mcp", { json: initialize, headers: { authorization: `Bearer ${refreshed.access_token}`, accept: "application/json, text/event-stream" } }))
        assert.strictEqual(opened.status, 200, opened.text)
        await web.processRevocationResponse(await web.revocationRequest(server, client, web.None(), refreshed.refresh_token!, options))
        return { first, refreshed }
      })
      for (const { access_token } of [tokens.first, tokens.refreshed]) {
        const closed = yield* service.ask("/mcp", { method: "POST", headers: { authorization: `Bearer ${access_token}` } })
        assert.strictEqual(closed.status, 401)
      }
    }))

  it.effect("openid-client: consent, denial, and the device flow", () =>
    Effect.gen(function*() {
      const { account, base, service, session } = yield* person
      const [tokens, denied, device, left] = yield* Effect.promise(async () => {
        const config = await oidc.dynamicClientRegistration(base, {
          redirect_uris: ["https://agent.example/cb"],
          client_name: "Stock",
          grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"]
        }, oidc.None(), { algorithm: "oauth2", execute: [oidc.allowInsecureRequests], [oidc.customFetch]: fetchFrom(service) })
        config[oidc.customFetch] = fetchFrom(service)

        const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
        const expectedState = oidc.randomState()
        const ask = oidc.buildAuthorizationUrl(config, {
          redirect_uri: "https://agent.example/cb", scope: "mcp", state: expectedState, resource: `${base.origin}/mcp`,
          code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier), code_challenge_method: "S256"
        })
        const deny = await Effect.runPromise(decide(service, session, ask, "deny"))
        const denied = await oidc.authorizationCodeGrant(config, deny, { pkceCodeVerifier, expectedState }).catch((error) => error)
        const back = await Effect.runPromise(decide(service, session, ask, "approve"))
        const tokens = await oidc.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState })

        const letIn = async () => {
          const codes = await oidc.initiateDeviceAuthorization(config, { scope: "mcp" })
          assert.include(codes.verification_uri_complete, codes.user_code)
          const approved = await Effect.runPromise(service.ask("/v1/auth/device/approve", { json: { user_code: codes.user_code }, headers: session }))
          assert.strictEqual(approved.status, 200)
          return oidc.pollDeviceAuthorizationGrant(config, { ...codes, interval: 0.1 })
        }
        const device = await letIn()
        const left = await letIn()
        await oidc.tokenRevocation(config, left.access_token)
        return [tokens, denied, device, left] as const
      })
      assert.strictEqual(denied.error, "access_denied")
      assert.match(tokens.access_token, /^svc_at_/)
      const me = yield* service.ask("/v1/me", { headers: { authorization: `Bearer ${device.access_token}` } })
      assert.strictEqual(me.json.user.email, account.email)
      assert.strictEqual((yield* service.ask("/v1/me", { headers: { authorization: `Bearer ${left.access_token}` } })).status, 401)

      const grants = yield* service.ask("/v1/me/grants", { headers: account.bearer })
      assert.deepStrictEqual(grants.json.map(({ client, kind }: { client: string; kind: string }) => [kind, client]), [["device", "Stock"], ["agent", "Stock"]])
      const stranger = yield* service.account()
      assert.deepStrictEqual((yield* service.ask("/v1/me/grants", { headers: stranger.bearer })).json, [])
      for (const { id } of grants.json) {
        const foreign = yield* service.ask(`/v1/me/grants/${id}`, { method: "DELETE", headers: stranger.bearer })
        assert.deepStrictEqual([foreign.status, foreign.json.error.code], [404, "not_found"])
        assert.strictEqual((yield* service.ask(`/v1/me/grants/${id}`, { method: "DELETE", headers: account.bearer })).status, 200)
      }
      assert.deepStrictEqual((yield* service.ask("/v1/me/grants", { headers: account.bearer })).json, [])
      for (const [path, token] of [["/v1/me", device.access_token], ["/mcp", tokens.access_token]] as const) {
        assert.strictEqual((yield* service.ask(path, { headers: { authorization: `Bearer ${token}` } })).status, 401)
      }
    }))
})
