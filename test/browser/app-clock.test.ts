/** What the web app shows when the machine's clock is wrong or a file cannot be read, and for names that are long or begin with a sign. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { signedInPage } from "../support/app.ts"
import { comesTo, executable, hasChromium } from "../support/browser.ts"
import { Service, serviceWith } from "../support/service.ts"

const DAY = 86_400_000

describe.skipIf(!hasChromium)(`the web app's clock (${executable})`, () => {
  layer(serviceWith(), { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("the time is the service's: with a machine a day ahead or behind, projects are up and just published as they really are", () =>
      Effect.gen(function*() {
        const { ask } = yield* Service
        const { account: { bearer }, open, page } = yield* signedInPage()
        yield* ask("/v1/projects/brief", { method: "PUT", body: "# Brief\n\nWords.", headers: { ...bearer, "content-type": "text/markdown" } })
        const set = yield* ask("/v1/projects/brief", { method: "PATCH", json: { expires_at: new Date(Date.now() + 20 * 3_600_000).toISOString() }, headers: bearer })
        assert.strictEqual(set.status, 200, set.text)
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
        })
      }))

    it.effect("a version that cannot be downloaded is reported, and the page stays; names that are long or begin with a sign stay whole", () =>
      Effect.gen(function*() {
        const { ask } = yield* Service
        const { account: { bearer }, open, page } = yield* signedInPage()
        for (const body of ["# One", "# Two"]) yield* ask("/v1/projects/saved", { method: "PUT", body, headers: { ...bearer, "content-type": "text/markdown" } })
        const link = yield* ask("/v1/projects/saved/share-links", { json: { label: "w".repeat(90) }, headers: bearer })
        assert.strictEqual(link.status, 201, link.text)
        yield* Effect.promise(async () => {
          await open("/projects/saved/versions")
          const save = async () => {
            await page.getByRole("button", { name: "Version 1" }).click()
            await page.getByRole("menuitem", { name: "Download as zip" }).click()
          }
          const got = page.waitForEvent("download")
          await save()
          assert.match((await got).suggestedFilename(), /zip$/)

          await page.setViewportSize({ width: 390, height: 800 })
          await open("/projects/saved/analytics")
          await page.getByText("w".repeat(90)).waitFor()
          assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), 390)
          await page.setViewportSize({ width: 1280, height: 800 })

          await open("/workspace")
          await page.getByLabel("Name", { exact: true }).fill("🌱 Garden")
          await page.getByRole("button", { name: "Save" }).first().click()
          const switcher = page.getByRole("button", { name: "Workspace: 🌱 Garden" }).first()
          await switcher.waitFor()
          assert.strictEqual(await switcher.locator("[aria-hidden=true]").first().textContent(), "🌱")

          await open("/projects/saved/versions")
          await page.getByRole("button", { name: "Version 1" }).waitFor()
          await page.context().clearCookies()
          await save()
          await page.getByText("You were signed out meanwhile.").first().waitFor()
          assert.match(page.url(), /\/projects\/saved\/versions$/)
        })
      }))
  })
})
