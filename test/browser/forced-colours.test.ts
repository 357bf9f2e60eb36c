/** Where the system forces its own colours on every page: what is chosen, open or pressed is still recognisable. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Locator } from "playwright-core"
import { signedInPage } from "../support/app.ts"
import { comesTo, comesTrue, executable, hasChromium } from "../support/browser.ts"
import { Service, serviceWith } from "../support/service.ts"

/** The computed look of an element and of what is drawn in it. */
const looks = (one: Locator) =>
  one.evaluate((element) => [element, ...element.querySelectorAll("span")].map((part) => {
    const { backgroundColor, borderBottomColor, color } = getComputedStyle(part)
    return [backgroundColor, part === element ? borderBottomColor : "", color]
  }))

const differ = async (one: Locator, other: Locator) => {
  await one.first().waitFor()
  await other.first().waitFor()
  assert.notDeepEqual(await looks(one.first()), await looks(other.first()))
}

/** Filled: a colour other than the page's, with text in another than its own. */
const isFilled = async (one: Locator) => {
  const [[ground, , words]] = await looks(one) as [[string, string, string]]
  const page = await one.page().evaluate(() => getComputedStyle(document.body).backgroundColor)
  assert.notStrictEqual(ground, page)
  assert.notStrictEqual(ground, words)
}

describe.skipIf(!hasChromium)(`forced colours (${executable})`, () => {
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("in the web app, in the viewers and on the service's own pages", () =>
      Effect.gen(function*() {
        const { ask, inside, port } = yield* Service
        const { account, base, errors, open, page } = yield* signedInPage()
        for (const slug of ["calm", "loud"]) {
          const put = yield* ask(`/v1/projects/${slug}`, { method: "PUT", body: "# Plan\n\nWords.\n\n## More\n\nWords.", headers: { ...account.bearer, "content-type": "text/markdown" } })
          assert.isBelow(put.status, 300, put.text)
        }
        for (const [slug, type, body] of [["cells", "text/csv", "day,amount\n2026-01-10,1\n2026-01-11,2\n"], ["values", "application/json", "{\"words\":\"a\",\"amount\":1}"]] as const) {
          const put = yield* ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...account.bearer, "content-type": type } })
          assert.isBelow(put.status, 300, put.text)
        }
        yield* ask("/v1/projects/calm", { method: "PATCH", json: { comments_enabled: true, comment_access: "anyone" }, headers: account.bearer })
        yield* inside(SqlClient.SqlClient.use((sql) => sql`
          INSERT INTO view_days (project_id, day, views, unique_visitors, last_viewed_at)
          SELECT id, current_date - 1, 3, 2, now() - interval '1 day' FROM projects WHERE slug = 'calm'`))
        yield* Effect.promise(async () => {
          await open("/projects/calm/analytics")
          const chart = page.locator(".readers canvas")
          const drawn = () => chart.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
          await chart.waitFor()
          const own = await drawn()
          await page.emulateMedia({ forcedColors: "active" })
          await comesTrue(async () => await drawn() !== own)
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce", colorScheme })
            await open("/projects/calm/share")
            const card = (checked: boolean) => page.getByRole("radio", { checked })
            await card(false).first().waitFor()
            await differ(card(true), card(false))

            await open("/projects/calm/settings")
            const on = page.getByRole("switch", { checked: true })
            await on.first().waitFor()
            const before = await looks(on.first())
            // What is not open has no line under it, not even one that hides the line below.
            assert.strictEqual((await looks(page.getByRole("navigation", { name: "Project" }).locator("a:not([aria-current])").first()))[0]![1], "rgba(0, 0, 0, 0)")
            const tabs = page.getByRole("navigation", { name: "Project" })
            await differ(tabs.locator("a[aria-current]"), tabs.locator("a:not([aria-current])"))
            await open("/projects/loud/settings")
            const off = page.getByRole("switch", { checked: false })
            await off.first().waitFor()
            assert.notDeepEqual(await looks(off.first()), before)

            await open("/projects/calm/comments")
            await differ(card(true), card(false))
            await open("/")
            const main = page.getByRole("navigation", { name: "Main" }).first()
            await main.locator("a[aria-current]").waitFor()
            assert.notStrictEqual((await looks(main.locator("a[aria-current]")))[0]![2], (await looks(main.locator("a:not([aria-current])").first()))[0]![2])
            await differ(main.locator("a[aria-current]"), main.locator("a:not([aria-current])"))
            await isFilled(page.getByRole("main").locator(".bg-ink").first())

            await page.goto(`http://calm.svc.localhost:${port}/`)
            await page.locator("body[data-ready]").waitFor()
            const talk = page.locator("#talk")
            const shut = await looks(talk)
            await talk.click()
            const panel = page.getByRole("complementary", { name: "Comments" })
            await differ(panel.getByRole("button", { pressed: true }), panel.getByRole("button", { pressed: false }))
            assert.notDeepEqual(await looks(talk), shut)
            await isFilled(talk)
            await panel.getByRole("textbox").fill("Words")
            await isFilled(panel.locator(".post:enabled").first())
            // Words that wait to be sent open the panel by themselves next time.
            await panel.getByRole("textbox").fill("")

            for (const slug of ["cells", "values"]) {
              await page.goto(`http://${slug}.svc.localhost:${port}/`)
              await page.locator("[data-whole]").waitFor()
              await page.locator(".grid, .tree").focus()
              for (const key of ["ArrowDown", "Shift+ArrowRight", "Shift+ArrowDown"]) await page.keyboard.press(key)
              const picked = page.locator("[aria-selected=true]")
              await comesTo(() => picked.count(), slug === "cells" ? 4 : 1)
              const chosen = await page.evaluate(() => {
                const sample = Object.assign(document.createElement("p"), { style: "forced-color-adjust: none; background: Highlight; color: HighlightText" })
                document.body.append(sample)
                const { backgroundColor, color } = getComputedStyle(sample)
                return [backgroundColor, color]
              })
              // Keys are followed one after the other: what is picked first may be drawn anew.
              await comesTrue(() => picked.evaluateAll((all, [ground, words]) => all.length > 0 && all.every((one) => {
                const { backgroundColor, color } = getComputedStyle(one)
                return backgroundColor === ground && color === words && [...one.querySelectorAll("span")].every((part) => getComputedStyle(part).color === words)
              }), chosen))
            }
          }
          await page.goto(`http://nobody-has-this.svc.localhost:${port}/`)
          const colour = (name: string) => page.evaluate((name) => getComputedStyle(document.documentElement).getPropertyValue(name), name)
          assert.strictEqual(await colour("--ink"), "CanvasText")
          // Who asks for more contrast has it in what is secondary too.
          await page.emulateMedia({ forcedColors: "none", contrast: "more" })
          assert.deepStrictEqual([await colour("--muted"), await colour("--line")], [await colour("--ink"), await colour("--ink")])
          await page.emulateMedia({ contrast: "no-preference" })
          await page.goto(base)
        })
        assert.deepStrictEqual(errors.filter((text) => !/status of 40[134]/.test(text)), [])
      }))
  })
})
