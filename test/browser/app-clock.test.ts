/** What the web app shows when the machine's clock is wrong or stands, when a file cannot be read, for names that are long or begin with a sign, and of readers that a plan does not keep. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { signedInPage } from "../support/app.ts"
import { comesTo, executable, hasChromium } from "../support/browser.ts"
import { Service, serviceWith } from "../support/service.ts"

const DAY = 86_400_000

describe.skipIf(!hasChromium)(`the web app's clock (${executable})`, () => {
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("the time is the service's: with a machine a day ahead or behind, projects are up and just published as they really are", () =>
      Effect.gen(function*() {
        const { ask } = yield* Service
        const { account: { bearer }, open, page } = yield* signedInPage()
        yield* ask("/v1/projects/brief", { method: "PUT", body: "# Brief\n\nWords.", headers: { ...bearer, "content-type": "text/markdown" } })
        const end = new Date(Date.now() + 20 * 3_600_000)
        end.setMinutes(30, 0, 0)
        const set = yield* ask("/v1/projects/brief", { method: "PATCH", json: { expires_at: end.toISOString() }, headers: bearer })
        assert.strictEqual(set.status, 200, set.text)
        const link = (yield* ask("/v1/projects/brief/share-links", { json: { label: "Dana" }, headers: bearer })).json
        yield* ask(`/v1/share-links/${link.id}`, { method: "PATCH", json: { expires_at: end.toISOString() }, headers: bearer })
        yield* Effect.promise(async () => {
          for (const off of [DAY, -DAY]) {
            await page.clock.setSystemTime(Date.now() + off)
            await open("/")
            await page.getByRole("list", { name: "Projects" }).getByText(/^Expires/).waitFor()
            await open("/projects/brief")
            await page.getByText("Goes down").waitFor()
            await comesTo(() => page.getByText("Nobody can open it").count(), 0)
            await page.getByText("Published just now").waitFor()
          }
          // It ends within that day: the time is said, and the rest of the day can be added.
          await open("/projects/brief/settings")
          await page.getByText(/^It goes down on .* at \d.*\. Nothing is deleted then/).waitFor()
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText(/^It goes down on (?:(?! at ).)*\. Nothing is deleted then/).waitFor()
          await page.getByText("Saved", { exact: true }).waitFor({ state: "attached" })
          await comesTo(() => page.getByRole("button", { name: "Save" }).isDisabled(), true)
          // A link's end stays as it is unless a day is chosen.
          await open("/projects/brief/share")
          await page.getByText(/^The document itself goes down on .*: then no link opens it\.$/).waitFor()
          await page.getByRole("button", { name: "Change the link for Dana" }).click()
          await page.getByText(/^As it is, until .* at \d/).waitFor()
          await page.getByLabel("Who is it for?").fill("Dana at Northwind")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByRole("list", { name: "Links" }).getByText("Dana at Northwind").waitFor()
        })
        assert.strictEqual((yield* ask("/v1/projects/brief/share-links", { headers: bearer })).json[0].expires_at, end.toISOString())
        const kept = new Date((yield* ask("/v1/projects/brief", { headers: bearer })).json.expires_at)
        assert.deepStrictEqual([kept.getDate(), kept.getHours(), kept.getMinutes()], [end.getDate(), 23, 59])
      }))

    it.effect("a page that stays open says what is over once it is: that a project went down, and that a day is yesterday", () =>
      Effect.gen(function*() {
        const { ask } = yield* Service
        const { account: { bearer }, errors, open, page, settled } = yield* signedInPage()
        yield* ask("/v1/projects/ending", { method: "PUT", body: "# Ending", headers: { ...bearer, "content-type": "text/markdown" } })
        yield* ask("/v1/projects/ending", { method: "PATCH", json: { visibility: "private", expires_at: new Date(Date.now() + DAY).toISOString() }, headers: bearer })
        yield* Effect.promise(async () => {
          const opened = async (path: string) => {
            await page.clock.install()
            await open(path)
          }
          /** An answer that came after it would set the clock right again. */
          const dayLater = async () => {
            await settled()
            await page.clock.fastForward(DAY)
          }
          await opened("/")
          await page.getByText(/^Expires/).waitFor()
          await dayLater()
          await page.getByText("Expired", { exact: true }).waitFor()

          await opened("/projects/ending")
          await page.getByText("Goes down", { exact: true }).waitFor()
          await dayLater()
          await page.getByText("Nobody can open it.").waitFor()
          assert.strictEqual(await page.getByRole("link", { name: "Open", exact: true }).count(), 0)

          await opened("/projects/ending/settings")
          await page.getByText(/^It goes down on /).waitFor()
          await dayLater()
          await page.getByText(/^It went down on /).waitFor()

          await opened("/workspace/audit")
          await page.getByRole("heading", { name: "Today" }).waitFor()
          await dayLater()
          await page.getByRole("heading", { name: "Yesterday" }).waitFor()
        })
        assert.deepStrictEqual(errors, [])
      }))

    it.effect("what has loaded is shown when it is asked for: neither a menu nor the palette waits for a clock", () =>
      Effect.gen(function*() {
        const { errors, open, page } = yield* signedInPage()
        yield* Effect.promise(async () => {
          await page.clock.install()
          await open("/")
          const workspace = page.getByRole("button", { name: /^Workspace:/ })
          const search = page.getByRole("button", { name: "Search" }).first()
          const parts = [page.waitForResponse(/menu-rows/), page.waitForResponse(/palette/)]
          await workspace.hover()
          await search.hover()
          for (const part of parts) await (await part).finished()
          await page.waitForTimeout(500)
          await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000))
          await workspace.dispatchEvent("click", { detail: 1 })
          await page.clock.runFor(100)
          assert.isTrue(await page.getByRole("menuitem", { name: "New workspace" }).isVisible())
          await page.keyboard.press("Escape")
          await page.clock.runFor(1_000)
          await search.dispatchEvent("click")
          await page.clock.runFor(100)
          assert.isTrue(await page.getByRole("combobox").isVisible())
        })
        assert.deepStrictEqual(errors, [])
      }))

    it.effect("a version that cannot be downloaded is reported, and the page stays; names that are long or begin with a sign stay whole", () =>
      Effect.gen(function*() {
        const { ask } = yield* Service
        const { account: { bearer }, open, page } = yield* signedInPage()
        for (const body of ["# One", "# Two"]) yield* ask("/v1/projects/saved", { method: "PUT", body, headers: { ...bearer, "content-type": "text/markdown" } })
        const link = yield* ask("/v1/projects/saved/share-links", { json: { label: "w".repeat(90) }, headers: bearer })
        assert.strictEqual(link.status, 201, link.text)
        const { json } = yield* ask("/v1/projects/saved", { headers: bearer })
        yield* Effect.promise(async () => {
          await open("/projects/saved/versions")
          const save = async () => {
            await page.getByRole("button", { name: "Version 1", exact: true }).click()
            await page.getByRole("menuitem", { name: "Download as zip" }).click()
          }
          const got = page.waitForEvent("download")
          await save()
          assert.match((await got).suggestedFilename(), /zip$/)
          // Saving a file leaves nothing, so nobody is asked whether they want to leave what is being sent.
          await page.route("**/v1/projects/saved", (route) => route.request().method() === "PUT" ? undefined : route.fallback())
          await page.getByLabel("Files to publish").setInputFiles({ name: "three.md", mimeType: "text/markdown", buffer: Buffer.from("# Three") })
          await page.getByRole("button", { name: "Cancel" }).waitFor()
          const beside = page.waitForEvent("download")
          await save()
          await beside
          await page.getByRole("button", { name: "Cancel" }).click()
          await page.unroute("**/v1/projects/saved")

          await page.setViewportSize({ width: 390, height: 800 })
          await open("/projects/saved/analytics")
          await page.getByText("w".repeat(90)).waitFor()
          await page.getByText("Last read").locator("..").getByText("Not yet").waitFor()
          assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), 390)
          // Of an older one, readers of the days before are forgotten: nobody can tell that there was none.
          await page.route("**/v1/projects/saved?*", (route) => route.fulfill({ json: { ...json, created_at: "2020-01-01T00:00:00.000Z" } }))
          await page.reload()
          await page.getByText("Not in the last 90 days").waitFor()
          await page.unroute("**/v1/projects/saved?*")
          await page.setViewportSize({ width: 1280, height: 800 })

          await open("/workspace")
          await page.getByLabel("Name", { exact: true }).fill("🌱 Garden")
          await page.getByRole("button", { name: "Save" }).first().click()
          const switcher = page.getByRole("button", { name: "Workspace: 🌱 Garden" }).first()
          await switcher.waitFor()
          assert.strictEqual(await switcher.locator("[aria-hidden=true]").first().textContent(), "🌱")

          await open("/projects/saved/versions")
          await page.getByRole("button", { name: "Version 1", exact: true }).waitFor()
          await page.context().clearCookies()
          await save()
          await page.getByText("You were signed out meanwhile.").first().waitFor()
          assert.match(page.url(), /\/projects\/saved\/versions$/)
        })
      }))

    it.effect("a plan that keeps readers for less than was asked points to the others only where they are sold", () =>
      Effect.gen(function*() {
        const { ask } = yield* Service
        const { account: { bearer }, open, page } = yield* signedInPage(undefined, { plan: "starter" })
        yield* ask("/v1/projects/kept-short", { method: "PUT", headers: { ...bearer, "content-type": "text/plain" }, body: "words" })
        yield* Effect.promise(async () => {
          const said = page.getByText("Your plan keeps 7 days of readers")
          await open("/projects/kept-short/analytics")
          await said.waitFor()
          await page.waitForLoadState("networkidle")
          assert.strictEqual(await said.getByRole("link").count(), 0)
          await page.route("**/v1/billing/plans", (route) => route.fulfill({ json: { billing_enabled: true, plans: {} } }))
          await page.reload()
          await said.getByRole("link", { name: "See plans" }).waitFor()
        })
      }))
  })
})
