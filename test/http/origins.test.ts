/** Which origins may call with credentials: the web app's, when it lives elsewhere; nobody else's. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Service, serviceWith } from "../support/service.ts"

const APP = "http://app.example.test"

layer(serviceWith({ SVC_APP_URL: APP }), { timeout: "60 seconds", excludeTestServices: true })("an app on another origin", (it) => {
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
      assert.isUndefined((yield* service.ask("/v1/me", { headers: { origin: "http://evil.example" } })).headers["access-control-allow-origin"])
    }))

  it.effect("gets cookies that travel between sites", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email, password } = yield* service.account()
      const login = yield* service.ask("/v1/auth/login", { json: { email, password } })
      for (const cookie of login.headers["set-cookie"]!) assert.match(cookie, /; SameSite=None/)
    }))
})
