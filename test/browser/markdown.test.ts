/** Markdown as its readers see it: on its sheet in both themes, wide and narrow; a hostile one does nothing; a long one is there at once. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { renderDocument } from "../../src/services/rendering/document.ts"
import { form } from "../support/ask.ts"
import { axe, axeAgain } from "../support/axe.ts"
import { Chromium, executable, hasChromium, readerIn } from "../support/browser.ts"
import { hostile } from "../support/hostile-markdown.ts"
import { PIXEL } from "../support/pngs.ts"
import { Service, serviceWith } from "../support/service.ts"

const DOCUMENT = `# A document

Words with a [link](https://example.com), \`code\` and a note[^1]. ![A pixel](pic.png) ![Theirs](https://example.com/x.png)![Another](https://example.com/y.png)
![By night](https://example.com/z.png#gh-dark-mode-only) ![By day](https://example.com/z.png#gh-light-mode-only)

- [x] done
- [ ] not done

${["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"].map((alert) => `> [!${alert}]\n> Words of a note.\n`).join("\n")}
## Tables

|${" A column |".repeat(12)}
|${"--|".repeat(12)}
${`|${" some words |".repeat(12)}\n`.repeat(3)}

## Code

\`\`\`ts
/** Two numbers. */
export const add = (a: number, b: number): string => \`sum: \${a + b}\` // ${"and so on ".repeat(12)}
\`\`\`

### Deeper

${"Filler words. ".repeat(600)}

## The last one

The quick brown fox jumps over the lazy dog near the river.

[^1]: The note.
`

