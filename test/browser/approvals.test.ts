/** The pages that let a device or an agent in: opening or framing them, or pressing a key, decides nothing. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { signedInPage } from "../support/app.ts"
import { executable, hasChromium } from "../support/browser.ts"
import { pkce, REDIRECT, register } from "../support/oauth.ts"
import { Service, serviceWith } from "../support/service.ts"

describe.skipIf(!hasChromium)(`approvals in a browser (${executable})`, () => {
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("neither being opened, nor a key, nor a frame lets anybody in", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { account, base, page } = yield* signedInPage()
        const device = (yield* service.ask("/v1/auth/device", { method: "POST" })).json as { readonly device_code: string; readonly verification_url_complete: string }
        const { client_id } = (yield* register(service)).json as { readonly client_id: string }
        const query = new URLSearchParams({ client_id, redirect_uri: REDIRECT, response_type: "code", code_challenge: pkce().challenge, code_challenge_method: "S256", state: "s" })
        const doors = [device.verification_url_complete, `${base}/oauth/authorize?${query}`]
        const frames = doors.map((door) => `<iframe src="${door.replaceAll("&", "&amp;")}"></iframe>`).join("")
        yield* service.ask("/v1/projects/lure", { method: "PUT", body: `<h1>Lure</h1>${frames}`, headers: { ...account.bearer, "content-type": "text/html" } })
        yield* Effect.promise(async () => {
          const decided: Array<string> = []
          page.on("request", (request) => {
            if (request.method() !== "GET" && request.url().startsWith(base)) decided.push(`${request.method()} ${request.url()}`)
          })
          for (const door of doors) {
            await page.goto(door)
            await page.getByRole("button", { name: "Let it in" }).waitFor()
            for (const key of ["Enter", "Space"]) await page.keyboard.press(key)
            await page.waitForLoadState("networkidle")
            assert.strictEqual(page.url(), door)
          }
          await page.goto(`http://lure.svc.localhost:${service.port}/`, { waitUntil: "networkidle" })
          for (const frame of page.frames().slice(1)) assert.strictEqual(await frame.locator("button").count(), 0, frame.url())
          assert.strictEqual(page.frames().length, 3)
          assert.deepStrictEqual(decided, [])
        })
        const poll = yield* service.ask("/v1/auth/device/token", { json: { device_code: device.device_code } })
        assert.deepStrictEqual(poll.json, { status: "pending" })
        assert.deepStrictEqual((yield* service.ask("/v1/me/grants", { headers: account.bearer })).json, [])
      }))

    it.effect("an agent that a document describes shows at which host, whatever the name in it", () =>
      Effect.gen(function*() {
        const { base, page } = yield* signedInPage()
        const asks = { client_name: "Claude Code", client_uri: null, redirect_hosts: ["localhost:4100"], scope: "mcp", fault: null }
        yield* Effect.promise(async () => {
          await page.route("**/v1/oauth/authorize/info?*", (route) => route.fulfill({ json: { ...asks, client_id: new URL(route.request().url()).searchParams.get("client_id") } }))
          for (const [id, facts] of [
            ["https://xn--laude-2of.example/agent.json", { "Described at": "xn--laude-2of.example" }],
            ["01900000-0000-7000-8000-000000000000", {}]
          ] as const) {
            await page.goto(`${base}/oauth/authorize?${new URLSearchParams({ client_id: id, redirect_uri: "http://localhost:4100/back" })}`)
            await page.getByRole("button", { name: "Let it in" }).waitFor()
            const shown = await page.locator("dl > div").evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)))
            assert.deepStrictEqual(Object.fromEntries(shown), { "Agent, by its own word": "Claude Code", ...facts, "The answer goes to": "localhost:4100", Scope: "mcp: the agents’ tools" })
          }
        })
      }))
  })
})
