/** The pages that let something in: shown to somebody signed in, acted on with a click and the page's own token. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { pkce, posted, REDIRECT, register, signIn } from "../support/oauth.ts"
import { Service, serviceWith } from "../support/service.ts"

layer(serviceWith(), { timeout: "60 seconds", excludeTestServices: true })("pages", (it) => {
  const begin = Effect.gen(function*() {
    const service = yield* Service
    const { email } = yield* service.account()
    const session = yield* signIn(service, email)
    const { client_id } = (yield* register(service, { client_name: "<b>Agent</b>" })).json as { client_id: string }
    const query = (change: Record<string, string> = {}) =>
      new URLSearchParams({ response_type: "code", client_id, redirect_uri: REDIRECT, state: "s", code_challenge: pkce().challenge, code_challenge_method: "S256", ...change }).toString()
    return { service, email, session, query }
  })

  it.effect("the device page shows who asks, and a link alone approves nothing", () =>
    Effect.gen(function*() {
      const { service, session } = yield* begin
      const codes = (yield* service.ask("/v1/auth/device", { method: "POST", headers: { "user-agent": "cli <img src=x>" } })).json
      const link = new URL(codes.verification_url_complete)
      const bare = yield* service.ask(link.pathname + link.search)
      assert.strictEqual(bare.status, 303)
      assert.strictEqual(bare.headers.location, `/login?next=${encodeURIComponent(link.pathname + link.search)}`)

      const shown = yield* service.ask(link.pathname + link.search, { headers: { cookie: session.cookie } })
      assert.strictEqual(shown.status, 200)
      for (const part of [codes.user_code, "cli &lt;img src=x&gt;", "127.0.0.1", "UTC"]) assert.include(shown.text, part)
      assert.include(shown.headers["content-security-policy"], "frame-ancestors 'none'")
      assert.notInclude(shown.text, "<script")
      assert.strictEqual((yield* service.ask("/v1/auth/device/token", { json: { device_code: codes.device_code } })).json.status, "pending")

      const fields = { user_code: codes.user_code, decision: "approve" }
      for (const csrf of ["", "wrong", "x".repeat(43)]) {
        assert.strictEqual((yield* posted(service, "/device", { ...fields, csrf }, { cookie: session.cookie })).status, 403)
      }
      const away = yield* posted(service, "/device", { ...fields, csrf: session["x-csrf-token"] })
      assert.strictEqual(away.headers.location, `/login?next=${encodeURIComponent(`/device?user_code=${codes.user_code}`)}`)
      const approved = yield* posted(service, "/device", { ...fields, csrf: session["x-csrf-token"] }, { cookie: session.cookie })
      assert.strictEqual(approved.status, 200)
      assert.strictEqual((yield* service.ask("/v1/auth/device/token", { json: { device_code: codes.device_code } })).json.status, "approved")

      const again = yield* service.ask(link.pathname + link.search, { headers: { cookie: session.cookie } })
      assert.strictEqual(again.status, 404)
      const denied = yield* posted(service, "/device", { ...fields, csrf: session["x-csrf-token"] }, { cookie: session.cookie })
      assert.strictEqual(denied.status, 404)
      assert.include((yield* service.ask("/device", { headers: { cookie: session.cookie } })).text, "name=\"user_code\"")
    }))

  it.effect("the consent page names the agent, where the answer goes and the scope; faults go back, wrong clients do not", () =>
    Effect.gen(function*() {
      const { email, query, service, session } = yield* begin
      const headers = { cookie: session.cookie }
      const bare = yield* service.ask(`/oauth/authorize?${query()}`)
      assert.match(bare.headers.location!, /^\/login\?next=%2Foauth%2Fauthorize%3F/)

      const shown = yield* service.ask(`/oauth/authorize?${query()}`, { headers })
      assert.strictEqual(shown.status, 200)
      for (const part of ["&lt;b&gt;Agent&lt;/b&gt;", "agent.example", "mcp", email]) assert.include(shown.text, part)
      assert.include(shown.headers["content-security-policy"], "form-action 'self' https://agent.example;")
      assert.include(shown.headers["content-security-policy"], "frame-ancestors 'none'")

      for (const [change, error] of [
        [{ response_type: "token" }, "unsupported_response_type"],
        [{ code_challenge_method: "plain" }, "invalid_request"],
        [{ code_challenge: "" }, "invalid_request"],
        [{ scope: "admin" }, "invalid_scope"],
        [{ resource: "https://elsewhere.example" }, "invalid_target"]
      ] as const) {
        const back = yield* service.ask(`/oauth/authorize?${query(change)}`, { headers })
        assert.strictEqual(back.status, 303)
        const { origin, pathname, searchParams } = new URL(back.headers.location!)
        assert.strictEqual(origin + pathname, REDIRECT)
        assert.deepStrictEqual([searchParams.get("error"), searchParams.get("state"), searchParams.get("iss")], [error, "s", `http://svc.localhost:${service.port}`])
      }
      for (const change of [{ client_id: "nobody" }, { redirect_uri: "https://evil.example/" }]) {
        const refused = yield* service.ask(`/oauth/authorize?${query(change)}`, { headers })
        assert.deepStrictEqual([refused.status, refused.headers.location], [400, undefined])
      }
      const twice = yield* service.ask(`/oauth/authorize?${query()}&redirect_uri=https%3A%2F%2Fevil.example%2F`, { headers })
      assert.deepStrictEqual([twice.status, twice.headers.location], [400, undefined])

      const fields = Object.fromEntries(new URLSearchParams(query()))
      const forged = yield* posted(service, "/oauth/authorize", { ...fields, decision: "approve", csrf: "wrong" }, headers)
      assert.deepStrictEqual([forged.status, forged.headers.location], [403, undefined])
      const approved = yield* posted(service, "/oauth/authorize", { ...fields, decision: "approve", csrf: session["x-csrf-token"] }, headers)
      assert.match(approved.headers.location!, /^https:\/\/agent\.example\/callback\?code=svc_ac_/)
      assert.strictEqual(approved.headers["referrer-policy"], "no-referrer")
    }))
})
