/** Diagrams of a Markdown: drawn in front of their source as the reader comes to them, in the page's colours; a hostile one does nothing. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { axe, axeAgain } from "../support/axe.ts"
import { Chromium, comesTo, comesTrue, executable, hasChromium, readerIn } from "../support/browser.ts"
import { light, dark } from "../../src/look/tokens.ts"
import { Service, serviceWith } from "../support/service.ts"

const fence = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\`\n`

const FLOW = `flowchart LR
  accTitle: How a file is published
  A[Upload] --> B{Is it a zip?}
  B -->|yes| C["<b>Unpack</b>"]
  B -->|no| D[Keep]
  style C fill:#003`

const DOCUMENT = `# Diagrams

The first words.

${fence(FLOW)}
${fence("flowchart LR\n  A -- [")}
${"More words. ".repeat(900)}

## Far away

${fence(`sequenceDiagram\n${Array.from({ length: 9 }, (_, at) => `  participant P${at} as Participant ${at}\n`).join("")}  P0->>P8: hello`)}
The last words.
`

const JS = "parent.pwned=top.pwned=window.pwned=1"
const THEIRS = "https://evil.example"

const HOSTILE = [
  `flowchart LR\n  A["<img src=x onerror='${JS}'><script>${JS}</script>"] --> B["<iframe srcdoc='<script>${JS}</script>'></iframe>"]`,
  `flowchart LR\n  A["<svg onload=${JS}><style>@import '${THEIRS}/a.css'; * { background: url(${THEIRS}/b.png) }</style>"] --> B`,
  `flowchart LR\n  A --> B\n  click A "javascript:${JS}"\n  click B call alert("x")\n  click B href "${THEIRS}" _top`,
  `%%{init: {"securityLevel": "loose", "secure": [], "htmlLabels": true, "maxEdges": 9999, "themeCSS": "@import '${THEIRS}/c.css'; * { fill: url(${THEIRS}/d.svg#x) }"}}%%\nflowchart LR\n  A["<a href='javascript:${JS}'>x</a>"] --> B`,
  `---\nconfig:\n  securityLevel: loose\n  theme: forest\n  fontFamily: "x;} @import '${THEIRS}/e.css'; .a {"\n  dompurifyConfig:\n    ALLOWED_TAGS: [script, iframe, img]\n---\nflowchart LR\n  A["<iframe src='${THEIRS}/f'></iframe>"] --> B`,
  `flowchart LR\n  A:::x --> B\n  classDef x fill:url(${THEIRS}/g.svg#x),background:url(${THEIRS}/h.png)\n  style B fill:red;}*{background:url(${THEIRS}/i.png)}`,
  `flowchart LR\n  A@{ img: "${THEIRS}/j.png", label: "x" } --> B@{ icon: "mdi:home" }`,
  `%%{init: {"__proto__": {"pwned": 1}, "constructor": {"prototype": {"pwned": 1}}}}%%\nsequenceDiagram\n  A->>B: <img src=x onerror=${JS}>\n  link A: x @ javascript:${JS}`,
  `classDiagram\n  class A["</svg><script>${JS}</script>"]\n  link A "javascript:${JS}" "x"\n  A : +<img src=${THEIRS}/k.png>`,
  `gantt\n  title </title></svg><img src=x onerror=${JS}>\n  dateFormat YYYY-MM-DD\n  A :a, 2026-01-01, 3d\n  click a href "javascript:${JS}"`,
  `flowchart LR\n  accTitle: "><img src=x onerror=${JS}>\n  accDescr: ${"long ".repeat(900)}\n  A --> B`,
  `architecture-beta\n  service a(logos:x)[<img src=${THEIRS}/l.png>]\n`,
  `flowchart LR\n  A[\u0001\ud800\uffff] --> B`
]

/** Takes minutes if nobody stops it. */
const ENDLESS = `mindmap\n  root\n${Array.from({ length: 1_800 }, (_, at) => `    a${at}`).join("\n")}`

