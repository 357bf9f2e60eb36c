/** Which origins may call with credentials: the web app's, when it lives elsewhere; nobody else's, and none sees by a gate who is signed in. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cookiesOf } from "../support/ask.ts"
import { mailTo, tokenIn } from "../support/mail.ts"
import { signIn } from "../support/member-pass.ts"
import { Service, serviceWith } from "../support/service.ts"

const APP = "http://app.example.test"

layer(serviceWith({ SVC_APP_URL: APP, SVC_TRUSTED_PROXY_HOPS: "1" }), { excludeTestServices: true })("an app on another origin", (it) => {
  it.effect("is answered with credentials; its preflights too; another origin is not", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const preflight = (origin: string) =>
        service.ask("/v1/tokens", { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "x-csrf-token" } })
      const allowed = yield* preflight(APP)
      assert.strictEqual(allowed.status, 204)
      assert.strictEqual(allowed.headers["access-control-allow-origin"], APP)
      assert.strictEqual(allowed.headers["access-control-allow-credentials"], "true")
      assert.match(String(allowed.headers["access-control-allow-headers"]), /X-CSRF-Token/)
      for (const origin of ["http://evil.example", "null", `${APP}.evil.example`, "http://svc.localhost.evil"]) {
        const refused = yield* preflight(origin)
        assert.isUndefined(refused.headers["access-control-allow-origin"])
        assert.notStrictEqual(refused.status, 204)
      }
      const me = yield* service.ask("/v1/me", { headers: { origin: APP } })
      assert.strictEqual(me.status, 401)
      assert.strictEqual(me.headers["access-control-allow-origin"], APP)
      assert.match(String(me.headers.vary), /Origin/)
      const foreign = yield* service.ask("/v1/me", { headers: { origin: "http://evil.example" } })
      assert.isUndefined(foreign.headers["access-control-allow-origin"])
      assert.match(String(foreign.headers.vary), /Origin/, "or a cache would give it to the app")
      // A file that caches keep says so too, beside the encodings that it has.
      const page = yield* service.ask("/login", { host: "app.example.test" })
      for (const path of ["/openapi.json", /"(\/assets\/[^"]+\.js)"/.exec(page.text)![1]!]) {
        const file = yield* service.ask(path, { headers: { origin: APP } })
        assert.deepStrictEqual([file.headers["access-control-allow-origin"], file.headers.vary], [APP, "Accept-Encoding, Origin"], path)
      }
    }))

  it.effect("downloads by links that its reader follows; what another page makes a browser load is signed out", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const cookie = yield* signIn(service, account)
      yield* service.ask("/v1/projects/kept-apart", { method: "PUT", body: "<p>x", headers: { ...account.bearer, "content-type": "text/html" } })
      const asked = (headers: Readonly<Record<string, string>>) =>
        Effect.map(service.ask("/v1/projects/kept-apart/versions/1/download", { headers: { cookie, "sec-fetch-site": "same-site", ...headers } }), ({ status }) => status)
      const navigated = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }
      const WEBKIT = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15"
      const CHROME = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
      for (const headers of [{ ...navigated, "sec-fetch-user": "?1" }, { ...navigated, "user-agent": WEBKIT }, { origin: APP }]) {
        assert.strictEqual(yield* asked(headers), 200, JSON.stringify(headers))
      }
      const loads = [{}, navigated, { ...navigated, "user-agent": CHROME }, { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "empty", "user-agent": WEBKIT }, { ...navigated, "sec-fetch-dest": "iframe", "sec-fetch-user": "?1" }]
      for (const headers of loads) assert.strictEqual(yield* asked(headers), 401, JSON.stringify(headers))
    }))

  it.effect("no page of another origin sees by a gate who is signed in: none is in a frame, and in a window a page leads on, not a redirect", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [owner, stranger] = [yield* service.account(), yield* service.account()]
      yield* service.ask("/v1/projects/watched?visibility=private", { method: "PUT", body: "<p>x", headers: { ...owner.bearer, "content-type": "text/html" } })
      const callers = ["", yield* signIn(service, stranger), yield* signIn(service, owner)]
      const from = (site: string, dest: string, mode = "navigate") => ({ "sec-fetch-site": site, "sec-fetch-dest": dest, "sec-fetch-mode": mode })
      for (const gate of ["member", "comment"]) {
        const asked = (cookie: string, headers: Readonly<Record<string, string>>) => service.ask(`/v1/gate/${gate}?slug=watched&next=/`, { headers: { ...headers, cookie } })
        const here = yield* Effect.forEach(callers, (cookie) => asked(cookie, {}))
        assert.deepStrictEqual(here.map(({ status }) => status), gate === "member" ? [303, 403, 303] : [303, 303, 303])
        for (const headers of [from("same-origin", "document"), from("none", "document")]) {
          for (const [index, cookie] of callers.entries()) assert.strictEqual((yield* asked(cookie, headers)).status, here[index]!.status)
        }
        for (const headers of [from("cross-site", "iframe"), from("same-site", "object"), from("same-site", "empty", "no-cors")]) {
          for (const cookie of callers) {
            const answer = yield* asked(cookie, headers)
            assert.deepStrictEqual([answer.status, answer.headers.location], [303, here[0]!.headers.location])
          }
        }
        for (const site of ["same-site", "cross-site"]) {
          for (const [index, cookie] of callers.entries()) {
            const { headers, status, text } = yield* asked(cookie, from(site, "document"))
            assert.deepInclude(headers, { "cross-origin-opener-policy": "same-origin", "referrer-policy": "no-referrer", "cache-control": "no-store" })
            assert.isUndefined(headers.location)
            if (gate === "member" && index === 1) assert.strictEqual(status, 403)
            else {
              assert.strictEqual(status, 200)
              const [, to = ""] = /^0;url=(.*)$/.exec(String(headers.refresh))!
              assert.strictEqual(to.replace(/t=[^&]+/, ""), here[index]!.headers.location!.replace(/t=[^&]+/, ""))
              assert.include(text, `href="${to.replaceAll("&", "&amp;")}"`)
            }
          }
        }
      }
    }))

  it.effect("signs nobody in for a page of another origin: by no door, whatever type the body claims; for our own pages and for programs it does", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [reader, attacker] = [yield* service.account(), yield* service.account()]
      const guest = `guest-of-${attacker.email}`
      yield* service.ask("/v1/auth/magic-link", { json: { email: attacker.email } })
      yield* service.ask("/v1/workspace/invites", { json: { email: guest, role: "member" }, headers: attacker.bearer })
      const mailed = (to: string) => Effect.map(mailTo(service, to), ([mail]) => tokenIn(mail!.links))
      const [link, invitation] = [yield* mailed(attacker.email), yield* mailed(guest)]
      const cookie = yield* signIn(service, reader)
      const base = `http://svc.localhost:${service.port}`
      // As Chromium sends fetch(…, { mode: "no-cors", body: new Blob([…]) }), and as a browser does that says nothing but the origin.
      const chromium = (site: string, mode = "no-cors") => ({ "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": "empty" })
      const foreign = [
        { origin: "http://raw.svc.localhost", ...chromium("same-site") },
        { origin: "https://evil.example", ...chromium("cross-site") },
        { origin: "null", ...chromium("cross-site") },
        chromium("same-site"),
        { origin: "https://evil.example" },
        { origin: "null" }
      ]
      const ours = [{ origin: base, ...chromium("same-origin", "cors") }, { origin: "null", ...chromium("same-origin", "navigate") }, { origin: APP, ...chromium("cross-site", "cors") }, { origin: base }, { origin: APP }, chromium("none", "navigate"), {}]
      let client = 0
      const doors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
        "/v1/auth/login": { email: attacker.email, password: attacker.password },
        "/v1/auth/magic-link/verify": { token: link },
        "/v1/auth/invites/accept": { token: invitation, name: "Cat" }
      }
      const asked = (door: string, headers: Readonly<Record<string, string>>) =>
        service.ask(door, { method: "POST", body: JSON.stringify(doors[door]), headers: { "x-forwarded-for": `10.11.0.${++client}`, ...headers } })
      for (const door of Object.keys(doors)) {
        for (const page of foreign) {
          for (const type of [{}, { "content-type": "application/json" }]) {
            const refused = yield* asked(door, { cookie, ...page, ...type })
            assert.deepInclude(refused.json.error, { code: "forbidden", details: { reason: "foreign_origin" } }, `${door} ${JSON.stringify(page)}: ${refused.text}`)
            assert.deepStrictEqual([refused.status, refused.headers["set-cookie"]], [403, undefined])
          }
        }
      }
      assert.strictEqual((yield* service.ask("/v1/me", { headers: { cookie } })).json.user.email, reader.email)
      for (const page of ours) assert.strictEqual((yield* asked("/v1/auth/login", { "content-type": "application/json", ...page })).status, 200, JSON.stringify(page))
      // Refusals used up neither link.
      for (const door of Object.keys(doors)) assert.include(cookiesOf(yield* asked(door, { "content-type": "application/json" })), "__Host-svc_session=", door)
    }))

  it.effect("gets cookies that travel between sites", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email, password } = yield* service.account()
      const login = yield* service.ask("/v1/auth/login", { json: { email, password } })
      for (const cookie of login.headers["set-cookie"]!) assert.match(cookie, /; SameSite=None/)
    }))
})