const LONG = `# Long\n\n${Array.from({ length: 1_650 }, (_, at) =>
  `${at % 12 === 0 ? `## Section ${at}\n\n` : ""}Paragraph ${at} with **bold** and \`code\`. ${"The quick brown fox jumps over the lazy dog, again. ".repeat(11)}\n\n`).join("")}`

const suite = describe.skipIf(!hasChromium)

suite(hasChromium ? "in Chromium" : `in Chromium (there is none at ${executable})`, () => {
  layer(Layer.merge(serviceWith(), Chromium.layer), { excludeTestServices: true })("markdown", (it) => {
    const reading = (options: Parameters<typeof readerIn>[1] = {}) =>
      Effect.gen(function*() {
        const service = yield* Service
        const { bearer } = yield* service.account()
        const publish = (slug: string, content: string, comments = false) =>
          Effect.gen(function*() {
            const sent = form(
              { name: "slug", value: slug }, { name: "comments_enabled", value: String(comments) },
              { name: "file", file: "docs/read me.md", type: "text/markdown", content },
              { name: "file", file: "docs/pic.png", type: "image/png", content: PIXEL }
            )
            const answer = yield* service.ask("/v1/projects", { ...sent, headers: { ...sent.headers, ...bearer } })
            assert.strictEqual(answer.status, 201, answer.text)
            return `http://${slug}.svc.localhost:${service.port}/`
          })
        const { errors, page, strangers } = yield* readerIn(yield* Chromium, options)
        const open = (url: string) => Effect.promise(async () => {
          await page.goto(url)
          await page.waitForSelector("body[data-ready]")
        })
        return { errors, open, page, publish, service, strangers }
      })

    it.effect("bullets, bars and columns of what runs from the right are at the right, and code stays as it is", () =>
      Effect.gen(function*() {
        const { open, page, publish } = yield* reading()
        yield* open(yield* publish("sides", "# \u05e9\u05dc\u05d5\u05dd\n\n- \u05d0\u05d7\u05ea\n\n> \u05e6\u05d9\u05d8\u05d5\u05d8\n\n|\u05d0|\u05d1|\n|-|-|\n|1|2|\n\n- \u05d0\n\n  ```\n  code\n  ```\n\n## English\n\n- one\n"))
        const seen = yield* Effect.promise(() => page.evaluate(() => {
          const style = (name: string) => getComputedStyle(document.querySelector(`#document ${name}`)!)
          const left = (name: string) => document.querySelector(`#document ${name}`)!.getBoundingClientRect().left
          return {
            list: [style("ul").paddingRight, style("ul").paddingLeft], quote: [style("blockquote").borderRightWidth, style("blockquote").borderLeftWidth],
            columns: left("td") > left("td + td"), code: style("pre").direction, english: style("h2 + ul").paddingLeft
          }
        }))
        assert.deepStrictEqual(seen, { list: ["24px", "0px"], quote: ["3px", "0px"], columns: true, code: "ltr", english: "24px" })
      }))

    it.effect("formulas are in a face of their own, which is sent where there are some, a root is as tall as what it is of, and what is wide stays in its line", () =>
      Effect.gen(function*() {
        const { errors, open, page, publish } = yield* reading()
        const [plain, formulas] = [yield* publish("no-formula", DOCUMENT), yield* publish("formulas", `So $x^2$ and\n\n- $${"x + ".repeat(99)}y$\n\n$$${"x + ".repeat(99)}y$$\n\n\\[\n\\sqrt{\\frac{\\frac{a}{b}}{c}}\n\\]\n`)]
        const asked: Array<string> = []
        page.on("request", (request) => request.url().includes("-math-") && asked.push(request.url()))
        yield* open(plain)
        yield* Effect.promise(() => page.evaluate(() => document.fonts.ready))
        assert.deepStrictEqual(asked, [])
        yield* open(formulas)
        const seen = yield* Effect.promise(() => page.evaluate(async () => {
          await document.fonts.ready
          const [root, inside] = ["msqrt", "msqrt > mfrac"].map((name) => document.querySelector(`#document ${name}`)!.getBoundingClientRect())
          return { face: document.fonts.check("16px 'Svc Math'"), tall: root!.height >= inside!.height && inside!.height > 40, over: document.documentElement.scrollWidth - innerWidth }
        }))
        assert.deepStrictEqual([asked.length, seen, errors], [1, { face: true, tall: true, over: 0 }, []])
      }))

    it.effect("a table with a long address or code is as wide as its paper", () =>
      Effect.gen(function*() {
        const { open, page, publish } = yield* reading()
        const long = "far/".repeat(40)
        yield* open(yield* publish("long-cells", `| Name | Where | Code |\n|---|---|--:|\n| Documentation | https://example.com/${long} | \`${long}\` |\n`))
        yield* Effect.promise(async () => {
          await page.emulateMedia({ media: "print" })
          await page.setViewportSize({ width: 718, height: 1047 })
          const [over, line] = await page.locator("#document table").evaluate((table) => [table.scrollWidth - innerWidth, table.querySelector("th")!.clientHeight - table.querySelector("td")!.clientHeight])
          assert.isAtMost(over!, 0)
          assert.isBelow(line!, 0)
        })
      }))

    it.effect("lists of tasks and of other things show the marker of each, level with it", () =>
      Effect.gen(function*() {
        const { open, page, publish } = yield* reading()
        yield* open(yield* publish("mixed", "1. plain\n2. [x] task\n   - [ ] alone\n3. plain\n\n---\n\n- [ ] pure\n  - below\n"))
        const seen = yield* Effect.promise(() => page.evaluate(() => {
          const [first, ...rest] = [...document.querySelectorAll<HTMLElement>("#document li")].map((item) => ({
            marker: getComputedStyle(item).listStyleType, left: item.getBoundingClientRect().left, box: item.querySelector(":scope > label > input")?.getBoundingClientRect().left
          }))
          return [first!, ...rest].map(({ box, left, marker }) => [marker, left - first!.left, box === undefined ? null : box - first!.left])
        }))
        // Marker, its words and its checkbox, from where the words of the first begin.
        assert.deepStrictEqual(seen, [["decimal", 0, null], ["none", 0, -24], ["none", 0, 0], ["decimal", 0, null], ["none", -24, -24], ["circle", 20, null]])
      }))

    it.effect("reads well: its own images, nobody else's, nothing too wide, without axe findings in both themes, wide and narrow", () =>
      Effect.gen(function*() {
        const { errors, open, page, publish, strangers } = yield* reading()
        const url = yield* publish("reads", DOCUMENT)
        for (const [width, colorScheme] of [[390, "dark"], [1440, "light"]] as const) {
          yield* Effect.promise(async () => {
            await page.setViewportSize({ width, height: 900 })
            await page.emulateMedia({ colorScheme })
          })
          yield* open(url)
          const seen = yield* Effect.promise(() => page.evaluate(() => ({
            wide: document.documentElement.scrollWidth - innerWidth,
            image: document.querySelector("img")!.src,
            contents: document.querySelector<HTMLDetailsElement>(".contents > details")!.open,
            characters: Math.round(document.querySelector<HTMLElement>("#document p")!.clientWidth / 8.2),
            apart: document.querySelectorAll(".image-elsewhere")[1]!.getBoundingClientRect().left !== document.querySelector(".image-elsewhere")!.getBoundingClientRect().right,
            themed: [...document.querySelectorAll(".only-dark, .only-light")].map((one) => one.getBoundingClientRect().width > 0),
            tables: [...document.querySelectorAll(".table-scroll")].map((one) => one.scrollWidth > one.clientWidth)
          })))
          assert.isAtMost(seen.wide, 0)
          assert.strictEqual(seen.image, `${url}docs/pic.png`)
          assert.strictEqual(seen.contents, width > 1000)
          assert.isAtMost(seen.characters, 70)
          assert.isTrue(seen.apart)
          assert.deepStrictEqual(seen.themed, [colorScheme === "dark", colorScheme === "light"])
          assert.deepStrictEqual(seen.tables, [true])
          assert.deepStrictEqual(yield* Effect.promise(() => width === 390 ? axe(page) : axeAgain(page, colorScheme, width)), [])
        }
        yield* Effect.promise(() => page.locator("img").scrollIntoViewIfNeeded())
        yield* Effect.promise(() => page.waitForFunction(() => document.querySelector("img")!.naturalWidth === 1))
        // On paper, where nothing scrolls, every column is there: A4 within margins of a centimetre.
        const over = yield* Effect.promise(async () => {
          await page.emulateMedia({ media: "print" })
          await page.setViewportSize({ width: 718, height: 1047 })
          const over = await page.locator("#document table").evaluate((table) => table.getBoundingClientRect().right - innerWidth)
          await page.emulateMedia({ media: "screen" })
          await page.setViewportSize({ width: 1440, height: 900 })
          return over
        })
        assert.isAtMost(over, 0)
        // A reader whose browser has larger text has it here too, and as much of it on a line.
        const browser = yield* Effect.promise(() => page.context().newCDPSession(page))
        const larger = yield* Effect.promise(async () => {
          await browser.send("Page.setFontSizes", { fontSizes: { standard: 20, fixed: 20 } })
          return page.locator("#document p").first().evaluate((one) => [getComputedStyle(one).fontSize, Math.round(one.clientWidth / 8.2 / 1.25)])
        })
        assert.deepStrictEqual(larger, ["20px", 68])
        // On a phone as well, where nothing scrolls sideways for that, and the icons grow with it.
        const onPhone = yield* Effect.promise(async () => {
          await browser.send("Page.setFontSizes", { fontSizes: { standard: 28, fixed: 28 } })
          await page.setViewportSize({ width: 390, height: 844 })
          return page.evaluate(() => {
            scrollTo(100, 0)
            return [scrollX, ...[".bar .mark", ".bar .icon"].map((one) => document.querySelector(one)!.getBoundingClientRect().width)]
          })
        })
        assert.deepStrictEqual(onPhone, [0, 38.5, 35])
        assert.deepStrictEqual([strangers, errors], [[], []])
      }))

    const isOnTop = (page: Page, id: string) =>
      page.waitForFunction((id) => {
        const { top } = document.getElementById(id)!.getBoundingClientRect()
        return top >= 0 && top < innerHeight
      }, id)

    it.effect("is led about in: links as their authors write them, contents, copied code; and read without script", () =>
      Effect.gen(function*() {
        const { open, page, publish } = yield* reading({ permissions: ["clipboard-read", "clipboard-write"] })
        const url = yield* publish("led", DOCUMENT)
        yield* open(`${url}#the-last-one`)
        yield* Effect.promise(async () => {
          await isOnTop(page, "md-the-last-one")
          await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Tables" }).click()
          await isOnTop(page, "md-tables")
          await page.locator("#md-code").hover()
          await page.locator(".code").hover()
          await page.getByRole("button", { name: "Copy the code" }).click()
          await page.getByText("Copied the code").waitFor({ state: "attached" })
          assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^\/\*\* Two numbers\. \*\/\nexport const add/)
          // Where the browser does not let us, everybody is told.
          await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }))
          await page.getByRole("button", { name: "Copy the code" }).click()
          await page.locator("#said.seen", { hasText: "copy it by hand" }).waitFor()
        })
        const still = yield* readerIn(yield* Chromium, { javaScriptEnabled: false })
        yield* Effect.promise(async () => {
          await still.page.goto(url)
          await still.page.getByRole("heading", { name: "The last one" }).waitFor()
          await still.page.getByText("Contents", { exact: true }).click()
          await still.page.getByRole("link", { name: "The last one", exact: true }).waitFor()
        })
      }))

    it.effect("is found again by its words: the same, moved, a little changed, or gone", () =>
      Effect.gen(function*() {
        const { open, page, publish } = yield* reading()
        const url = yield* publish("anchored", DOCUMENT)
        yield* open(url)
        const module = yield* Effect.promise(() => page.evaluate(() =>
          [...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]")].map((one) => one.href).find((href) => href.includes("/markdown-"))!))
        // As text: otherwise the test's own builder would treat the import as one of its own.
        const talk = (anchor?: object) => Effect.promise<unknown>(() => page.evaluate(`(async () => {
          const { open } = await import(${JSON.stringify(module)})
          const stage = await open({ say: () => {} })
          const words = [...document.querySelectorAll("#document p")].find((one) => one.textContent.startsWith("The quick")).firstChild
          const anchor = ${JSON.stringify(anchor ?? null)}
          if (anchor === null) {
            getSelection().setBaseAndExtent(words, 4, words, 43)
            return stage.capture()
          }
          const place = stage.find(anchor)
          if (place === undefined) return null
          place.focus()
          const [range] = CSS.highlights.get("anchored")
          place.clear()
          return { inView: place.top() > 0 && place.top() < innerHeight, words: String(range) }
        })()`))
        const anchor = (yield* talk()) as { readonly quote: string }
        assert.include(anchor as object, { path: "/", selector: "#md-the-last-one", quote: "quick brown fox jumps over the lazy dog" })
        assert.deepStrictEqual(yield* talk(anchor), { inView: true, words: anchor.quote })
        assert.deepStrictEqual(yield* talk({ ...anchor, quote: "quick red fox jumps over a lazy dog" }), { inView: true, words: anchor.quote })
        assert.isNull(yield* talk({ ...anchor, quote: "quick red fox jumps over a lazy dog", selector: "#md-tables" }))
        assert.isNull(yield* talk({ ...anchor, quote: "words that were never in this document" }))
        for (const selector of ["#md-deeper", "#deeper", "#Deeper"]) assert.isTrue(((yield* talk({ path: "/", selector })) as { readonly inView: boolean }).inView)
        assert.deepStrictEqual(yield* talk({ path: "/", quote: "The *quick* [brown fox](https://example.com) `jumps`\nover" }), { inView: true, words: "The quick brown fox jumps over" })
      }))

    it.effect("of somebody hostile is words: nothing runs, nobody is asked, the page is still ours", () =>
      Effect.gen(function*() {
        const { errors, open, page, publish, strangers } = yield* reading()
        const url = yield* publish("hostile", hostile.join("\n\n"), true)
        yield* open(url)
        const seen = yield* Effect.promise(() =>
          page.evaluate(() => ({
            pwned: "pwned" in window,
            place: `${location.href} ${window.name}`,
            stage: document.getElementById("stage")!.tagName,
            own: document.getElementById("document")!.tagName,
            comments: document.getElementById("comments")!.tagName,
            named: ["location", "test", "getElementById"].map((name) => document.getElementsByName(name).length),
            inside: document.querySelectorAll("#document :is(script, style, iframe, form, svg:not(.copy svg), math, link, meta, base, object, embed, video, audio, button:not(.copy))").length,
            handlers: [...document.querySelectorAll("#document *")].filter((one) => one.getAttributeNames().some((name) => /^on|^style$/.test(name))).length,
            schemes: [...new Set([...document.querySelectorAll<HTMLAnchorElement>("#document a[href]")].map((one) => one.protocol))].sort()
          })))
        assert.deepStrictEqual(seen, {
          pwned: false, place: `${url} `, stage: "MAIN", own: "ARTICLE", comments: "ASIDE", named: [0, 0, 0], inside: 0, handlers: 0, schemes: ["http:", "https:"]
        })
        assert.deepStrictEqual([strangers, errors], [[], []])

        // Each by itself, on a page without any policy, so that nothing else would stop it.
        const words = yield* Effect.promise(() => Promise.all(hostile.map((text) => renderDocument({ text, path: "a.md", images: [] }, { colours: true }))))
        yield* Effect.promise(() => page.route(`${url}bare`, (route) =>
          route.fulfill({ contentType: "text/html; charset=utf-8", body: `<!doctype html><main>${words.map(({ html }) => html).join("<hr class=between>")}</main><p id=end>end` })))
        const bare = yield* Effect.promise(async () => {
          await page.goto(`${url}bare`, { waitUntil: "load" })
          // Follows anchors that lead nowhere, and touches whatever waits for that.
          await page.evaluate(() => document.querySelectorAll<HTMLElement>("main a:not([href]), main [tabindex], main summary").forEach((one) => one.click()))
          return page.evaluate(() => ({
            pwned: "pwned" in window,
            pieces: document.querySelectorAll("main > .between").length + 1,
            end: document.getElementById("end")?.previousElementSibling?.tagName,
            scripts: [...document.querySelectorAll("main a[href]")].filter((one) => !/^(?:https?|mailto|tel):$/.test((one as HTMLAnchorElement).protocol)).length,
            names: Object.getOwnPropertyNames(window).filter((name) => name.startsWith("md-")).length
          }))
        })
        assert.deepStrictEqual(bare, { pwned: false, pieces: hostile.length, end: "MAIN", scripts: 0, names: 0 })
        assert.deepStrictEqual(strangers, [])
      }))

    it.effect("of a megabyte is readable at once", () =>
      Effect.gen(function*() {
        const { page, publish, service } = yield* reading()
        assert.isAbove(LONG.length, 1_000_000)
        const url = yield* publish("long", LONG)
        const rendering = performance.now()
        yield* service.ask("/", { host: "long.svc.localhost" })
        const made = performance.now() - rendering
        yield* Effect.promise(() => page.addInitScript(() => {
          const look = (): void => {
            const there = document.querySelector("#document h1")?.getBoundingClientRect()
            // Visible in this frame's layout: painted by the next frame.
            if (there === undefined || there.height === 0) requestAnimationFrame(look)
            else requestAnimationFrame(() => Object.assign(window, { readable: performance.now() }))
          }
          look()
        }))
        const times: Array<number> = []
        for (let run = 0; run < 2; run++) {
          yield* Effect.promise(async () => {
            await page.goto(url)
            const readable = await page.waitForFunction(() => (window as { readonly readable?: number }).readable)
            times.push((await readable.jsonValue())!)
          })
        }
        console.log(`1 MB of Markdown: rendered in ${Math.round(made)} ms, then readable after ${times.map(Math.round).join(", ")} ms`)
        // On a quiet machine the limit is half a second; this one may be busy, and the test only rules out a hang.
        assert.isBelow(Math.min(...times), 5_000)
        yield* Effect.promise(async () => {
          await page.goto("about:blank")
          await page.goto(`${url}#section-1596`)
          await page.waitForSelector("body[data-ready]")
          await isOnTop(page, "md-section-1596")
        })
      }))
  })
})
