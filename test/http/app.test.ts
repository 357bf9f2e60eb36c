/** The web app over the wire: who gets its page with which policy, its files, and the addresses that stay the server's. */
import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cookiesOf } from "../support/ask.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"

const isApp = (text: string) => text.includes(`<div id="app"></div>`)

layer(serviceWith(), { timeout: "60 seconds", excludeTestServices: true })("the app beside its API", (it) => {
  it.effect("its addresses answer its page; what it cannot know is 404; the front is the server's for whoever is signed out", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account()
      const cookie = cookiesOf(yield* service.ask("/v1/auth/login", { json: { email, password: PASSWORD } }))
      for (const path of ["/projects/a", "/projects/a/share?x=1", "/workspace", "/account", "/connect"]) {
        const answer = yield* service.ask(path)
        assert.deepStrictEqual([answer.status, isApp(answer.text)], [200, true], path)
        assert.strictEqual(answer.headers["cache-control"], "no-cache")
        const policy = String(answer.headers["content-security-policy"])
        assert.match(policy, /default-src 'none'; script-src 'self';/)
        assert.match(policy, /frame-ancestors 'none'/)
      }
      // Where tokens and codes are in the address: no cache keeps the answer, no Referer carries it on, and nothing happens but by a click.
      const link = (yield* service.ask("/v1/auth/device", { method: "POST" })).json.verification_url_complete as string
      const nonces = new Set<string>()
      for (const path of ["/login?next=/x", "/signup", "/magic-link?token=t", "/forgot-password", "/reset-password?token=t", "/verify-email?token=t", "/invite?token=t", "/oauth/authorize?client_id=c", new URL(link).pathname + new URL(link).search]) {
        const answer = yield* service.ask(path, { headers: { cookie } })
        assert.deepStrictEqual([answer.status, isApp(answer.text), answer.headers["set-cookie"]], [200, true, undefined], path)
        assert.deepStrictEqual([answer.headers["cache-control"], answer.headers["referrer-policy"]], ["no-store", "no-referrer"], path)
        const policy = String(answer.headers["content-security-policy"])
        assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/)
        assert.match(policy, /frame-ancestors 'none'/)
        assert.notInclude(policy, "unsafe")
        const [, nonce = ""] = /<script nonce="([^"]+)"/.exec(answer.text) ?? []
        assert.include(policy, `'nonce-${nonce}'`)
        nonces.add(nonce)
      }
      assert.strictEqual(nonces.size, 9)
      for (const path of ["/login", "/magic-link", "/verify-email", "/invite", "/device", "/oauth/authorize", "/settings"]) {
        assert.strictEqual((yield* service.ask(path, { method: "POST", body: "token=t", headers: { cookie, "content-type": "application/x-www-form-urlencoded" } })).status, 404, path)
      }
      const nowhere = yield* service.ask("/projects/a/b/c")
      assert.deepStrictEqual([nowhere.status, isApp(nowhere.text)], [404, true])
      assert.deepStrictEqual([isApp((yield* service.ask("/")).text), isApp((yield* service.ask("/", { headers: { cookie } })).text)], [false, true])
      for (const path of ["/docs", "/healthz", "/nowhere"]) assert.isFalse(isApp((yield* service.ask(path)).text), path)
      assert.strictEqual((yield* service.ask("/projects/a", { method: "POST" })).status, 404)
    }))

  it.effect("its files are kept for ever, compressed once, and their names are all there is", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [, script = ""] = /src="(\/assets\/index-[^"]+\.js)"/.exec(readFileSync("dist/app/index.html", "utf8")) ?? []
      const br = yield* service.ask(script, { headers: { "accept-encoding": "gzip, br" } })
      assert.deepStrictEqual([br.status, br.headers["content-encoding"]], [200, "br"])
      assert.match(String(br.headers["cache-control"]), /immutable/)
      assert.deepStrictEqual(br.bytes, readFileSync(`dist/app${script}.br`))
      const plain = yield* service.ask(script, { headers: { "accept-encoding": "br;q=0" } })
      assert.isUndefined(plain.headers["content-encoding"])
      assert.strictEqual((yield* service.ask(script, { headers: { "accept-encoding": "br", "if-none-match": String(br.headers["etag"]) } })).status, 304)
      for (const path of ["/assets/none.js", "/assets/..%2findex.html", "/assets/manifest.json"]) assert.strictEqual((yield* service.ask(path)).status, 404, path)
    }))
})

layer(serviceWith({ SVC_APP_URL: "http://app.svc.test" }), { timeout: "60 seconds", excludeTestServices: true })("the app on another origin", (it) => {
  it.effect("is told where the API is, and the API's own host leads there", () =>
    Effect.gen(function*() {
      const { ask, port } = yield* Service
      const there = yield* ask("/account", { headers: { host: "app.svc.test" } })
      assert.include(there.text, `name="svc-base-url" content="http://svc.localhost:${port}"`)
      assert.include(String(there.headers["content-security-policy"]), `connect-src 'self' http://svc.localhost:${port}`)
      const here = yield* ask("/account?x=1")
      assert.deepStrictEqual([here.status, here.headers["location"]], [303, "http://app.svc.test/account?x=1"])
    }))
})
