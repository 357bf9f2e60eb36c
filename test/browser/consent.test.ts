/** Consent and devices as a person meets them: signed out, with a browser, led back to where they were going. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { axe } from "../support/axe.ts"
import { executable, hasChromium, reader } from "../support/browser.ts"
import { pkce, register } from "../support/oauth.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"

/** A program on the person's machine that waits for the answer. */
const listener = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer((_request, response) => response.end("Back in the program."))
    await once(server.listen(0, "127.0.0.1"), "listening")
    return { server, port: (server.address() as AddressInfo).port }
  }),
  ({ server }) => Effect.sync(() => (server.closeAllConnections(), server.close()))
)

describe.skipIf(!hasChromium)(`consent in a browser (${executable})`, () => {
  layer(serviceWith(), { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("sign in on the way, let an agent in, be led back to it, then let a device in", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { email } = yield* service.account()
        const { port } = yield* listener
        const { errors, page } = yield* reader
        const { client_id } = (yield* register(service, { redirect_uris: ["http://127.0.0.1/cb"] })).json as { client_id: string }
        const base = `http://svc.localhost:${service.port}`
        const query = new URLSearchParams({
          response_type: "code", client_id, redirect_uri: `http://127.0.0.1:${port}/cb`, state: "s", code_challenge: pkce().challenge, code_challenge_method: "S256"
        })
        const codes = (yield* service.ask("/v1/auth/device", { method: "POST", headers: { "user-agent": "svc-cli/1.0" } })).json
        yield* Effect.promise(async () => {
          const clean = async () => assert.deepStrictEqual(await axe(page), [])
          await page.goto(`${base}/oauth/authorize?${query}`)
          await page.getByLabel("Email").fill(email)
          await page.getByLabel("Password").fill(PASSWORD)
          await page.getByRole("button", { name: "Sign in" }).click()
          await page.getByRole("heading", { name: "Let this agent in?" }).waitFor()
          await clean()
          await page.getByRole("button", { name: "Let it in" }).click()
          await page.getByText("Back in the program.").waitFor()
          const back = new URL(page.url())
          assert.strictEqual(back.searchParams.get("state"), "s")
          assert.match(back.searchParams.get("code") ?? "", /^svc_ac_/)

          await page.goto(`${base}/device`)
          await clean()
          await page.getByLabel("Code").fill(codes.user_code.toLowerCase())
          await page.getByRole("button", { name: "Continue" }).click()
          await page.getByText("svc-cli/1.0").waitFor()
          await clean()
          await page.getByRole("button", { name: "Let it in" }).click()
          await page.getByRole("heading", { name: "The device is let in" }).waitFor()
        })
        const polled = yield* service.ask("/v1/auth/device/token", { json: { device_code: codes.device_code } })
        assert.strictEqual(polled.json.status, "approved")
        assert.deepStrictEqual(errors, [])
      }))
  })
})
