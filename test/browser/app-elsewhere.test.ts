/** The web app on a static host of another origin, under the headers of the guide: everything a session can do there, and what a third origin cannot do with it. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { afterAll } from "vitest"
import { comesTo, executable, hasChromium, reader } from "../support/browser.ts"
import { CLIENT, openProvider } from "../support/identity-provider.ts"
import { pngOf } from "../support/pngs.ts"
import { Service, serviceWith } from "../support/service.ts"
import { openStaticHost } from "../support/static-host.ts"

const host = await openStaticHost()
const provider = await openProvider()
afterAll(() => Promise.all([host.stop(), provider.stop()]))

/** The same site as the API, as `app.example.com` and `svc.example.com` are. */
const APP = `http://app.svc.localhost:${host.port}`

const settings = { SVC_APP_URL: APP, SVC_IDP_ISSUER: provider.issuer, SVC_IDP_CLIENT_ID: CLIENT.id, SVC_IDP_CLIENT_SECRET: CLIENT.secret }

/** Everything that a page can try with cookies that are not its own; returns the result of each. */
const attack = (page: Page, at: { readonly api: string; readonly slug: string; readonly own: { readonly email: string; readonly password: string } }) =>
  page.evaluate(async ({ api, own, slug }) => {
    const told = async (name: string, path: string, init: RequestInit): Promise<string> => {
      try {
        const answer = await fetch(api + path, { credentials: "include", ...init })
        return `${name} ${answer.type} ${answer.status}`
      } catch {
        return `${name} refused`
      }
    }
    const json = { headers: { "Content-Type": "application/json" }, body: `{"visibility":"public"}` }
    const form = new FormData()
    form.append("file", new File(["<h1>Theirs</h1>"], "index.html", { type: "text/html" }))
    return [
      await told("who", "/v1/me", {}),
      await told("token", "/v1/auth/csrf", {}),
      await told("change", `/v1/projects/${slug}`, { method: "PATCH", ...json }),
      await told("delete", `/v1/projects/${slug}`, { method: "DELETE" }),
      await told("put", `/v1/projects/${slug}`, { method: "PUT", body: "theirs" }),
      await told("guess", "/v1/auth/logout", { method: "POST", headers: { "X-CSRF-Token": "guess" } }),
      // These need no preflight.
      await told("publish", "/v1/projects", { method: "POST", mode: "no-cors", body: form }),
      await told("sign out", "/v1/auth/logout", { method: "POST", mode: "no-cors" }),
      await told("out everywhere", "/v1/auth/logout-all", { method: "POST", mode: "no-cors", headers: { "Content-Type": "text/plain" }, body: "{}" }),
      // A body that claims no type.
      await told("sign in", "/v1/auth/login", { method: "POST", mode: "no-cors", body: new Blob([JSON.stringify(own)]) }),
      await told("provider", "/v1/auth/idp", { mode: "no-cors", redirect: "follow" })
    ]
  }, at)

/** A form is sent across origins without a preflight too; it navigates the page away. */
const post = (page: Page, enctype: string, action: string) =>
  Promise.all([
    page.waitForResponse(action),
    page.waitForURL(action),
    page.evaluate(([action, enctype]) => {
      const form = document.body.appendChild(document.createElement("form"))
      Object.assign(form, { method: "post", action, enctype })
      form.submit()
    }, [action, enctype])
  ]).then(async ([response]) => [response.status(), "cookie" in await response.request().allHeaders()])

