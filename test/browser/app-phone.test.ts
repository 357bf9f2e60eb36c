/** The web app on a phone: what there is no room for is still in sight, and nothing asks for more than a finger can do. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { signedInPage } from "../support/app.ts"
import { comesTrue, executable, hasChromium } from "../support/browser.ts"
import { Service, serviceWith } from "../support/service.ts"

const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }

const onPhone = Effect.gen(function*() {
  const { ask } = yield* Service
  const seen = yield* signedInPage(undefined, undefined, PHONE)
  const call = (method: string, path: string, json: unknown) => ask(path, { method, json, headers: seen.account.bearer })
  return { ...seen, ask, call }
})

describe.skipIf(!hasChromium)(`the web app on a phone (${executable})`, () => {
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("asks nobody to drop, carry or paste anything", () =>
      Effect.gen(function*() {
        const { call, errors, open, page } = yield* onPhone
        yield* call("POST", "/v1/folders", { name: "Quarter" })
        yield* Effect.promise(async () => {
          const words = () => page.getByRole("main").innerText()
          await open("/")
          await page.getByText("Nothing is published yet").waitFor()
          assert.notMatch(await words(), /drop|pasting/i)
          await page.getByRole("link", { name: "Quarter" }).click()
          await page.getByText("This folder is empty").waitFor()
          assert.notMatch(await words(), /drop|carry/i)
          // Nor does a long word that finds nothing push the page aside.
          await open(`/?q=${"quarterly".repeat(9)}`)
          await page.getByText("Nothing is called that").waitFor()
          assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), 390)
        })
        assert.deepStrictEqual(errors, [])
      }))

    it.effect("is as wide as the phone in text of twice the size, and the words of its bar stand apart", () =>
      Effect.gen(function*() {
        const { account, ask, errors, open, page } = yield* onPhone
        yield* ask("/v1/projects/large-print", { method: "PUT", body: "one", headers: { ...account.bearer, "content-type": "text/plain" } })
        yield* ask("/v1/projects/large-print", { method: "PUT", body: "two", headers: { ...account.bearer, "content-type": "text/plain" } })
        yield* Effect.promise(async () => {
          for (const [path, part] of [
            ["/projects/large-print/settings", page.getByLabel("Up until the end of")],
            ["/projects/large-print", page.getByRole("button", { name: "Publish a new version" })],
            ["/projects/large-print/versions", page.getByRole("table", { name: "Versions" })],
            ["/projects/large-print/versions?from=1&to=2", page.getByText("1 file changed")],
            ["/account/tokens", page.getByLabel("What it is for")]
          ] as const) {
            await open(path)
            await part.waitFor()
            await page.evaluate(() => (document.documentElement.style.fontSize = "200%"))
            assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), 390, path)
          }
          const words = await page.getByRole("navigation", { name: "Main" }).locator("visible=true").locator("a, button").evaluateAll((all) => all.map((one) => {
            const range = document.createRange()
            range.selectNode(one.lastChild!)
            const { left, right } = range.getBoundingClientRect()
            return [left, right] as const
          }))
          assert.lengthOf(words, 3)
          for (const [at, [left]] of words.entries()) if (at > 0) assert.isAbove(left - words[at - 1]![1], 4)
          // A desk has no more room then: its table leaves out what a phone's does, instead of breaking names within a word.
          await page.setViewportSize({ width: 1440, height: 900 })
          await open("/projects/large-print/versions")
          const by = page.getByRole("table", { name: "Versions" }).getByText("Ada Example").first()
          await by.waitFor()
          await page.evaluate(() => (document.documentElement.style.fontSize = "200%"))
          await by.waitFor({ state: "hidden" })
          // What empties a field is in line with it.
          await open("/projects/large-print/settings")
          const day = page.getByLabel("Up until the end of")
          await day.fill("2999-12-31")
          await page.evaluate(() => (document.documentElement.style.fontSize = "200%"))
          const [field, button] = await Promise.all([day, page.getByRole("button", { name: "No end" })].map((one) => one.boundingBox()))
          assert.closeTo(field!.y + field!.height / 2, button!.y + button!.height / 2, 2)
        })
        assert.deepStrictEqual(errors, [])
      }))

    it.effect("keeps the open tab in sight, however late the count of comments comes", () =>
      Effect.gen(function*() {
        const { account, ask, call, errors, open, page } = yield* onPhone
        yield* ask("/v1/projects/much-said", { method: "PUT", body: "one", headers: { ...account.bearer, "content-type": "text/plain" } })
        yield* call("PATCH", "/v1/projects/much-said", { comments_enabled: true })
        for (let each = 1; each <= 10; each++) yield* call("POST", "/v1/projects/much-said/comments", { body: `Comment ${each}` })
        yield* Effect.promise(async () => {
          let answer = () => {}
          const late = new Promise<void>((resolve) => {
            answer = resolve
          })
          await page.route(/\/much-said\/comments/, (route) => late.then(() => route.continue()))
          await open("/projects/much-said/settings")
          const tabs = page.getByRole("navigation", { name: "Project" })
          const isInSight = () => tabs.getByRole("link", { name: "Settings" }).evaluate((tab) => Math.round(tab.getBoundingClientRect().right) <= innerWidth - 16)
          await comesTrue(isInSight)
          answer()
          await tabs.getByText("10").waitFor()
          await comesTrue(isInSight)
        })
        assert.deepStrictEqual(errors, [])
      }))

    it.effect("tells projects of one title apart by their addresses where they are searched for", () =>
      Effect.gen(function*() {
        const { account, ask, errors, open, page } = yield* onPhone
        for (const slug of ["minutes-may", "minutes-june"]) yield* ask(`/v1/projects/${slug}`, { method: "PUT", body: "# Minutes", headers: { ...account.bearer, "content-type": "text/markdown" } })
        yield* Effect.promise(async () => {
          await open("/")
          await page.getByRole("button", { name: "Search" }).click()
          for (const slug of ["minutes-may", "minutes-june"]) await page.getByRole("option", { name: slug }).getByText(slug, { exact: true }).waitFor()
        })
        assert.deepStrictEqual(errors, [])
      }))
  })
})
