/** /settings: for whoever is signed in; what is connected, and a click that revokes it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cookiesOf } from "../support/ask.ts"
import { Service, serviceWith } from "../support/service.ts"

layer(serviceWith(), { timeout: "60 seconds", excludeTestServices: true })("settings", (it) => {
  it.effect("shows what is connected and revokes it by a click; strangers sign in first", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email, password } = yield* service.account()
      const login = yield* service.ask("/v1/auth/login", { json: { email, password } })
      const headers = { cookie: cookiesOf(login), "x-csrf-token": login.json.csrf_token as string }
      const stranger = yield* service.ask("/settings")
      assert.deepStrictEqual([stranger.status, stranger.headers.location], [303, "/login?next=%2Fsettings"])

      const device = (yield* service.ask("/v1/auth/device", { method: "POST", headers: { "user-agent": "desk-robot/2" } })).json
      yield* service.ask("/v1/auth/device/approve", { json: { user_code: device.user_code }, headers })
      const { token } = (yield* service.ask("/v1/auth/device/token", { json: { device_code: device.device_code } })).json
      const bearer = { authorization: `Bearer ${token}` }
      assert.strictEqual((yield* service.ask("/v1/me", { headers: bearer })).status, 200)

      const shown = yield* service.ask("/settings", { headers })
      assert.include(shown.text, "desk-robot/2")
      const grant = /name="grant" value="([^"]+)"/.exec(shown.text)![1]!
      const click = (fields: Record<string, string>) =>
        service.ask("/settings", {
          method: "POST",
          body: new URLSearchParams(fields).toString(),
          headers: { cookie: headers.cookie, "content-type": "application/x-www-form-urlencoded" }
        })
      assert.strictEqual((yield* click({ grant, csrf: "x".repeat(43) })).status, 403)
      assert.strictEqual((yield* service.ask("/v1/me", { headers: bearer })).status, 200)
      assert.strictEqual((yield* click({ grant, csrf: headers["x-csrf-token"] })).headers.location, "/settings")
      assert.strictEqual((yield* service.ask("/v1/me", { headers: bearer })).status, 401)
      assert.include((yield* service.ask("/settings", { headers })).text, "Nothing is connected")
    }))

  it.effect("says how linking went, in words", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email, password } = yield* service.account()
      const cookie = cookiesOf(yield* service.ask("/v1/auth/login", { json: { email, password } }))
      const told = (query: string) => Effect.map(service.ask(`/settings?${query}`, { headers: { cookie } }), (answer) => answer.text)
      assert.include(yield* told("idp_linked=1"), "is linked")
      assert.include(yield* told("idp_link_error=conflict"), "belongs to another account")
      assert.notInclude(yield* told("idp_link_error=%3Cscript%3E"), "<script>")
    }))
})
