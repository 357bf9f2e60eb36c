/** OAuth over the wire: consent, codes, tokens, and everything that must not work. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Answer } from "../support/ask.ts"
import { approved, decide, pkce, posted, queryOf, REDIRECT, register, signIn } from "../support/oauth.ts"
import { Service, serviceWith } from "../support/service.ts"

type It = typeof Service.Service

const many = (count: number, ask: Effect.Effect<Answer>) => Effect.all(Array.from({ length: count }, () => ask), { concurrency: "unbounded" })

const mcp = (service: It, token: string) =>
  Effect.map(service.ask("/mcp", { headers: { authorization: `Bearer ${token}` } }), (answer) => answer.status)

const DEVICE = "urn:ietf:params:oauth:grant-type:device_code"

/** `/mcp` accepts the token and goes on to say that it has no GET. */
const OPEN = 405

layer(serviceWith({ SVC_TRUSTED_PROXY_HOPS: "1" }), { excludeTestServices: true })("oauth", (it) => {
  let client = 0
  const from = () => ({ "x-forwarded-for": `10.2.${Math.floor(++client / 250)}.${client % 250}` })

  const begin = Effect.gen(function*() {
    const service = yield* Service
    const account = yield* service.account()
    const session = yield* signIn(service, account.email, from())
    const { client_id } = (yield* register(service, {}, from())).json as { client_id: string }
    return { service, account, session, client_id }
  })

  it.effect("metadata name every endpoint, and where the resource's door is", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const base = `http://svc.localhost:${service.port}`
      const server = yield* service.ask("/.well-known/oauth-authorization-server")
      assert.strictEqual(server.json.issuer, base)
      assert.strictEqual(server.json.authorization_endpoint, `${base}/oauth/authorize`)
      assert.deepStrictEqual(server.json.code_challenge_methods_supported, ["S256"])
      for (const path of ["", "/mcp"]) {
        const resource = yield* service.ask(`/.well-known/oauth-protected-resource${path}`)
        assert.deepInclude(resource.json, { resource: `${base}/mcp`, authorization_servers: [base] })
      }
      for (const headers of [{}, { authorization: "Bearer svc_at_nothing" }, { authorization: "Basic eDp5" }] as ReadonlyArray<Record<string, string>>) {
        for (const method of ["GET", "POST", "DELETE"]) {
          const bare = yield* service.ask("/mcp?access_token=svc_at_x", { method, headers })
          assert.strictEqual(bare.status, 401)
          assert.include(bare.headers["www-authenticate"], `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource"`)
        }
      }
    }))

  it.effect("registers public clients, and names what is wrong with others", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const made = yield* register(service, { scope: "mcp profile", client_uri: "https://agent.example", token_endpoint_auth_method: "none" }, from())
      assert.strictEqual(made.status, 201)
      assert.strictEqual(made.headers["cache-control"], "no-store")
      assert.deepInclude(made.json, { client_name: "Agent", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none", scope: "mcp" })
      assert.notProperty(made.json, "client_secret")
      for (const method of ["client_secret_basic", "client_secret_post"]) {
        const replaced = yield* register(service, { token_endpoint_auth_method: method }, from())
        assert.deepStrictEqual([replaced.status, replaced.json.token_endpoint_auth_method, "client_secret" in replaced.json], [201, "none", false], method)
      }

      const unknown = (authorization?: string) =>
        service.ask("/oauth/token", { method: "POST", body: "grant_type=refresh_token&refresh_token=x&client_id=nobody", headers: { ...from(), "content-type": "application/x-www-form-urlencoded", ...(authorization !== undefined && { authorization }) } })
      for (const [sent, challenge] of [[undefined, "Bearer"], ["Basic bm9ib2R5Og==", "Basic realm=\"svc\""]] as const) {
        const { headers, status } = yield* unknown(sent)
        assert.deepStrictEqual([status, headers["www-authenticate"]], [401, challenge])
      }

      const table: ReadonlyArray<readonly [Record<string, unknown>, string]> = [
        ...["http://agent.example/cb", "https://a.example/#f", "https://u:p@a.example/", "javascript:alert(1)", "myapp:/cb", "/cb", "http://localhost.evil/cb", "https://a.example/\\b"]
          .map((uri) => [{ redirect_uris: [uri] }, "invalid_redirect_uri"] as const),
        [{ redirect_uris: [] }, "invalid_redirect_uri"],
        [{ token_endpoint_auth_method: "private_key_jwt" }, "invalid_client_metadata"],
        [{ grant_types: ["password"] }, "invalid_client_metadata"],
        [{ response_types: ["token"] }, "invalid_client_metadata"],
        [{ redirect_uris: "https://a.example" }, "invalid_client_metadata"],
        [{ redirect_uris: Array.from({ length: 11 }, (_, at) => `https://a.example/${at}`) }, "invalid_client_metadata"],
        [{ redirect_uris: [1, 2, 3].map((at) => `https://a.example/${at}${"x".repeat(1_400)}`) }, "invalid_redirect_uri"]
      ]
      for (const [metadata, error] of table) {
        const refused = yield* register(service, metadata, from())
        assert.deepStrictEqual([refused.status, refused.json.error], [400, error], JSON.stringify(metadata))
      }
      const repeated = { redirect_uris: Array.from({ length: 20 }, (_, at) => `https://a.example/${at % 10}`), grant_types: Array.from({ length: 20_000 }, (_, at) => ["authorization_code", "refresh_token"][at % 2]) }
      const once = yield* register(service, repeated, from())
      assert.deepStrictEqual([once.status, once.json.redirect_uris, once.json.grant_types], [201, repeated.redirect_uris.slice(0, 10), ["authorization_code", "refresh_token"]])
      const garbled = yield* register(service, { client_uri: "https://a.example/\0", logo_uri: "https://a.example/\0", scope: "a\0b" }, from())
      assert.deepStrictEqual([garbled.status, garbled.json.client_uri, garbled.json.logo_uri], [201, undefined, undefined])
      for (const [path, parameters] of [
        ...["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"].map((grant_type) => ["/oauth/token", { grant_type, client_id: "a\0b" }] as const),
        ["/oauth/revoke", { client_id: "a\0b", token: "x" }] as const, ["/oauth/device_authorization", { client_id: "a\0b" }] as const
      ]) {
        const refused = yield* posted(service, path, parameters)
        assert.deepStrictEqual([refused.status, refused.json.error, refused.headers["cache-control"]], [400, "invalid_request", "no-store"], path)
      }
      // Whoever sends a form is told who they are not, unless it is one that would take long to read.
      const asked = { grant_type: "refresh_token", refresh_token: "x", client_id: "nobody" }
      const numbered = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`more-${at}`, "x"]))
      for (const [more, status, error] of [
        [{ more: "x".repeat(60 * 1024) }, 401, "invalid_client"], [{ more: "x".repeat(64 * 1024) }, 400, "invalid_request"],
        [numbered(97), 401, "invalid_client"], [numbered(98), 400, "invalid_request"]
      ] as const) {
        const answer = yield* posted(service, "/oauth/token", { ...asked, ...more }, from())
        assert.deepStrictEqual([answer.status, answer.json.error], [status, error], Object.keys(more).join())
      }
      const nonsense = yield* service.ask("/oauth/register", { method: "POST", body: "{", headers: { "content-type": "application/json", ...from() } })
      assert.deepStrictEqual([nonsense.status, nonsense.json.error], [400, "invalid_client_metadata"])
      for (const [path, type] of [["register", "application/json"], ["token", "application/x-www-form-urlencoded"]]) {
        const large = yield* service.ask(`/oauth/${path}`, { method: "POST", body: "x".repeat(1024 * 1024 + 1), headers: { "content-type": type!, ...from() } })
        assert.deepStrictEqual([large.status, large.json.error, large.headers["cache-control"]], [413, "invalid_request", "no-store"], path)
      }

      const address = from()
      const flood = yield* many(30, register(service, {}, address))
      assert.strictEqual(flood.filter((answer) => answer.status === 201).length, 20)
      assert.isTrue(flood.every((answer) => answer.status === 201 || (answer.status === 429 && answer.headers["retry-after"] !== undefined)))
    }))

  it.effect("consent, exchange, refresh, revoke", () =>
    Effect.gen(function*() {
      const { account, client_id, service, session } = yield* begin
      const base = `http://svc.localhost:${service.port}`
      const info = yield* service.ask(`/v1/oauth/authorize/info?client_id=${client_id}`, { headers: session })
      assert.deepStrictEqual(info.json, { client_id, client_name: "Agent", client_uri: null, fault: null, redirect_hosts: ["agent.example"], scope: "mcp" })

      const { challenge, verifier } = pkce()
      const asked = { client_id, code_challenge: challenge, state: "s p&=", resource: `${base}/mcp`, scope: "mcp" }
      const denied = queryOf(yield* decide(service, session, { ...asked, decision: "deny" }))
      assert.deepStrictEqual(denied, { error: "access_denied", state: "s p&=", iss: base })
      const answer = yield* decide(service, session, asked)
      assert.isTrue(answer.json.redirect_to.startsWith(`${REDIRECT}?`))
      const { code, iss, state } = queryOf(answer)
      assert.deepStrictEqual([state, iss], ["s p&=", base])

      const exchange = { grant_type: "authorization_code", client_id, code: code!, redirect_uri: REDIRECT, code_verifier: verifier }
      const tokens = yield* posted(service, "/oauth/token", exchange)
      assert.strictEqual(tokens.status, 200)
      assert.deepInclude(tokens.json, { token_type: "Bearer", expires_in: 3600, scope: "mcp" })
      assert.strictEqual(tokens.headers["cache-control"], "no-store")
      assert.match(tokens.json.access_token, /^svc_at_[\w-]{43}$/)
      assert.strictEqual(yield* mcp(service, tokens.json.access_token), OPEN)

      // No client can get more scopes than were granted (RFC 6749 §6), and asking costs nothing.
      const more = yield* posted(service, "/oauth/token", { grant_type: "refresh_token", client_id, refresh_token: tokens.json.refresh_token, scope: "admin" })
      assert.deepStrictEqual([more.status, more.json.error], [400, "invalid_scope"])
      // A parameter without a value counts as absent (RFC 6749 §3.2), but sent twice it is still one too many.
      const twice = yield* service.ask("/oauth/token", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: `grant_type=refresh_token&client_id=${client_id}&refresh_token=${tokens.json.refresh_token}&scope=&scope=`
      })
      assert.deepStrictEqual([twice.status, twice.json.error], [400, "invalid_request"])
      const next = yield* posted(service, "/oauth/token", { grant_type: "refresh_token", client_id, refresh_token: tokens.json.refresh_token, scope: "", resource: "" })
      assert.strictEqual(next.status, 200, next.text)
      assert.strictEqual(yield* mcp(service, next.json.access_token), OPEN)
      assert.notStrictEqual(next.json.refresh_token, tokens.json.refresh_token)

      const strangers = (yield* register(service, {}, from())).json.client_id as string
      const borrowed = yield* posted(service, "/oauth/token", { grant_type: "refresh_token", client_id: strangers, refresh_token: next.json.refresh_token })
      assert.deepStrictEqual([borrowed.status, borrowed.json.error], [400, "invalid_grant"])
      const foreign = yield* posted(service, "/oauth/revoke", { client_id: strangers, token: next.json.refresh_token })
      assert.strictEqual(foreign.status, 200)
      assert.strictEqual(yield* mcp(service, next.json.access_token), OPEN)
      // An agent is connected for as long as a token of its opens something.
      const sql = yield* service.inside(SqlClient.SqlClient)
      const moved = (by: string) => Effect.orDie(sql`UPDATE oauth_tokens SET expires_at = expires_at + ${by}::interval WHERE family_id IN (SELECT id FROM oauth_families WHERE user_id = ${account.id})`)
      const connected = Effect.map(service.ask("/v1/me/grants", { headers: account.bearer }), ({ json }) => json.length as number)
      assert.strictEqual(yield* connected, 1)
      yield* moved("-40 days")
      assert.strictEqual(yield* connected, 0)
      yield* moved("40 days")
      assert.strictEqual((yield* posted(service, "/oauth/revoke", { client_id, token: "unknown" })).status, 200)
      const revoked = yield* posted(service, "/oauth/revoke", { client_id, token: next.json.refresh_token })
      assert.deepStrictEqual([revoked.status, revoked.headers["content-type"], revoked.json], [200, "application/json", {}])
      assert.strictEqual(yield* mcp(service, next.json.access_token), 401)
      assert.strictEqual(yield* mcp(service, account.token), OPEN)
    }))

  it.effect("a device’s token is revoked by the client it was given to, and by no other", () =>
    Effect.gen(function*() {
      const { account, client_id: stranger, service, session } = yield* begin
      const { client_id } = (yield* register(service, { grant_types: [DEVICE] }, from())).json
      const approve = (user_code: string) => service.ask("/v1/auth/device/approve", { json: { user_code }, headers: session })
      const codes = (yield* posted(service, "/oauth/device_authorization", { client_id }, from())).json
      yield* approve(codes.user_code)
      const { access_token: given, ...facts } = (yield* posted(service, "/oauth/token", { grant_type: DEVICE, client_id, device_code: codes.device_code })).json
      // It opens the whole API: there is no scope for that.
      assert.deepStrictEqual(facts, { token_type: "Bearer" })
      const typed = (yield* service.ask("/v1/auth/device", { method: "POST", headers: from() })).json
      yield* approve(typed.user_code)
      const byHand = (yield* service.ask("/v1/auth/device/token", { json: { device_code: typed.device_code } })).json.token as string

      const status = (token: string) => Effect.map(service.ask("/v1/me", { headers: { authorization: `Bearer ${token}` } }), (answer) => answer.status)
      const revoke = (client_id: string, token: string) => Effect.map(posted(service, "/oauth/revoke", { client_id, token }), (answer) => answer.status)
      assert.strictEqual(yield* revoke(stranger, given), 200)
      assert.strictEqual(yield* status(given), 200)
      // Made by hand, or by a command line that is no client: no client can revoke it here.
      for (const token of [byHand, account.token]) {
        assert.strictEqual(yield* revoke(client_id, token), 200)
        assert.strictEqual(yield* status(token), 200)
      }
      assert.strictEqual(yield* revoke(client_id, given), 200)
      assert.strictEqual(yield* status(given), 401)
      assert.lengthOf((yield* service.ask("/v1/me/grants", { headers: account.bearer })).json, 1)
    }))

  it.effect("a client does what it registered for: no devices where it named others, no consent where it named devices alone, and all where it named nothing", () =>
    Effect.gen(function*() {
      const { client_id, service, session } = yield* begin
      assert.strictEqual((yield* posted(service, "/oauth/device_authorization", { client_id }, from())).status, 200)
      const agent = (yield* register(service, { grant_types: ["authorization_code", "refresh_token"] }, from())).json.client_id as string
      const { device_code } = (yield* service.ask("/v1/auth/device", { method: "POST", headers: from() })).json
      for (const id of [agent, "https://agent.example/client.json"]) {
        const started = yield* posted(service, "/oauth/device_authorization", { client_id: id }, from())
        const polled = yield* posted(service, "/oauth/token", { grant_type: DEVICE, client_id: id, device_code })
        for (const refused of [started, polled]) assert.deepStrictEqual([refused.status, refused.json.error], [400, "unauthorized_client"], id)
      }
      for (const [change, error] of [[{ scope: "admin" }, "invalid_scope"], [{ resource: "https://elsewhere.example/mcp" }, "invalid_target"]] as const) {
        const started = yield* posted(service, "/oauth/device_authorization", { client_id, ...change }, from())
        assert.deepStrictEqual([started.status, started.json.error], [400, error], JSON.stringify(change))
      }
      const resource = `http://svc.localhost:${service.port}/mcp`
      const { device_code: begun } = (yield* posted(service, "/oauth/device_authorization", { client_id, scope: "mcp offline_access", resource }, from())).json
      for (const [named, error] of [["https://elsewhere.example/mcp", "invalid_target"], [resource, "authorization_pending"]] as const) {
        const polled = yield* posted(service, "/oauth/token", { grant_type: DEVICE, client_id, device_code: begun, resource: named })
        assert.deepStrictEqual([polled.status, polled.json.error], [400, error], named)
      }
      const unknown = yield* posted(service, "/oauth/device_authorization", { client_id: "nobody" }, from())
      assert.deepStrictEqual([unknown.status, unknown.json.error], [401, "invalid_client"])

      const devices = (yield* register(service, { grant_types: [DEVICE] }, from())).json.client_id as string
      assert.strictEqual((yield* posted(service, "/oauth/device_authorization", { client_id: devices }, from())).status, 200)
      const asked = { client_id: devices, redirect_uri: REDIRECT, code_challenge: pkce().challenge, code_challenge_method: "S256", response_type: "code" }
      const { json: { fault } } = yield* service.ask(`/v1/oauth/authorize/info?${new URLSearchParams(asked)}`, { headers: session })
      assert.strictEqual(new URL(fault.redirect_to).searchParams.get("error"), "unauthorized_client")
      const decided = yield* decide(service, session, asked)
      assert.deepStrictEqual([decided.status, decided.json.error.field], [422, "client_id"])
    }))

  it.effect("a client or redirect address that is not the registered one is an error, never a redirect", () =>
    Effect.gen(function*() {
      const { account, service, session } = yield* begin
      const cursor = "cursor://anysphere.cursor-mcp/oauth/callback"
      const redirect_uris = [REDIRECT, "http://127.0.0.1/cb", "com.example.app:/cb", cursor]
      const { client_id } = (yield* register(service, { redirect_uris }, from())).json
      const code_challenge = pkce().challenge
      for (const redirect_uri of [
        `${REDIRECT}/`, `${REDIRECT}x`, `${REDIRECT}?a=b`, `${REDIRECT}#f`, "https://agent.example/", "https://agent.example/callback/../evil",
        "https://agent.example@evil.example/callback", "https://AGENT.example/callback", "https://agent.example/%63allback", "https://agent.example%2f.evil.example/callback",
        "https://agent.example/callback%2f..%2fevil", "https://agent.example.evil.example/callback", "http://agent.example/callback", "https://agent.example:444/callback",
        "http://127.0.0.1.evil/cb", "http://127.0.0.1:1@evil.example/cb", "http://127.0.0.1:8080/cb/../x", "http://localhost/cb", "http://localhost.evil/cb", "com.example.app:/cb2", "javascript:alert(1)", ""
      ]) {
        const refused = yield* decide(service, session, { client_id, code_challenge, redirect_uri })
        assert.strictEqual(refused.status, 422, redirect_uri)
        assert.strictEqual(refused.json.error.field, "redirect_uri")
        assert.notProperty(refused.json, "redirect_to")
        const shown = yield* service.ask(`/v1/oauth/authorize/info?${new URLSearchParams({ response_type: "code", client_id, redirect_uri, code_challenge, code_challenge_method: "S256" })}`, { headers: session })
        assert.deepStrictEqual([shown.status, shown.json.error?.field], [422, "redirect_uri"], redirect_uri)
      }
      const shown = yield* service.ask(`/v1/oauth/authorize/info?${new URLSearchParams({ response_type: "code", client_id, redirect_uri: cursor, code_challenge, code_challenge_method: "S256" })}`, { headers: session })
      assert.deepStrictEqual(shown.json.redirect_hosts, ["cursor://anysphere.cursor-mcp"])
      for (const redirect_uri of [...redirect_uris, "http://127.0.0.1:51234/cb"]) {
        const given = yield* decide(service, session, { client_id, code_challenge, redirect_uri })
        assert.isTrue(given.json.redirect_to.startsWith(`${redirect_uri}?`), redirect_uri)
      }
      for (const unknown of ["nobody", account.id]) {
        const refused = yield* decide(service, session, { client_id: unknown, code_challenge })
        assert.deepStrictEqual([refused.status, refused.json.error.field], [422, "client_id"])
      }
      const withBearer = yield* service.ask("/v1/oauth/authorize", { json: { decision: "approve", client_id, redirect_uri: REDIRECT, code_challenge, code_challenge_method: "S256" }, headers: account.bearer })
      assert.deepStrictEqual([withBearer.status, withBearer.json.error.code], [401, "auth_required"])
      const withoutCsrf = yield* service.ask("/v1/oauth/authorize", { json: { decision: "approve", client_id, redirect_uri: REDIRECT, code_challenge, code_challenge_method: "S256" }, headers: { cookie: session.cookie } })
      assert.deepStrictEqual([withoutCsrf.status, withoutCsrf.json.error.details.reason], [403, "csrf"])
    }))

  it.effect("a client_id that leads into our own network is as good as unknown", () =>
    Effect.gen(function*() {
      const { service, session } = yield* begin
      const code_challenge = pkce().challenge
      const said = Effect.fnUntraced(function*(client_id: string) {
        const shown = yield* service.ask(`/v1/oauth/authorize/info?${new URLSearchParams({ client_id })}`, { headers: session })
        const decided = yield* decide(service, session, { client_id, code_challenge })
        return [shown.status, shown.text, decided.status, decided.text]
      })
      const unknown = yield* said("nobody")
      assert.deepStrictEqual([unknown[0], unknown[2]], [422, 422])
      for (const host of ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "10.0.0.1", "2130706433", `svc.localhost:${service.port}`]) {
        assert.deepStrictEqual(yield* said(`https://${host}/client.json`), unknown, host)
      }
    }))

  it.effect("the consent page is told where the answer will go, and what is wrong with the request; nothing is decided by that", () =>
    Effect.gen(function*() {
      const { service, session } = yield* begin
      const { client_id } = (yield* register(service, { redirect_uris: [REDIRECT, "http://127.0.0.1/cb"] }, from())).json
      const info = (change: Record<string, string> = {}) =>
        service.ask(`/v1/oauth/authorize/info?${new URLSearchParams({ response_type: "code", client_id, redirect_uri: REDIRECT, state: "1e3", code_challenge: pkce().challenge, code_challenge_method: "S256", ...change })}`, { headers: session })
      for (const change of [{}, { scope: "" }, { resource: "" }] as const) {
        assert.deepInclude((yield* info(change)).json, { client_name: "Agent", redirect_hosts: ["agent.example"], scope: "mcp", fault: null }, JSON.stringify(change))
      }
      for (const [change, error] of [
        [{ response_type: "token" }, "unsupported_response_type"],
        [{ code_challenge_method: "plain" }, "invalid_request"],
        [{ code_challenge: "" }, "invalid_request"],
        [{ scope: "admin" }, "invalid_scope"],
        [{ resource: "https://elsewhere.example" }, "invalid_target"]
      ] as const) {
        const { fault } = (yield* info(change)).json as { readonly fault: { readonly redirect_to: string } }
        const { origin, pathname, searchParams } = new URL(fault.redirect_to)
        assert.strictEqual(origin + pathname, REDIRECT)
        assert.deepStrictEqual([searchParams.get("error"), searchParams.get("state"), searchParams.get("iss"), searchParams.get("code")], [error, "1e3", `http://svc.localhost:${service.port}`, null])
      }
      assert.strictEqual((yield* info({ client_id: "nobody" })).json.error.field, "client_id")
    }))

  it.effect("PKCE missing, plain or wrong; another client, address, resource or time", () =>
    Effect.gen(function*() {
      const { client_id, service, session } = yield* begin
      const { challenge } = pkce()
      for (const [request, field] of [
        [{ client_id }, "code_challenge"],
        [{ client_id, code_challenge: "short" }, "code_challenge"],
        [{ client_id, code_challenge: challenge, code_challenge_method: "plain" }, "code_challenge_method"],
        [{ client_id, code_challenge: challenge, code_challenge_method: null }, "code_challenge_method"],
        [{ client_id, code_challenge: challenge, scope: "admin" }, "scope"],
        [{ client_id, code_challenge: challenge, resource: "https://elsewhere.example/mcp" }, "resource"]
      ] as const) {
        const refused = yield* decide(service, session, request)
        assert.deepStrictEqual([refused.status, refused.json.error?.field], [422, field])
      }

      const good = yield* approved(service, session, client_id)
      const other = (yield* register(service, {}, from())).json.client_id as string
      const table: ReadonlyArray<readonly [Record<string, string>, number, string]> = [
        [{ code_verifier: pkce().verifier }, 400, "invalid_grant"],
        [{ code_verifier: "" }, 400, "invalid_request"],
        [{ redirect_uri: `${REDIRECT}/` }, 400, "invalid_grant"],
        [{ client_id: other }, 400, "invalid_grant"],
        [{ client_id: "nobody" }, 401, "invalid_client"],
        [{ code: "svc_ac_unknown" }, 400, "invalid_grant"],
        [{ resource: "https://elsewhere.example/mcp" }, 400, "invalid_target"],
        [{ grant_type: "password" }, 400, "unsupported_grant_type"],
        [{ grant_type: "" }, 400, "invalid_request"]
      ]
      for (const [change, status, error] of table) {
        const refused = yield* posted(service, "/oauth/token", { ...good, ...change })
        assert.deepStrictEqual([refused.status, refused.json.error], [status, error], JSON.stringify(change))
        assert.strictEqual(refused.headers["www-authenticate"], status === 401 ? "Bearer" : undefined)
      }
      const twice = yield* service.ask("/oauth/token", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: `${new URLSearchParams(good)}&client_id=${client_id}`
      })
      assert.deepStrictEqual([twice.status, twice.json.error], [400, "invalid_request"])
      assert.strictEqual((yield* posted(service, "/oauth/token", good)).status, 200)

      const late = yield* approved(service, session, client_id)
      yield* service.inside(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE oauth_codes SET expires_at = now() WHERE used_at IS NULL`))
      const expired = yield* posted(service, "/oauth/token", late)
      const unknown = yield* posted(service, "/oauth/token", { ...late, code: "svc_ac_unknown" })
      assert.strictEqual(`${expired.status} ${expired.text}`, `${unknown.status} ${unknown.text}`)
    }))

  it.effect("200 parallel exchanges and refreshes have one winner each, and a token used twice dies with its family", () =>
    Effect.gen(function*() {
      const { client_id, service, session } = yield* begin
      const exchanges = yield* many(200, posted(service, "/oauth/token", yield* approved(service, session, client_id)))
      const won = exchanges.filter((answer) => answer.status === 200)
      assert.lengthOf(won, 1)
      assert.isTrue(exchanges.every((answer) => answer.status === 200 || answer.json.error === "invalid_grant"))
      assert.strictEqual(yield* mcp(service, won[0]!.json.access_token), 401)

      const good = (yield* posted(service, "/oauth/token", yield* approved(service, session, client_id))).json
      const refresh = (refresh_token: string) => posted(service, "/oauth/token", { grant_type: "refresh_token", client_id, refresh_token })
      const refreshes = yield* many(200, refresh(good.refresh_token))
      const next = refreshes.filter((answer) => answer.status === 200)
      assert.lengthOf(next, 1)
      assert.strictEqual(yield* mcp(service, good.access_token), 401)
      assert.strictEqual(yield* mcp(service, next[0]!.json.access_token), 401)
      assert.strictEqual((yield* refresh(next[0]!.json.refresh_token)).json.error, "invalid_grant")
    }))

  it.effect("a token opens its own door and no other", () =>
    Effect.gen(function*() {
      const { account, client_id, service, session } = yield* begin
      const exchange = yield* approved(service, session, client_id)
      const tokens = (yield* posted(service, "/oauth/token", exchange)).json
      const refreshed = (refresh_token: string) => Effect.map(posted(service, "/oauth/token", { grant_type: "refresh_token", client_id, refresh_token }), (answer) => answer.json.error)
      for (const token of [tokens.access_token, tokens.refresh_token, exchange.code]) {
        for (const path of ["/v1/me", "/v1/tokens", "/v1/projects"]) {
          const refused = yield* service.ask(path, { headers: { authorization: `Bearer ${token}` } })
          assert.deepStrictEqual([refused.status, refused.json.error.code], [401, "auth_required"], path)
        }
      }
      for (const token of [tokens.refresh_token, exchange.code]) assert.strictEqual(yield* mcp(service, token), 401)
      for (const token of [tokens.access_token, account.token, exchange.code]) assert.strictEqual(yield* refreshed(token), "invalid_grant")

      yield* service.inside(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE oauth_families SET resource = 'https://elsewhere.example/mcp'`))
      assert.strictEqual(yield* mcp(service, tokens.access_token), 401)
    }))
})
