/** The viewers as readers use them, in Chromium over the edge: text, images, video, keys, themes; with and without script. */
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { crc32, deflateSync } from "node:zlib"
import { drawImage } from "../../src/services/thumbnails/images.ts"
import { openRig } from "../http/edge/rig.ts"
import type { Rig } from "../http/edge/rig.ts"
import { axe, axeAgain } from "../support/axe.ts"
import { comesTrue, executable, hasChromium, moved, pictureBox, sharedChromium, windows } from "../support/browser.ts"
import { HEIC } from "../support/heics.ts"
import { pdfOf } from "../support/pdfs.ts"
import { filmOf } from "../support/videos.ts"

const TEXT = "text/plain; charset=utf-8"
const HOSTILE = "</pre><script>window.ran=1</script><img src=x onerror=\"window.ran=2\">"
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><script>parent.ran=3</script><rect width="80" height="40" onload="parent.ran=4"/></svg>`

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
/** Fully transparent. */
const png = (width: number, height: number): Buffer => {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const rows = deflateSync(Buffer.alloc((width * 4 + 1) * height))
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))])
}
/** Ten seconds of silence, which every player plays. */
const silence = (): Buffer => {
  const samples = Buffer.alloc(80_000, 128)
  const head = Buffer.alloc(44)
  head.write("RIFF", 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write("WAVEfmt ", 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write("data", 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

const notes = Array.from({ length: 400 }, (_, index) => index % 5 === 4 ? "" : `This is line ${index + 1}, with a word or two on it`).join("\n")
/** As a program writes them in a terminal. */
const written = notes.replace("line 123", "\x1b[1;31mline\x1b[0m 123")
const long = Array.from({ length: 40_000 }, (_, index) => `${index + 1}: forty thousand lines, and one of them has the needl${index === 39_000 ? "e" : ""}`).join("\r\n")

/** Its string begins among the first hundred lines and ends among the next. */
const python = `import os\n\ndef run(words: str) -> int:  # counts\n    return len(words)\n\nLONG = """\n${"def no_code(here):\n".repeat(130)}"""\n\nclass Last: pass  # ${HOSTILE}\n`
/** A line that ends in its second block, in what begins a string where nothing comes before it. */
const minified = `const a = \`${"x".repeat(24_500)}it's\`\nconst b = "words"\n`