describe.skipIf(!hasChromium)(`the app on another origin (${executable})`, () => {
  layer(serviceWith(settings), { excludeTestServices: true })((it) => {
    it.effect("signs in, publishes, changes who can open it, links the provider, signs out; no third origin does anything", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const api = `http://svc.localhost:${service.port}`
        host.publish(api)
        provider.register(`${api}/v1/auth/idp/callback`)
        const account = yield* service.account()
        const own = yield* service.account()
        provider.people.set("ada", { email: account.email, email_verified: true })
        provider.seat("ada")
        const { errors, page, settled, strangers } = yield* reader
        const call = async (method: string, path: string) => {
          await settled()
          return Effect.runPromise(service.ask(path, { method, headers: account.bearer }))
        }
        yield* Effect.promise(async () => {
          await page.goto(`${APP}/account?x=1`)
          await page.getByLabel("Email").fill(account.email)
          await page.getByLabel("Password").fill(account.password)
          await page.getByRole("button", { name: "Sign in" }).click()
          await page.getByRole("heading", { name: "Your name" }).waitFor()
          assert.strictEqual(new URL(page.url()).origin, APP)
          const cookies = await page.context().cookies()
          assert.deepStrictEqual(cookies.map(({ domain, name, sameSite }) => [name, domain, sameSite]).sort(), [
            ["__Host-svc_csrf", "svc.localhost", "Lax"],
            ["__Host-svc_session", "svc.localhost", "Lax"]
          ])
          assert.strictEqual(await page.evaluate(() => document.cookie), "")

          await page.getByRole("link", { name: "Library" }).first().click()
          await page.getByText("Drop a document here").waitFor()
          await page.evaluate(() => {
            const dataTransfer = new DataTransfer()
            dataTransfer.items.add(new File(["# Ours"], "ours.md", { type: "text/markdown" }))
            dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }))
          })
          await page.getByText("is live").first().waitFor()
          await page.getByRole("list", { name: "Projects" }).getByRole("heading").first().getByRole("link").click()
          await page.getByRole("link", { name: "Share" }).click()
          await page.getByRole("radio", { name: "Anyone with the doorcode" }).click()
          await page.getByRole("dialog").getByText("Doorcode", { exact: true }).waitFor()
          const [shown] = (await call("GET", "/v1/projects")).json.projects
          assert.deepInclude(shown, { title: "Ours", version: 1, visibility: "password" })
          // Any address is one to begin at.
          await page.reload()
          await page.getByRole("radio", { name: "Anyone with the doorcode", checked: true }).waitFor()

          await page.goto(`${APP}/account/sign-in`)
          await page.getByRole("button", { name: "Link it" }).click()
          await page.getByText("Your organisation’s sign-in is linked").waitFor()
          assert.strictEqual(new URL(page.url()).origin, APP)
          assert.isTrue((await call("GET", "/v1/me")).json.user.idp_linked)

          // One origin of the same site, to which the cookies are sent, and one of another site, to which they are not; neither can read anything.
          for (const [third, sent] of [["http://third.svc.localhost", true], ["http://third.localhost", false]] as const) {
            const other = await page.context().newPage()
            await other.goto(`${third}:${host.port}/blank`)
            const session = async () => (await page.context().cookies(api)).find(({ name }) => name === "__Host-svc_session")?.value
            const before = await session()
            assert.deepStrictEqual(await attack(other, { api, slug: shown.slug, own }), [
              "who refused", "token refused", "change refused", "delete refused", "put refused", "guess refused",
              "publish opaque 0", "sign out opaque 0", "out everywhere opaque 0",
              "sign in opaque 0", "provider opaque 0"
            ], third)
            assert.strictEqual(await session(), before, third)
            for (const enctype of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
              await other.goto(`${third}:${host.port}/blank`)
              assert.deepStrictEqual(await post(other, enctype, `${api}/v1/auth/logout`), [sent ? 403 : 401, sent], `${third} ${enctype}`)
            }
            await other.close()
          }
          assert.deepStrictEqual((await call("GET", "/v1/projects")).json.projects, [shown])
          await page.goto(`${APP}/`)
          await page.getByRole("heading", { name: "Ours" }).waitFor()

          // A card shows it as soon as it is drawn, whether or not it was when the list came.
          const sent = await Effect.runPromise(service.ask("/v1/projects/a-picture", { method: "PUT", body: pngOf(1600, 800, [220, 20, 20], [20, 20, 220]), headers: { ...account.bearer, "content-type": "image/png" } }))
          assert.strictEqual(sent.status, 201)
          await page.reload()
          const picture = page.getByRole("list", { name: "Projects" }).locator("img")
          await comesTo(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth), 640)

          await page.getByRole("button", { name: /Ada Example/ }).first().click()
          await page.getByRole("menuitem", { name: "Sign out" }).click()
          await page.waitForURL(`${APP}/login**`)
          assert.deepStrictEqual(await page.context().cookies(api), [])
        })
        // Asked without a session at the start and at the end; the provider is at an address without a name.
        assert.deepStrictEqual([errors.filter((error) => !/401/.test(error)), strangers.filter((url) => !url.startsWith(provider.issuer))], [[], []])
      }))
  })
})
