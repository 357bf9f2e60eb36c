/** Two versions side by side in a browser: lines, files and pictures; wide and narrow, light and dark, without script. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { browserCookies } from "../support/ask.ts"
import { axe, axeAgain } from "../support/axe.ts"
import { executable, hasChromium, readerIn, sharedChromium } from "../support/browser.ts"
import { framedSite } from "../support/framed.ts"
import { memberPass } from "../support/member-pass.ts"
import { Service, serviceWith } from "../support/service.ts"
import { zipOf } from "../support/zips.ts"

const svg = (colour: string, width: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="400"><rect width="${width}" height="400" fill="${colour}"/><script>parent.ran=1</script></svg>`

const paragraphs = (changed: boolean) => [
  "# Plan for the spring", "", `The team meets on ${changed ? "Tuesdays" : "Mondays"} at nine, and writes down what it ${changed ? "found" : "finds"}.`, "",
  ...Array.from({ length: 24 }, (_, at) => `- Item ${at + 1} of a list that stays as it is`), "",
  ...(changed ? ["## Budget", "", "There is one now.", ""] : []),
  "The last word, and <script>window.ran = 2</script> a hostile one.", "", ...(changed ? [] : ["This line goes away."])
].join("\n")

const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

describe.skipIf(!hasChromium)(`versions in a browser (${executable})`, () => {
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("a document, a site and a picture are told apart; nothing of the author’s runs", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const account = yield* service.account()
        const put = (slug: string, body: string | Buffer, type: string) =>
          service.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...account.bearer, "content-type": type } })
        for (const changed of [false, true]) yield* put("words", paragraphs(changed), "text/markdown")
        for (const colour of ["teal", "crimson"]) yield* put("picture", svg(colour, colour === "teal" ? 640 : 520), "image/svg+xml")
        const page1 = { "index.html": "<h1>One</h1>\n<p>Same</p>\n", "style.css": "a { color: red }\n", "old.txt": "old\n", "logo.svg": svg("teal", 200) }
        const page2 = { "index.html": "<h1>Two</h1>\n<p>Same</p>\n<script>window.ran=3</script>\n", "style.css": "a { color: red }\n", "new.txt": "new\n", "logo.svg": svg("crimson", 200) }
        yield* framedSite(service, account, "site", page1)
        yield* put("site", yield* Effect.promise(() => zipOf(page2)), "application/zip")

        for (const slug of ["words", "site", "picture"]) {
          const host = `${slug}.svc.localhost`
          const cookies = browserCookies(yield* memberPass(service, account, slug), host)
          const { errors, page, strangers } = yield* readerIn(yield* Effect.promise(sharedChromium), { colorScheme: "light", viewport: { width: 390, height: 844 } })
          yield* Effect.promise(async () => {
            await page.context().addCookies(cookies)
            await page.goto(`http://${host}:${service.port}/`)
            await page.locator("#versions").click()
            await page.waitForURL(({ pathname }) => pathname === "/_svc/versions")
            await page.locator("body[data-ready]").waitFor()
            if (slug === "site") {
              assert.strictEqual(await page.locator("h2").innerText(), "Files: 2 changed, 1 added, 1 removed")
              assert.strictEqual(await page.locator("details.file[open] ins").first().innerText().then((text) => text.replace(/\s+/g, " ")), "1 + <h1>Two</h1>")
            }
            if (slug === "words") {
              assert.strictEqual(await page.locator("h2").innerText(), "5 lines added, 3 removed")
              await page.keyboard.press("n")
              assert.isTrue(await page.locator("ins mark").first().isVisible())
            }
            if (slug !== "words") await page.waitForFunction(() => [...document.querySelectorAll("main img")].every((one) => (one as HTMLImageElement).naturalWidth > 0))
            assert.isAtMost(await fits(page), 0)
            assert.deepStrictEqual(await axe(page), [], slug)
            assert.deepStrictEqual(await axeAgain(page, "dark", 1440), [], slug)
            assert.isAtMost(await fits(page), 0)
            if (slug === "words") {
              const [gone, come] = [await page.locator("del").first().boundingBox(), await page.locator("ins").first().boundingBox()]
              assert.deepStrictEqual([gone!.y, gone!.height], [come!.y, come!.height])
              assert.isAbove(come!.x, gone!.x + gone!.width - 2)
            }
            assert.isUndefined(await page.evaluate(() => (window as { ran?: number }).ran))
            assert.deepStrictEqual([errors, strangers], [[], []])
            if (slug !== "words") return
            const plain = await (await sharedChromium()).newContext({ javaScriptEnabled: false, storageState: await page.context().storageState() })
            const still = await plain.newPage()
            await still.goto(`http://${host}:${service.port}/_svc/versions`)
            await still.getByLabel("From").selectOption("2")
            await still.getByLabel("To").selectOption("1")
            await still.getByRole("button", { name: "Compare" }).click()
            await still.waitForURL(({ search }) => search === "?from=2&to=1")
            await still.locator("summary").first().click()
            await still.getByText("Item 12 of a list").last().waitFor()
            await plain.close()
          })
        }
        // A member of the project is known at once, without script.
        yield* put("void", "\n", "text/markdown")
        const { text } = yield* service.ask("/", { host: "void.svc.localhost", headers: { cookie: yield* memberPass(service, account, "void") } })
        assert.include(text, `<p id="publish"><a href="http://svc.localhost:${service.port}/projects/void/versions">Publish a version</a>`)
      }))
  })
})
