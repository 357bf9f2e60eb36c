/** The web app over the wire: who gets its page with which policy, its files, and the addresses that stay the server's. */
import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cookiesOf } from "../support/ask.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"
import { guideHeaders } from "../support/static-host.ts"

/** The complete policy: any addition has to be deliberate. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const isApp = (text: string) => text.includes(`<div id="app"></div>`)

layer(serviceWith(), { excludeTestServices: true })("the app beside its API", (it) => {
  it.effect("its addresses answer its page; what it cannot know is 404; the front is the server's for whoever is signed out", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account()
      const cookie = cookiesOf(yield* service.ask("/v1/auth/login", { json: { email, password: PASSWORD } }))
      for (const path of ["/projects/a", "/projects/a/share?x=1", "/workspace", "/account", "/connect"]) {
        const answer = yield* service.ask(path)
        assert.deepStrictEqual([answer.status, isApp(answer.text)], [200, true], path)
        assert.strictEqual(answer.headers["cache-control"], "no-cache")
        assert.strictEqual(answer.headers["content-security-policy"], POLICY, path)
        assert.notMatch(answer.text, /<script(?![^>]* src=)|<style|\s(?:style|on\w+)=/)
      }
      const { headers } = yield* service.ask("/connect")
      assert.deepInclude(headers, { "cross-origin-opener-policy": "same-origin", "referrer-policy": "no-referrer", "x-content-type-options": "nosniff" })
      assert.match(String(headers["permissions-policy"]), /camera=\(\).*geolocation=\(\).*payment=\(\)/)
      // Addresses with tokens and codes: no cache keeps the answer, no Referer passes it on, and nothing happens without a click.
      const link = (yield* service.ask("/v1/auth/device", { method: "POST" })).json.verification_url_complete as string
      for (const path of ["/login?next=/x", "/signup", "/magic-link?token=t", "/forgot-password", "/reset-password?token=t", "/verify-email?token=t", "/invite?token=t", "/oauth/authorize?client_id=c", new URL(link).pathname + new URL(link).search]) {
        const answer = yield* service.ask(path, { headers: { cookie } })
        assert.deepStrictEqual([answer.status, isApp(answer.text), answer.headers["set-cookie"]], [200, true, undefined], path)
        assert.deepStrictEqual([answer.headers["cache-control"], answer.headers["referrer-policy"]], ["no-store", "no-referrer"], path)
        assert.strictEqual(answer.headers["content-security-policy"], POLICY, path)
      }
      for (const path of ["/login", "/magic-link", "/verify-email", "/invite", "/device", "/oauth/authorize", "/settings"]) {
        assert.strictEqual((yield* service.ask(path, { method: "POST", body: "token=t", headers: { cookie, "content-type": "application/x-www-form-urlencoded" } })).status, 405, path)
      }
      const nowhere = yield* service.ask("/projects/a/b/c")
      assert.deepStrictEqual([nowhere.status, isApp(nowhere.text)], [404, true])
      assert.deepStrictEqual([isApp((yield* service.ask("/")).text), isApp((yield* service.ask("/", { headers: { cookie } })).text)], [false, true])
      for (const path of ["/docs", "/healthz", "/nowhere"]) assert.isFalse(isApp((yield* service.ask(path)).text), path)
      assert.strictEqual((yield* service.ask("/projects/a", { method: "POST" })).status, 405)
    }))

  it.effect("whoever has a session has their first answers asked for with the page, and its frame shown at once", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account()
      const cookie = cookiesOf(yield* service.ask("/v1/auth/login", { json: { email, password: PASSWORD } }))
      const begun = (path: string, headers: Record<string, string> = { cookie }) =>
        Effect.map(service.ask(path, { headers }), ({ text }) => [text.includes(`id="waiting" aria-hidden="true">`), [...text.matchAll(/as="fetch"[^>]* href="([^"]+)"/g)].map(([, read = ""]) => read.replaceAll("&amp;", "&"))])
      const list = ["/v1/me", "/v1/projects?limit=60&include=excerpt", "/v1/folders?limit=100"]
      assert.deepStrictEqual(yield* begun("/"), [true, list])
      for (const read of list) assert.strictEqual((yield* service.ask(read, { headers: { cookie } })).status, 200, read)
      assert.deepStrictEqual(yield* begun("/?q=x"), [true, ["/v1/me"]])
      assert.deepStrictEqual(yield* begun("/projects/a/share"), [true, ["/v1/me", "/v1/projects/a?include=excerpt"]])
      assert.deepStrictEqual(yield* begun("/projects/%22%3E"), [true, ["/v1/me"]])
      assert.deepStrictEqual(yield* begun("/projects/a", {}), [false, []])
      assert.deepStrictEqual(yield* begun("/login"), [false, []])
    }))

  it.effect("its files are kept for ever, compressed once, and their names are all there is", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [, script = ""] = /src="(\/assets\/first-[^"]+\.js)"/.exec(readFileSync("dist/app/index.html", "utf8")) ?? []
      const br = yield* service.ask(script, { headers: { "accept-encoding": "gzip, br" } })
      assert.deepStrictEqual([br.status, br.headers["content-encoding"]], [200, "br"])
      assert.match(String(br.headers["cache-control"]), /immutable/)
      assert.deepStrictEqual(br.bytes, readFileSync(`dist/app${script}.br`))
      const plain = yield* service.ask(script, { headers: { "accept-encoding": "br;q=0" } })
      assert.isUndefined(plain.headers["content-encoding"])
      const tag = String(br.headers["etag"])
      for (const held of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
        assert.strictEqual((yield* service.ask(script, { headers: { "accept-encoding": "br", "if-none-match": held } })).status, 304, held)
      }
      const weighed = yield* service.ask(script, { headers: { "accept-encoding": "*, br;q=0.5", "if-none-match": "\"x\"" } })
      assert.deepStrictEqual([weighed.status, weighed.headers["content-encoding"]], [200, "gzip"])
      for (const path of ["/assets/none.js", "/assets/..%2findex.html", "/assets/manifest.json"]) assert.strictEqual((yield* service.ask(path)).status, 404, path)
    }))
})

layer(serviceWith({ SVC_APP_URL: "http://app.svc.test" }), { excludeTestServices: true })("the app on another origin", (it) => {
  it.effect("is told where the API is, and the API's own host leads there", () =>
    Effect.gen(function*() {
      const { ask, port } = yield* Service
      const there = yield* ask("/account", { headers: { host: "app.svc.test" } })
      assert.include(there.text, `name="svc-base-url" content="http://svc.localhost:${port}"`)
      assert.strictEqual(there.headers["content-security-policy"], POLICY.replace("connect-src 'self'", `connect-src http://svc.localhost:${port}`).replace("data:", `data: http://svc.localhost:${port}`))
      // Both examples in docs/deploy.md have the headers that are sent here.
      const guide = guideHeaders(`http://svc.localhost:${port}`)
      assert.isAtLeast(guide.length, 6)
      for (const [name, value] of guide) assert.strictEqual(there.headers[name.toLowerCase()], value, name)
      for (const [name, value] of guideHeaders("https://svc.example.com")) assert.include(readFileSync("docs/deploy.md", "utf8"), `\t\t${name} "${value}"`)
      const here = yield* ask("/account?x=1")
      assert.deepStrictEqual([here.status, here.headers["location"]], [303, "http://app.svc.test/account?x=1"])
    }))
})