describe.skipIf(!hasChromium)(`viewers in a browser (${executable})`, () => {
  let rig: Rig
  const contexts: Array<BrowserContext> = []
  /** What was drawn of pictures that no browser here shows, by version. */
  const drawings = new Map<string, Uint8Array>()
  const strangers: Array<string> = []
  const errors: Array<string> = []

  beforeAll(async () => {
    rig = await openRig((port) => ({ contentDomain: `svc.localhost:${port}`, baseUrl: `http://svc.localhost:${port}`, drawn: (_, version) => Effect.sync(() => Option.fromNullishOr(drawings.get(version))) }))
    const publish = (slug: string, name: string, type: string, content: string | Buffer, kind: "text" | "image" | "video", title: string) =>
      rig.publish(slug, { [name]: [type, content] }, { kind, entry: name, title, commentsEnabled: true })
    publish("text", "notes.txt", TEXT, written, "text", "Notes on the quarter, with a title that is longer than a phone is wide")
    publish("brief", "notes.txt", TEXT, notes.slice(0, 500), "text", "Notes on the quarter, with a title that is longer than a phone is wide")
    publish("long", "long.txt", TEXT, long, "text", "Long")
    publish("code", "agent.py", TEXT, python, "text", "An agent")
    publish("minified", "app.js", TEXT, minified, "text", "An app")
    publish("recipe", "Dockerfile.txt", TEXT, "FROM node:26\nRUN npm ci\n", "text", "A recipe")
    publish("image", "mark.png", "image/png", png(1200, 800), "image", "The mark")
    publish("video", "talk.wav", "audio/wav", silence(), "video", "The talk")
    publish("hostile", "h.txt", TEXT, HOSTILE, "text", HOSTILE)
    publish("hostile-image", "h.svg", "image/svg+xml", SVG, "image", HOSTILE)
  })
  const tabs = windows(async (page) => {
    // Comments have a test file of their own: here there are none, and their event stream stays quiet.
    await page.context().route(/\/_svc\/comments\?/, (route) => route.fulfill({ json: { comments: [], next_cursor: null, you: null } }))
    await page.context().route("**/_svc/comments/events", () => {})
    await page.context().route(`http://svc.localhost:${rig.port}/v1/me`, (route, request) =>
      route.fulfill({
        json: { user: { name: "Ada", email: "ada@example.com" }, comment_token: "a-token" },
        headers: { "access-control-allow-origin": request.headers()["origin"] ?? "*", "access-control-allow-credentials": "true" }
      }))
    page.on("request", (request) => !new RegExp(`^(?:http://(?:[\\w-]+\\.)?svc\\.localhost:${rig.port}/|data:|blob:)`).test(request.url()) && strangers.push(request.url()))
    const slug = () => new URL(page.url()).hostname.split(".")[0]
    page.on("console", (message) => message.type() === "error" && errors.push(`${slug()}: ${message.text()}`))
    page.on("pageerror", (error) => errors.push(`${slug()}: ${error.message}`))
  })
  afterEach(() => Promise.all([tabs.takeBack(), ...contexts.splice(0).map((context) => context.close())]))
  afterAll(() => Promise.all([tabs.close(), rig.close()]))

  const blank = (options: BrowserContextOptions = {}): Promise<Page> => tabs.lend({ viewport: { width: 1280, height: 800 }, ...options })
  const opened = async (slug: string, hash = "", options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await blank(options)
    await page.goto(`http://${slug}.svc.localhost:${rig.port}/${hash}`)
    if (options.javaScriptEnabled !== false) await page.locator("body[data-ready]").waitFor()
    return page
  }
  /** What the console says of what a test itself broke. */
  const expected = (what: RegExp) => errors.splice(0, errors.length, ...errors.filter((error) => !what.test(error)))
  const at = (page: Page, hash: string) => page.waitForFunction((wanted) => location.hash === wanted, hash)
  const found = (page: Page) => page.locator(".finder output").textContent()
  /** Words of a line of code that have colours, each after what it is. */
  const kinds = (page: Page, line: number) => page.locator(`.line[data-line="${line}"] [class^=t-]`).evaluateAll((pieces) => pieces.map((one) => `${one.className.slice(2)} ${one.textContent.trim()}`))
  /** Visible below the bar. */
  const inWindow = (page: Page, line: number) => page.waitForFunction((line) => {
    const top = document.querySelector(`.line[data-line="${line}"]`)?.getBoundingClientRect().top ?? -1
    return top > 56 && top < innerHeight
  }, line)

  it("is clean to axe and fits its window, light on a phone and dark on a desk", async () => {
    for (const slug of ["brief", "image", "video"]) {
      const page = await opened(slug, "", { colorScheme: "light", viewport: { width: 390, height: 844 } })
      const fits = async () => assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
      await page.keyboard.press("c")
      await page.getByRole("heading", { name: "Comments" }).waitFor()
      if (slug === "brief") await page.keyboard.press("/")
      await fits()
      assert.deepStrictEqual(await axe(page), [], slug)
      assert.deepStrictEqual(await axeAgain(page, "dark", 1440), [], slug)
      await fits()
    }
  })

  it("never shows parts of two versions: whoever was reading hears that there is a newer one", async () => {
    const rows = (word: string) => `name,value\n${`${word},${"x".repeat(90)}\n`.repeat(4_000)}`
    const kinds = [
      ["data", "t.csv", "text/csv; charset=utf-8", rows("one"), rows("two"), 2], ["text", "t.txt", TEXT, long, long.replaceAll("forty", "fifty"), 1],
      ["pdf", "t.pdf", "application/pdf", pdfOf([{ lines: ["One"] }], { filler: 600_000 }), pdfOf([{ lines: ["Two"] }], { filler: 600_000 }), 2],
      ["video", "t.webm", "video/webm", filmOf(4), filmOf(2), 1]
    ] as const
    const page = await blank()
    for (const [kind, name, type, one, two, held] of kinds) {
      const slug = `parts-${kind}`
      const publish = (content: string | Buffer) => rig.publish(slug, { [name]: [type, content] }, { kind, entry: name, title: slug })
      publish(one)
      // From this part on, answers arrive after the other version was published.
      let asked = 0
      const then = Promise.withResolvers<void>()
      // By its host: what the page before still asked for is none of it.
      const parts = `http://${slug}.svc.localhost:${rig.port}/_svc/raw/**`
      await page.route(parts, async (route) => {
        if (++asked === held) {
          publish(two)
          then.resolve()
        }
        if (asked >= held) await then.promise
        await route.continue()
      })
      await page.goto(`http://${slug}.svc.localhost:${rig.port}/`)
      await page.getByText("A newer version was published while you were reading.").waitFor()
      const before = await page.evaluate(() => Number(document.body.dataset["version"]))
      assert.strictEqual(await page.getByRole("alert").count(), 1, kind)
      await page.unroute(parts)
      await page.getByRole("button", { name: "Reload" }).click()
      await page.waitForFunction((before) => document.body?.dataset["ready"] !== undefined && Number(document.body.dataset["version"]) > before, before)
      assert.strictEqual(await page.getByRole("alert").count(), 0, kind)
    }
    expected(/^parts-/)
  })

  it("without comments, whoever comes back to a page that was left open hears that there is a newer version", async () => {
    const publish = (words: string) => rig.publish("left-open", { "note.txt": ["text/plain; charset=utf-8", words] }, { kind: "text", entry: "note.txt", title: "Left open" })
    publish("The first")
    const page = await opened("left-open")
    const news = page.getByRole("alert").filter({ hasText: "A newer version was published" })
    const back = async () => {
      const looked = page.waitForResponse((one) => one.request().method() === "HEAD")
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
      return (await looked).status()
    }
    assert.deepStrictEqual([await back(), await news.count()], [200, 0])
    publish("The second")
    assert.strictEqual(await back(), 409)
    await news.getByRole("button", { name: "Reload" }).click()
    await page.getByText("The second").waitFor()
    assert.strictEqual(await news.count(), 0)
    // Who goes on with theirs is not told each time.
    publish("The third")
    assert.strictEqual(await back(), 409)
    await news.getByRole("button", { name: "Go on reading this one" }).click()
    const asked: Array<string> = []
    page.on("request", (one) => asked.push(one.method()))
    await page.evaluate(async () => {
      document.dispatchEvent(new Event("visibilitychange"))
      await fetch(location.href)
    })
    assert.deepStrictEqual([asked, await news.count()], [["GET"], 0])
    expected(/status of 409/)
  })

  it("without comments, a page that the browser kept for its Back button is left once it does not open any more", async () => {
    const publish = (visibility: "public" | "private") =>
      rig.publish("kept-open", { "note.txt": ["text/plain; charset=utf-8", "Kept"] }, { kind: "text", entry: "note.txt", title: "Kept open", visibility })
    publish("public")
    const page = await opened("kept-open")
    const back = () => page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })))
    const looked = page.waitForResponse((one) => one.request().method() === "HEAD")
    await back()
    assert.strictEqual((await looked).status(), 200)
    publish("private")
    await back()
    await page.getByRole("heading", { name: "This document is private" }).waitFor()
    assert.strictEqual(await page.getByText("Kept").count(), 0)
    expected(/status of 403/)
  })

  it("text: lines have addresses, numbers that are never copied, and words that are found", async () => {
    const page = await opened("text", "#L120-L121")
    assert.deepStrictEqual(await page.locator(".line.marked").evaluateAll((lines) => lines.map((one) => (one as HTMLElement).dataset["line"])), ["120", "121"])
    await inWindow(page, 120)
    // A terminal's colours are drawn, and its codes are not.
    await page.locator(`.line[data-line="123"] span`).waitFor()
    assert.deepStrictEqual(await page.locator(`.line[data-line="123"] span`).evaluate((one) => [one.textContent, getComputedStyle(one).color, getComputedStyle(one).fontWeight]), ["line", "rgb(163, 32, 26)", "600"])

    await page.locator(`.line[data-line="123"]`).click({ position: { x: 12, y: 8 } })
    await at(page, "#L123")
    await page.locator(`.line[data-line="126"]`).click({ position: { x: 12, y: 8 }, modifiers: ["Shift"] })
    await at(page, "#L123-L126")

    const copied = await page.evaluate(() => {
      getSelection()!.selectAllChildren(document.getElementById("text")!)
      const event = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), bubbles: true, cancelable: true })
      document.getElementById("text")!.dispatchEvent(event)
      return event.clipboardData!.getData("text/plain")
    })
    assert.strictEqual(copied, notes)

    await page.evaluate(() => getSelection()!.removeAllRanges())
    await page.keyboard.press("/")
    await page.keyboard.type("LINE 3")
    await page.waitForFunction(() => document.querySelector(".finder output")!.textContent.endsWith(" of 89"))
    const before = Number((await found(page))!.split(" ")[0])
    await page.keyboard.press("Enter")
    assert.strictEqual(await found(page), `${before + 1} of 89`)
    await page.keyboard.press("Shift+Enter")
    assert.strictEqual(await found(page), `${before} of 89`)
    await page.locator(".finder input").fill("line 123, with")
    await page.waitForFunction(() => [...CSS.highlights.get("current") ?? []].map(String).join() === "line 123, with")
    await page.locator(".finder input").fill("nowhere (in] it")
    await page.waitForFunction(() => document.querySelector(".finder output")!.textContent === "None")
    await page.locator(".finder").getByRole("button", { name: "Close" }).press("Escape")
    assert.isTrue(await page.locator(".finder").isHidden())

    await page.keyboard.press("/")
    const lateMarks = await page.evaluate(async () => {
      const field = document.querySelector<HTMLInputElement>(".finder input")!
      field.value = "line 3"
      for (const event of [new InputEvent("input"), new KeyboardEvent("keydown", { key: "Escape", bubbles: true })]) field.dispatchEvent(event)
      await new Promise((resolve) => setTimeout(resolve, 200))
      return CSS.highlights.has("found")
    })
    assert.isFalse(lateMarks, "words are looked for after the search was closed")
  })

  it("text: code is in the colours of its language, which take nothing from whoever reads it meanwhile, and is read without them", async () => {
    const arrives = Promise.withResolvers<void>()
    const page = await opened("code")
    await page.route(/\/grammars\/python-/, (route) => arrives.promise.then(() => route.continue()))
    await page.reload()
    await page.locator("body[data-ready]").waitFor()
    assert.deepStrictEqual(await kinds(page, 3), [])
    await page.evaluate(() => {
      const words = document.querySelector(`.line[data-line="3"]`)!.firstChild!
      getSelection()!.setBaseAndExtent(words, 4, words, 18)
      const marked = document.createRange()
      marked.setStart(words, 8)
      marked.setEnd(document.querySelector(`.line[data-line="4"]`)!.firstChild!, 10)
      CSS.highlights.set("anchored", new Highlight(marked))
    })
    arrives.resolve()
    await page.locator(`.line[data-line="3"] .t-keyword`).waitFor()
    assert.deepStrictEqual(await kinds(page, 1), ["keyword import"])
    assert.includeMembers(await kinds(page, 3), ["keyword def", "function run", "comment # counts"])
    assert.deepStrictEqual(await page.evaluate(() => [String(getSelection()), ...[...CSS.highlights.get("anchored")!].map(String)]), ["run(words: str", "words: str) -> int:  # counts\n    return"])
    // The last lines are another block, in which the string goes on.
    await page.locator(`.line[data-line="139"]`).scrollIntoViewIfNeeded()
    await page.locator(`.line[data-line="139"] .t-keyword`).first().waitFor()
    assert.deepStrictEqual(await kinds(page, 120), ["string-expression def no_code(here):"])
    assert.strictEqual(await page.locator("#text").evaluate((one) => [...one.querySelectorAll(".line")].map((line) => line.textContent).join("")), python)
    assert.isUndefined(await page.evaluate(() => (window as { readonly ran?: number }).ran))
    await page.evaluate(() => getSelection()!.removeAllRanges())
    for (const [scheme, width] of [["light", 390], ["dark", 1440]] as const) assert.deepStrictEqual(await axeAgain(page, scheme, width), [])

    const named = await opened("recipe")
    await named.locator(`.line[data-line="2"] .t-keyword`).waitFor()

    const plain = await opened("code")
    await plain.route(/\/code-worker-/, (route) => route.abort())
    const refused = plain.waitForEvent("requestfailed")
    await plain.reload()
    await refused
    await plain.locator("body[data-ready]").waitFor()
    assert.deepStrictEqual([await kinds(plain, 1), await plain.getByRole("alert").count()], [[], 0])
    expected(/code: Failed to load resource/)
  })

  it("text: whoever searches, selects or is said something in code stays where they are while its colours arrive", async () => {
    const arrives = Promise.withResolvers<void>()
    const page = await opened("code")
    const written = { author: { id: null, name: "Ada" }, body: "Why?", created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z", editable_until: "2026-01-01T00:15:00.000Z", edited: false }
    const said = { ...written, id: "019a0000-0000-7000-8000-000000000001", version: 1, anchor: { path: "/", line: 4, quote: "len(words)", where: "line 4" }, status: "open", resolved_at: null, resolved_by: null, replies: [] }
    await page.route(/\/_svc\/comments\?/, (route) => route.fulfill({ json: { comments: [said], next_cursor: null, version: 1, you: null } }))
    await page.route(/\/grammars\/python-/, (route) => arrives.promise.then(() => route.continue()))
    await page.reload()
    await page.locator("body[data-ready]").waitFor()
    const marked = (name: string) => page.evaluate((name) => [...CSS.highlights.get(name) ?? []].map(String), name)
    await page.waitForFunction(() => CSS.highlights.has("commented"))
    await page.keyboard.press("/")
    await page.keyboard.type("words")
    await page.waitForFunction(() => document.querySelector(".finder output")!.textContent === "1 of 2")
    // The page goes to what was found once more with the next frame.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
    await page.evaluate(() => {
      const words = document.querySelector(`.line[data-line="3"]`)!.firstChild!
      getSelection()!.setBaseAndExtent(words, 18, words, 4)
      scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" })
    })
    await page.locator(`.line[data-line="139"]`).waitFor()
    const before = await page.evaluate(() => scrollY)
    assert.isAbove(before, 500)
    arrives.resolve()
    await page.locator(`.line[data-line="139"] .t-keyword`).first().waitFor()
    await page.evaluate(() => new Promise((done) => setTimeout(done, 300)))
    assert.strictEqual(await page.evaluate(() => scrollY), before, "the page went back to what was found")
    assert.deepStrictEqual([await marked("found"), await marked("current"), await marked("commented")], [["words", "words"], ["words"], ["len(words)"]])
    assert.deepStrictEqual(await page.evaluate(() => [String(getSelection()), getSelection()!.direction]), ["run(words: str", "backward"])

    const other = await opened("minified")
    // Its end moves as what is above it is drawn.
    await comesTrue(async () => {
      await other.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }))
      return await other.locator(`.line[data-line="2"] .t-string-expression`).count() === 1
    })
    assert.deepStrictEqual(await other.locator("[class^=t-]").evaluateAll((pieces) => pieces.map((one) => `${one.className.slice(2)} ${one.textContent.trim()}`)), ["keyword const", "constant b", "keyword =", "string-expression \"words\""])
  })

  it("text: code has its colours however busy the machine is", async () => {
    const page = await opened("recipe")
    // Time flies between two looks at the clock.
    await page.route(/\/code-worker-/, async (route) => {
      const { host, pathname } = new URL(route.request().url())
      const response = await route.fetch({ url: `http://127.0.0.1:${rig.port}${pathname}`, headers: { host } })
      await route.fulfill({ response, body: `let looks = 0\nDate.now = () => looks++ * 1000;\n${await response.text()}` })
    })
    await page.reload()
    await page.locator(`.line[data-line="2"] .t-keyword`).waitFor()
    assert.deepStrictEqual([await kinds(page, 1), await kinds(page, 2)], [["keyword FROM"], ["keyword RUN"]])
  })

  it("text: a long one is copied once all of it is here, and says so until then; where the viewer does not arrive, its beginning stays and says so", async () => {
    const context = await (await sharedChromium()).newContext({ permissions: ["clipboard-read", "clipboard-write"] })
    contexts.push(context)
    await context.route(/\/_svc\/comments\?/, (route) => route.fulfill({ json: { comments: [], next_cursor: null, you: null } }))
    await context.route("**/_svc/comments/events", () => {})
    await context.route("**/v1/me", (route) => route.fulfill({ status: 401, json: {} }))
    const page = await context.newPage()
    const rest = Promise.withResolvers<void>()
    await page.route("**/_svc/raw/**", (route) => rest.promise.then(() => route.continue()))
    await page.goto(`http://long.svc.localhost:${rig.port}/`)
    await page.locator("body[data-ready]").waitFor()
    await page.getByRole("button", { name: "Copy all" }).click()
    // Seen too, and not only heard.
    await page.locator("#said.seen", { hasText: "The text is still arriving. Copy it once it is here." }).waitFor()
    rest.resolve()
    await page.locator("#rest").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Copy all" }).click()
    await page.locator("#said.seen", { hasText: "Copied the whole text" }).waitFor()
    assert.isAbove(await page.locator("#said").evaluate((said) => said.getBoundingClientRect().width), 100)
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    const shown = long.replaceAll("\r\n", "\n")
    assert.deepStrictEqual([copied.length, copied === shown], [shown.length, true])
    // Its script is a file of its own.
    await page.route(/\/_svc\/assets\/text-[\w-]+\.js$/, (route) => route.abort())
    await page.reload()
    await page.getByRole("alert").getByText("A part of this page did not arrive. Reload the page to try again.").waitFor()
    await page.locator("body[data-ready]").waitFor()
    await page.getByText("1: forty thousand lines").first().waitFor()
  })

  it("text: a long one is there at once and whole soon, and goes to any of its lines", async () => {
    const page = await opened("long")
    await page.getByText("1: forty thousand lines").first().waitFor()
    await page.locator("#rest").waitFor({ state: "detached" })
    assert.isBelow(await page.locator("*").count(), 3_000)
    await page.keyboard.press("g")
    await page.keyboard.type("39990")
    await page.keyboard.press("Enter")
    await inWindow(page, 39_990)
    await page.keyboard.press("g")
    await page.keyboard.type("99999")
    await page.keyboard.press("Enter")
    await inWindow(page, 40_000)
    await page.waitForFunction(() => location.hash === "#L40000" && document.getElementById("said")!.textContent === "Line 40000 is the last")
    await page.keyboard.press("/")
    await page.keyboard.type("needle")
    await page.waitForFunction(() => document.querySelector(".finder output")!.textContent === "1 of 1")
    assert.strictEqual(await page.evaluate(() => [...CSS.highlights.get("current")!].map(String).join()), "needle")
    await inWindow(page, 39_001)
    await page.keyboard.press("Escape")
    await page.keyboard.press("w")
    assert.isTrue(await page.locator("#text.unwrapped").isVisible())
  })

  it("image: fits, grows by keys, wheel and buttons, and takes a pin where comments are open", async () => {
    const page = await opened("image")
    const scale = async () => Number.parseInt((await page.locator(".tools output").textContent())!, 10)
    const fit = await scale()
    assert.isTrue(fit > 50 && fit < 100, String(fit))
    await page.keyboard.press("1")
    assert.strictEqual(await scale(), 100)
    await page.keyboard.press("+")
    assert.strictEqual(await scale(), 125)
    const left = () => page.locator("#image").evaluate((image) => image.getBoundingClientRect().left)
    const start = await left()
    await page.keyboard.press("ArrowRight")
    assert.isBelow(await left(), start)
    await page.mouse.move(640, 400)
    await page.mouse.wheel(0, -100)
    await page.waitForFunction(() => document.querySelector(".tools output")!.textContent === "153%")
    await page.mouse.down()
    await page.mouse.move(700, 420)
    await page.mouse.up()
    assert.isTrue(await page.locator(".pin").isHidden())
    await page.keyboard.press("0")
    assert.strictEqual(await scale(), fit)
    assert.include(await page.locator(".facts").textContent(), "1200 × 800")
    await page.keyboard.press("w")
    assert.strictEqual(await scale(), 100)
    assert.strictEqual(await page.getByRole("button", { name: "Fit the width" }).getAttribute("aria-pressed"), "true")
    await page.keyboard.press("0")
    // On paper it is whole, and its own shape.
    await page.emulateMedia({ media: "print" })
    await page.setViewportSize({ width: 600, height: 300 })
    const paper = (await page.locator("#image").boundingBox())!
    assert.closeTo(paper.width / paper.height, 1.5, 0.01)
    assert.isTrue(paper.width <= 600 && paper.height <= 300)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ media: null })

    await page.keyboard.press("c")
    const box = await pictureBox(page)
    await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2)
    const pin = (await page.locator(".pin").boundingBox())!
    assert.closeTo(pin.x, box.x + box.width / 4, 2)
    assert.closeTo(pin.y + pin.height, box.y + box.height / 2, 2)
    await page.keyboard.press("Escape")
    assert.isTrue(await page.locator(".pin").isHidden())
  })

  it("image: what is drawn on nothing in black or in white is seen in the dark", async () => {
    const page = await opened("image", "", { colorScheme: "dark" })
    const squares = await page.locator("#image").evaluate((image) => {
      const canvas = document.createElement("canvas").getContext("2d")!
      return ["--even", "--odd"].map((name) => {
        const probe = document.body.appendChild(document.createElement("i"))
        probe.style.color = getComputedStyle(image).getPropertyValue(name)
        canvas.fillStyle = getComputedStyle(probe).color
        canvas.fillRect(0, 0, 1, 1)
        return canvas.getImageData(0, 0, 1, 1).data[0]!
      })
    })
    for (const red of squares) assert.isTrue(red > 110 && red < 190, squares.join(" "))
  })

  it("video: opens at the moment that the address names, and goes by frames and speeds", async () => {
    const page = await opened("video", "#t=3")
    const time = () => page.locator("video").evaluate((video: HTMLVideoElement) => video.currentTime)
    await page.waitForFunction(() => document.querySelector("video")!.currentTime === 3)
    // To Chromium, this sound is what a video is whose picture it cannot read.
    await page.getByRole("alert").getByText("This browser plays only the sound of this video. If it has a picture, download it to see that.").waitFor()
    await page.keyboard.press(".")
    assert.closeTo(await time(), 3 + 1 / 30, 0.01)
    await page.keyboard.press(",")
    await page.keyboard.press("ArrowRight")
    assert.closeTo(await time(), 8, 0.01)
    await page.keyboard.press(">")
    assert.strictEqual(await page.locator("video").evaluate((video: HTMLVideoElement) => video.playbackRate), 1.25)
    await page.evaluate(() => (location.hash = "#t=1.5"))
    await page.waitForFunction(() => document.querySelector("video")!.currentTime === 1.5)
  })

  it("video: has the shape of its picture, tall or wide, in all the room or with room for its controls", async () => {
    const page = await opened("video")
    const shown = (width: number, height: number) => page.locator("video").evaluate(async (video: HTMLVideoElement, size) => {
      const canvas = Object.assign(document.createElement("canvas"), size)
      canvas.getContext("2d")!.fillRect(0, 0, 9, 9)
      const known = new Promise((resolve) => video.addEventListener("loadedmetadata", resolve, { once: true }))
      video.srcObject = canvas.captureStream()
      await known
      const box = video.getBoundingClientRect()
      return [video.videoWidth, Math.round(box.width), Math.round(box.height)]
    }, { width, height })
    assert.deepStrictEqual(await shown(320, 568), [320, 320, 568])
    assert.deepStrictEqual(await shown(1080, 1920), [1080, 365, 648])
    assert.deepStrictEqual(await shown(886, 1920), [886, 299, 648])
    assert.deepStrictEqual(await shown(1920, 1080), [1920, 1152, 648])
    assert.deepStrictEqual(await shown(64, 36), [64, 292, 164])
    await page.setViewportSize({ width: 1920, height: 1200 })
    assert.deepStrictEqual(await shown(64, 36), [64, 472, 265])
    // From edge to edge of a phone.
    await page.setViewportSize({ width: 390, height: 844 })
    assert.deepStrictEqual(await shown(320, 568), [320, 390, 692])
  })

  it("images and videos: what did not arrive is told apart from what this browser cannot show", async () => {
    const broken = Buffer.alloc(2_000, "neither")
    rig.publish("broken-image", { "b.png": ["image/png", broken] }, { kind: "image", entry: "b.png", title: "Broken" })
    rig.publish("broken-video", { "b.mp4": ["video/mp4", broken] }, { kind: "video", entry: "b.mp4", title: "Broken" })
    const answers = { away: 503, cut: 0, newer: 409, there: 200 } as const
    const told = {
      image: { away: "The image did not arrive. Reload", cut: "The image did not arrive. Reload", newer: "A newer version was published", there: "This browser cannot show the image." },
      video: { away: "The video did not arrive. Reload", cut: "The video did not arrive. Reload", newer: "A newer version was published", there: "This browser cannot play the video." }
    } as const
    const tab = await blank()
    for (const kind of ["image", "video"] as const) {
      for (const [how, status] of Object.entries(answers) as ReadonlyArray<[keyof typeof answers, number]>) {
        await tab.unroute("**/_svc/raw/**")
        await tab.route("**/_svc/raw/**", (route) => status === 0 ? route.abort() : status === 200 ? route.continue() : route.fulfill({ status }))
        await tab.goto(`http://broken-${kind}.svc.localhost:${rig.port}/`)
        await tab.getByRole("alert").getByText(told[kind][how]).waitFor()
        assert.strictEqual(await tab.getByRole("alert").count(), 1)
        // Neither a dead player or picture nor its bar is left, and nothing moved on the way.
        await tab.getByRole("link", { name: `Download the ${kind}` }).waitFor()
        assert.deepStrictEqual([await tab.locator("video, #image").count(), await tab.locator("#tools").isVisible()], [0, false], how)
        assert.isBelow(await moved(tab), 0.005, how)
      }
    }
    expected(/^broken-/)
    // Chromium gives up on a partial download only after half a minute: here it is made to fail at once.
    const context = await (await sharedChromium()).newContext()
    contexts.push(context)
    const page = await context.newPage()
    await page.addInitScript(() => Object.defineProperty(HTMLMediaElement.prototype, "error", { get: () => ({ code: MediaError.MEDIA_ERR_NETWORK }) }))
    await page.goto(`http://video.svc.localhost:${rig.port}/`)
    await page.getByRole("alert").getByText(told.video.away).waitFor()
  })

  it("image: a photograph that this browser cannot show is shown as it was drawn, where that came; else a browser that can shows the original", async () => {
    drawings.set(rig.publish("photograph", { "p.heic": ["image/heic", HEIC] }, { kind: "image", entry: "p.heic", title: "Photograph" }), drawImage("image/heic", HEIC).whole!)
    const shown = await opened("photograph")
    await shown.locator("#table.live").waitFor()
    assert.deepStrictEqual(await shown.locator("#image").evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]), [64, 32])
    assert.strictEqual(await shown.getByRole("alert").count(), 0)
    assert.notInclude((await shown.locator(".facts").textContent())!, "×")

    rig.publish("photograph-alone", { "p.heic": ["image/heic", HEIC] }, { kind: "image", entry: "p.heic", title: "Photograph" })
    await (await opened("photograph-alone")).getByRole("alert").getByText("This browser cannot show the image. Download it instead.").waitFor()
    rig.publish("scan", { "s.tiff": ["image/tiff", png(80, 40)] }, { kind: "image", entry: "s.tiff", title: "Scan" })
    const original = await opened("scan")
    await original.locator("#table.live").waitFor()
    assert.include((await original.locator(".facts").textContent())!, "80 × 40")
    // The console says that the drawing was missing.
    expected(/^(?:photograph-alone|scan): .*404/)
  })

  it("image: a drawing that no browser can draw says so, and one without a size of its own is shown", async () => {
    const xmlns = "xmlns=\"http://www.w3.org/2000/svg\""
    for (const [slug, svg, told] of [
      ["unnamed-drawing", "<svg width=\"80\" height=\"40\"><rect width=\"80\" height=\"40\"/></svg>", "its <svg> lacks xmlns="],
      ["unclosed-drawing", `<svg ${xmlns} width="80" height="40"><g><rect width="80" height="40"/></svg>`, "This browser cannot show the image. Download it instead."],
      ["sizeless-drawing", `<svg ${xmlns}><rect width="80" height="40"/></svg>`, undefined],
      ["boxed-drawing", `<svg ${xmlns} viewBox="0 0 8 4"><rect width="8" height="4"/></svg>`, undefined]
    ] as const) {
      rig.publish(slug, { "d.svg": ["image/svg+xml", svg] }, { kind: "image", entry: "d.svg", title: "Drawing" })
      const page = await opened(slug)
      if (told === undefined) {
        await page.locator("#table.live").waitFor()
        assert.strictEqual(await page.getByRole("alert").count(), 0, slug)
      } else {
        await page.getByRole("alert").getByText(told).waitFor()
        assert.isTrue(await page.locator("#image").isHidden())
      }
    }
  })

  it("keys are told, the theme is kept, and a download has its name", async () => {
    const page = await opened("text", "", { colorScheme: "light" })
    await page.keyboard.press("?")
    for (const words of ["Download", "Change the theme", "Go to a line"]) await page.locator("dialog").getByText(words).waitFor()
    await page.keyboard.press("Escape")
    assert.strictEqual(await page.locator("dialog[open]").count(), 0)
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const bright = await ground()
    await page.keyboard.press("t")
    assert.strictEqual(await ground(), bright)
    await page.keyboard.press("t")
    const dim = await ground()
    assert.notStrictEqual(dim, bright)
    await page.reload()
    assert.strictEqual(await ground(), dim)
    await page.locator("body[data-ready]").waitFor()
    // Print is light, whatever the reader or their system chose.
    const ink = () => page.evaluate(() => [getComputedStyle(document.body).color, getComputedStyle(document.documentElement).colorScheme])
    await page.emulateMedia({ media: "print" })
    assert.deepStrictEqual(await ink(), ["rgb(28, 27, 25)", "light"])
    await page.evaluate(() => delete document.documentElement.dataset["theme"])
    await page.emulateMedia({ media: "print", colorScheme: "dark" })
    assert.deepStrictEqual(await ink(), ["rgb(28, 27, 25)", "light"])
    await page.emulateMedia({ media: "screen" })
    const download = page.waitForEvent("download")
    await page.keyboard.press("d")
    assert.strictEqual((await download).suggestedFilename(), "notes.txt")
    const date = page.locator(".facts time")
    assert.strictEqual(await date.textContent(), await page.evaluate(() => new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(new Date("2026-03-14T09:26:53.589Z"))))
    assert.match((await date.getAttribute("title"))!, /53/)
  })

  it("without script the document is there, and nothing that would do nothing", async () => {
    const text = await opened("text", "", { javaScriptEnabled: false })
    assert.isTrue(await text.getByText("This is line 1, with a word or two on it").isVisible())
    assert.isTrue(await text.getByText("This is line 123, with").isVisible())
    assert.strictEqual(await text.locator("button:visible").count(), 0)
    assert.isTrue(await text.getByRole("link", { name: "Download" }).isVisible())
    const image = await opened("image", "", { javaScriptEnabled: false })
    const box = (await image.locator("#image").boundingBox())!
    assert.isTrue(box.width > 500 && box.width <= 1280 && box.height <= 800)
  })

  it("hostile titles, texts and drawings stay words and pictures", async () => {
    for (const slug of ["hostile", "hostile-image"]) {
      const page = await opened(slug)
      assert.isUndefined(await page.evaluate(() => (window as { ran?: number }).ran))
      assert.strictEqual(await page.title(), HOSTILE)
      assert.strictEqual(await page.locator("h1").textContent(), HOSTILE)
      assert.strictEqual(await page.locator("main img[src=x], main script, h1 *").count(), 0)
      if (slug === "hostile") assert.strictEqual(await page.locator("#text").innerText(), HOSTILE)
    }
  })

  it("nothing was asked of another host, and nothing went wrong on the way", () => {
    assert.deepStrictEqual([strangers, errors], [[], []])
  })
})