describe.skipIf(!hasChromium)(`diagrams in a browser (${executable})`, () => {
  layer(Layer.merge(serviceWith(), Chromium.layer), { excludeTestServices: true })("diagrams", (it) => {
    const published = (slug: string, content: string, settings?: object) =>
      Effect.gen(function*() {
        const { account, ask, port } = yield* Service
        const { bearer } = yield* account()
        const put = yield* ask(`/v1/projects/${slug}`, { method: "PUT", body: content, headers: { ...bearer, "content-type": "text/markdown" } })
        assert.strictEqual(put.status, 201, put.text)
        if (settings !== undefined) yield* ask(`/v1/projects/${slug}`, { method: "PATCH", json: settings, headers: bearer })
        return { bearer, url: `http://${slug}.svc.localhost:${port}/` }
      })

    /** Keeps the pictures that the page is given. */
    const watched = (page: Page) => page.addInitScript(() => {
      const original = URL.createObjectURL
      const pictures: Array<string> = []
      Object.assign(window, { pictures })
      URL.createObjectURL = (blob: Blob) => {
        void blob.text().then((text) => pictures.push(text))
        return original(blob)
      }
    })
    const pictures = (page: Page) => page.evaluate(() => (window as unknown as { readonly pictures: ReadonlyArray<string> }).pictures)

    const open = async (page: Page, url: string): Promise<void> => {
      await page.goto(url)
      await page.waitForSelector("body[data-ready]")
    }

    /** Its reader does something all the time. */
    const stirred = (page: Page) => page.addInitScript(() => Object.assign(window, { stirring: setInterval(() => dispatchEvent(new Event("wheel")), 100) }))

    it.effect("are drawn as the reader comes to them, in front of their source and in its colours; one that cannot be stays code and says why", () =>
      Effect.gen(function*() {
        const { url } = yield* published("drawn", DOCUMENT)
        const { errors, page, strangers } = yield* readerIn(yield* Chromium, { colorScheme: "light", viewport: { width: 1280, height: 900 } })
        yield* Effect.promise(async () => {
          await watched(page)
          await open(page, url)
          const first = page.getByRole("img", { name: "How a file is published" })
          await first.waitFor()
          await page.getByText("This diagram could not be drawn: Parse error on line 2.", { exact: true }).waitFor()
          assert.isTrue(await page.getByText("A -- [").isVisible())
          const [picture = ""] = await pictures(page)
          assert.include(picture, light.ink.toLowerCase())
          // Words on a part that its author made dark.
          assert.match(picture, /color: (?:rgb\(255, 255, 255\)|#ffffff) !important/)

          // Its source opens and closes by its button, and is not read out twice.
          const source = page.getByText("B -->|yes|")
          const button = page.getByRole("button", { name: "Source" }).first()
          assert.strictEqual(await source.evaluate((one) => one.closest("pre")!.getBoundingClientRect().height), 0)
          assert.notInclude(await page.locator("#document").ariaSnapshot(), "Is it a zip")
          await button.focus()
          await page.keyboard.press("Enter")
          await comesTrue(() => source.evaluate((one) => one.closest("pre")!.getBoundingClientRect().height > 60))
          assert.strictEqual(await button.getAttribute("aria-expanded"), "true")
          assert.deepStrictEqual(await axe(page), [])
          await button.click()

          // By the reader's theme, the button's or the system's.
          await page.keyboard.press("t")
          await page.keyboard.press("t")
          await comesTrue(async () => (await pictures(page)).at(-1)!.includes(dark.ink.toLowerCase()))
          await first.and(page.locator(".dark")).waitFor()
          await page.keyboard.press("t")
          await first.and(page.locator(":not(.dark)")).waitFor()
          await page.emulateMedia({ colorScheme: "dark" })
          await first.and(page.locator(".dark")).waitFor()
          assert.deepStrictEqual(await axeAgain(page, "dark", 390), [])

          // Wide ones scroll in their own box, and keep letters that can be read.
          await page.locator("#md-far-away").scrollIntoViewIfNeeded()
          await page.locator("h2 ~ .code .drawn.dark img").last().waitFor()
          const wide = await page.locator(".drawn").last().evaluate((one) => {
            const image = one.querySelector("img")!
            return { page: document.documentElement.scrollWidth - innerWidth, scrolls: one.scrollWidth > one.clientWidth, shrunk: image.clientWidth / image.naturalWidth }
          })
          assert.deepStrictEqual([wide.page, wide.scrolls, wide.shrunk > .55], [0, true, true])
          assert.strictEqual(await page.locator(".drawn").count(), 2)

          // On paper everything is in view, and nothing that needs a hand.
          await page.emulateMedia({ media: "print" })
          const paper = await page.locator(".drawn").last().evaluate((one) => [one.querySelector("img")!.getBoundingClientRect().right <= innerWidth, getComputedStyle(one.querySelector("img")!).filter])
          assert.deepStrictEqual(paper, [true, "invert(1) hue-rotate(180deg)"])
          assert.isFalse(await button.isVisible())
          await page.emulateMedia({ media: "screen" })
        })
        assert.deepStrictEqual([strangers, errors], [[], []])

        // Keys print those too that nobody has come near.
        const printed = yield* readerIn(yield* Chromium, { viewport: { width: 1280, height: 900 } })
        yield* Effect.promise(async () => {
          await stirred(printed.page)
          await open(printed.page, url)
          await printed.page.getByRole("img", { name: "How a file is published" }).waitFor()
          await printed.page.evaluate(() => Object.assign(window, { print: () => document.body.setAttribute("data-printed", String(document.querySelectorAll(".drawn").length)) }))
          await printed.page.keyboard.press("Control+p")
          await printed.page.locator("[data-printed='2']").waitFor()
        })

        // The browser's menu waits for nothing: whoever rests has all of them by then, and nobody is kept waiting by them before.
        const rests = yield* readerIn(yield* Chromium, { viewport: { width: 1280, height: 900 } })
        yield* Effect.promise(async () => {
          await stirred(rests.page)
          await open(rests.page, url)
          await rests.page.locator(".drawn").waitFor()
          await rests.page.waitForTimeout(3_000)
          assert.strictEqual(await rests.page.locator(".drawn").count(), 1)
          await rests.page.evaluate(() => clearInterval((window as unknown as { readonly stirring: number }).stirring))
          await rests.page.locator(".drawn").nth(1).waitFor({ state: "attached" })
          assert.strictEqual(await rests.page.evaluate(() => scrollY), 0)
        })

        // Without script it is code, as it was.
        const still = yield* readerIn(yield* Chromium, { javaScriptEnabled: false })
        yield* Effect.promise(async () => {
          await still.page.goto(url)
          assert.isTrue(await still.page.getByText("B -->|yes|").isVisible())
        })
      }))

    it.effect("keep what was said of words in their source, which opens for it; a document without any loads nothing for them", () =>
      Effect.gen(function*() {
        const { ask } = yield* Service
        const { bearer, url } = yield* published("said", `# Said\n\n${"Words before it. ".repeat(60)}\n\n${fence(FLOW)}\nThe end.\n`, { comments_enabled: true })
        const said = yield* ask("/v1/projects/said/comments", { json: { body: "Why this?", anchor: { path: "/", quote: "Is it a zip?", prefix: "A[Upload] --> B{", suffix: "}\n  B -->|yes|" } }, headers: bearer })
        assert.strictEqual(said.status, 201, said.text)
        const plain = yield* ask("/v1/projects/plain-one", { method: "PUT", body: "# Plain\n\n```ts\nconst a = 1\n```\n", headers: { ...bearer, "content-type": "text/markdown" } })
        assert.strictEqual(plain.status, 201, plain.text)
        const { page } = yield* readerIn(yield* Chromium, { viewport: { width: 1280, height: 800 } })
        const asked: Array<string> = []
        page.on("request", (request) => asked.push(new URL(request.url()).pathname))
        yield* Effect.promise(async () => {
          await open(page, url.replace("said", "plain-one"))
          assert.deepStrictEqual(asked.filter((path) => /diagram|mermaid/.test(path)), [])
          await open(page, url)
          await page.locator(".drawn img").waitFor()
          await page.keyboard.press("c")
          const card = page.getByRole("complementary", { name: "Comments" }).getByRole("article").filter({ hasText: "Why this?" })
          // Folded words are marked by their diagram alone: their own place is over other words.
          assert.isTrue(await page.evaluate(() => ["commented", "comment-pointed"].every((name) => !CSS.highlights.has(name))))
          await card.getByRole("button", { name: "Is it a zip?" }).click()
          await comesTrue(() => page.locator("#document pre").getByText("Is it a zip?").evaluate((one) => one.closest("pre")!.getBoundingClientRect().height > 60))
          assert.strictEqual(await page.getByRole("button", { name: "Source" }).getAttribute("aria-expanded"), "true")
          for (const name of ["anchored", "comment-pointed"]) {
            await comesTo(() => page.evaluate((name) => [...(CSS.highlights.get(name) as unknown as Iterable<Range> | undefined ?? [])].map(String), name), ["Is it a zip?"])
          }
          await page.locator(".diagram.pointed").waitFor()
        })
      }))

    it.effect("of somebody hostile is a picture or its source: nothing runs, nobody is asked, the page is still ours", () =>
      Effect.gen(function*() {
        const { url } = yield* published("hostile-drawn", [...HOSTILE, `flowchart LR\n  A --> B\n  %% ${"x".repeat(20_000)}`, "pie\n  \"fine\" : 1"].map(fence).join("\n"))
        const { page, strangers } = yield* readerIn(yield* Chromium, { viewport: { width: 1280, height: 900 } })
        const refused: Array<string> = []
        page.on("requestfailed", (request) => refused.push(`${request.failure()?.errorText} ${request.url()}`))
        yield* Effect.promise(async () => {
          await watched(page)
          await open(page, url)
          const boxes = page.locator("pre.mermaid")
          const count = await boxes.count()
          assert.strictEqual(count, HOSTILE.length + 2)
          for (let at = 0; at < count; at++) {
            await boxes.nth(at).evaluate((one) => one.parentElement!.scrollIntoView({ block: "center" }))
            await page.waitForFunction((at) => document.querySelectorAll("pre.mermaid")[at]!.parentElement!.querySelector(".drawn img, .undrawn") !== null, at)
          }
          await page.getByText("This diagram could not be drawn: Its source is longer than 20,000 characters.").waitFor()
          const frames = page.frames()
          const seen = await page.evaluate(() => ({
            pwned: ["pwned" in window, "pwned" in {}], place: location.href,
            inside: document.querySelectorAll("#document :is(script, style, iframe, svg:not(.copy svg), a[href^=javascript])").length,
            named: [...document.querySelectorAll(".drawn")].map((one) => one.getAttribute("aria-label")!.length <= 301),
            why: [...document.querySelectorAll(".undrawn")].map((one) => one.textContent.length <= 210),
            last: document.querySelectorAll(".drawn").length > 6
          }))
          assert.deepStrictEqual({ ...seen, named: seen.named.every(Boolean), why: seen.why.every(Boolean) }, { pwned: [false, false], place: url, inside: 0, named: true, why: true, last: true })
          // The one that draws, without an origin.
          assert.lengthOf(frames, 2)
          assert.deepStrictEqual(await frames[1]!.evaluate(() => [origin, "pwned" in window, document.body.childElementCount]), ["null", false, 0])
          const kept = await frames[1]!.evaluate(async () => {
            const tries = [() => localStorage.length, () => document.cookie, () => parent.document, () => fetch("/"), () => fetch("/_svc/raw/x"), () => { if (window.open("/") === null) throw new Error("refused") }, () => { top!.location.href = "/x" }]
            return Promise.all(tries.map(async (one) => { try { await one(); return false } catch { return true } }))
          })
          assert.deepStrictEqual(kept, kept.map(() => true))
          // In an image nothing would run; there is nothing in the pictures either.
          const within = await page.evaluate((all) => all.flatMap((one) => {
            const picture = new DOMParser().parseFromString(one, "image/svg+xml")
            const bad = [...picture.querySelectorAll("parsererror, script, iframe, object, embed, link, meta, form")].map((one) => one.outerHTML)
            return [...bad, ...[...picture.querySelectorAll("*")].flatMap((one) => [...one.attributes].filter(({ name, value }) => /^on/i.test(name) || /^\s*javascript:/i.test(value)).map(({ name, value }) => `${name}=${value}`))]
          }), await pictures(page))
          assert.deepStrictEqual(within, [])
          // Nor may it become another page, to carry away what it was given.
          await frames[1]!.evaluate((address) => void (location.href = address), `${THEIRS}/carried`)
          await comesTo(async () => frames[1]!.url(), "chrome-error://chromewebdata/")
          assert.strictEqual(page.url(), url)
        })
        // The policy refused each before it was made.
        assert.deepStrictEqual(strangers.filter((one) => !refused.some((why) => /^(?:csp|net::ERR_BLOCKED_BY_CSP) /.test(why) && why.endsWith(` ${one}`))), [])
      }))

    it.effect("are a stranger's word where the frame was taken over: what it says is measured, and shown as an image alone", () =>
      Effect.gen(function*() {
        const said = [
          { svg: 42 }, { svg: "no picture" }, { svg: `<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="9"/>` }, { svg: `<svg xmlns="http://www.w3.org/2000/svg">${" ".repeat(1_000_000)}</svg>` },
          { fault: `<img src=x onerror=${JS}> ${"long ".repeat(900)}\nsecond line` }, {},
          { name: `x${" long".repeat(900)}\nsecond line`, svg: `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${JS}"><script>${JS}</script><image href="${THEIRS}/m.png" width="9" height="9"/></svg>` }
        ]
        const { url } = yield* published("taken-over", said.map((_, at) => fence(`pie\n  "${at}" : 1`)).join("\n"))
        const { page, strangers } = yield* readerIn(yield* Chromium, { viewport: { width: 1280, height: 900 } })
        yield* Effect.promise(async () => {
          await page.route(/\/_svc\/assets\/diagrams-.*\.js$/, (route) => route.request().frame() === page.mainFrame() ? route.continue() : route.fulfill({
            contentType: "text/javascript", headers: { "access-control-allow-origin": "*" },
            body: `const said = ${JSON.stringify(said)}; addEventListener("message", ({ data }) => { parent.postMessage(null, "*"); parent.postMessage({ id: 99, svg: "<svg/>" }, "*"); parent.postMessage({ ...said[data.id - 1], id: data.id }, "*") }); parent.postMessage({ id: 0 }, "*")`
          }))
          await open(page, url)
          await page.getByRole("img", { name: "x long" }).locator("img").waitFor()
          const why = await page.locator(".undrawn").allTextContents()
          assert.deepStrictEqual(why.filter((_, at) => at !== 4), ["This diagram could not be drawn.", ...Array.from({ length: 3 }, () => "This diagram could not be drawn: It becomes too large."), "This diagram could not be drawn."])
          assert.match(why[4]!, /^This diagram could not be drawn: <img src=x onerror=/)
          assert.isBelow(why[4]!.length, 210)
          assert.isBelow((await page.locator(".drawn").getAttribute("aria-label"))!.length, 310)
          assert.isFalse(await page.evaluate(() => "pwned" in window))
        })
        assert.deepStrictEqual(strangers, [])
      }))

    it.effect("that would take for ever is stopped, and the page goes on", () =>
      Effect.gen(function*() {
        const { url } = yield* published("endless", [ENDLESS, "pie\n  \"fine\" : 1"].map(fence).join("\n"))
        const { errors, page } = yield* readerIn(yield* Chromium, { viewport: { width: 1280, height: 900 } })
        yield* Effect.promise(async () => {
          await open(page, url)
          await page.getByText("This diagram could not be drawn: Drawing it takes too long.").waitFor({ timeout: 60_000 })
          await page.locator(".code").last().scrollIntoViewIfNeeded()
          await page.locator(".drawn img").waitFor()
          await comesTo(() => page.locator("iframe").count(), 1)
        })
        assert.deepStrictEqual(errors, [])
      }))

    it.effect("what draws them does nothing by itself, and in nobody else’s frame", () =>
      Effect.gen(function*() {
        const { port } = yield* Service
        const { page } = yield* readerIn(yield* Chromium)
        const frame = `http://drawn.svc.localhost:${port}/_svc/diagrams`
        yield* Effect.promise(async () => {
          await page.goto(frame)
          assert.deepStrictEqual(await page.evaluate(() => [origin, document.body.childElementCount]), ["null", 0])
          await page.evaluate(() => window.postMessage({ id: 1, source: "pie\n \"a\" : 1", palette: {}, width: 600 }, "*"))
          assert.strictEqual(await page.evaluate(() => new Promise((resolve) => setTimeout(() => resolve(document.body.childElementCount), 200))), 0)
          await page.route("http://other.svc.localhost/", (route) => route.fulfill({ contentType: "text/html", body: `<iframe src="${frame}"></iframe>` }))
          await page.goto("http://other.svc.localhost/")
          await comesTo(async () => page.frames().map((one) => one.url()), ["http://other.svc.localhost/", "chrome-error://chromewebdata/"])
        })
      }))
  })
})
