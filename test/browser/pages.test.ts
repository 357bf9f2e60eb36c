/** Every page that the server renders, opened in Chromium in both themes, on a phone and on a desktop: axe and the console report nothing. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { BrowserContext, Page } from "playwright-core"
import { closedCsp, closedPage } from "../../src/http/edge/pages.ts"
import type { Shut } from "../../src/http/edge/pages.ts"
import { awayPage, homePage, notFoundPage } from "../../src/http/server/home-page.ts"
import { nowherePage } from "../../src/http/server/idp-pages.ts"
import { mailboxPage, messagePage } from "../../src/http/server/mailbox-pages.ts"
import { assetsPath, faces } from "../../src/look/faces.ts"
import { mailPageCsp, pageCsp } from "../../src/look/page.ts"
import { sampleSite } from "../../src/look/sample/site.ts"
import { written } from "../../src/services/mail/templates.ts"
import { axe, axeAgain } from "../support/axe.ts"
import { executable, hasChromium, sharedChromium } from "../support/browser.ts"

const facts = { requestId: "01937f3c-8f2e-7c41-9a55-3f0b7d1e2c90", baseUrl: "http://svc.localhost:8787", slug: "plan", next: "/" }
const address = `https://files.example.com/${"a1b2c3d4".repeat(24)}`
const letter = await written({
  _tag: "CommentDigest", to: "ada@example.com", name: `Ada${"a".repeat(57)}`, project: `Q3${"-report".repeat(12)}`, url: `${facts.baseUrl}/q3`, count: 1, mute: "t".repeat(43),
  quotes: [{ by: `Grace${"e".repeat(55)}`, about: "on page 3", text: `See ${address}` }]
}, { appUrl: facts.baseUrl, baseUrl: facts.baseUrl })
const message = { ...letter, id: "1", to: "ada@example.com", links: [`${facts.baseUrl}/verify-email?token=t`], at: "2026-11-21T05:42:01.120Z" }
const reasons: ReadonlyArray<Shut> = ["unknown", "empty", "expired", "down", "doorcode", "private", "link-refused", "entry-refused", "no-such-page", "unavailable", "internal"]

interface Shown {
  readonly body: string
  readonly csp: string
}
const page = (body: string, csp = pageCsp): Shown => ({ body, csp })
const pages = new Map<string, Shown>([
  ...reasons.map((reason) => [`/closed/${reason}`, page(closedPage(reason, facts), closedCsp)] as const),
  ["/home", page(homePage({ appUrl: facts.baseUrl, baseUrl: facts.baseUrl, devMailbox: true }))],
  ["/not-found", page(notFoundPage(facts))],
  ["/away", page(awayPage(facts))],
  ["/idp-refused", page(nowherePage("forbidden", "/login"))],
  ["/mailbox", page(mailboxPage([message]))],
  ["/mailbox/empty", page(mailboxPage([]))],
  ["/mailbox/1", page(messagePage(message), mailPageCsp)],
  ["/letter", page(letter.html, "default-src 'none'; style-src 'unsafe-inline'; img-src data:")],
  ...sampleSite.filter(({ path }) => path.endsWith(".html")).map(({ content, path }) =>
    [`/${path}`, page(Buffer.from(content).toString(), "default-src 'none'; style-src 'self'; font-src 'self'; img-src data:")] as const)
])

const files = new Map<string, { readonly type: string; readonly bytes: Uint8Array }>([
  ...[...faces].map(([name, { bytes, type }]) => [assetsPath + name, { type, bytes: bytes.identity }] as const),
  ...sampleSite.map(({ content, path }) => [`/${path}`, { type: path.endsWith(".css") ? "text/css" : "font/woff2", bytes: content }] as const)
])

const server = createServer((request, response) => {
  const shown = pages.get(request.url ?? "")
  const file = files.get(request.url ?? "")
  if (shown !== undefined) response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": shown.csp }).end(shown.body)
  else if (file !== undefined) response.writeHead(200, { "content-type": file.type }).end(file.bytes)
  else response.writeHead(404).end()
})

describe.skipIf(!hasChromium)(`pages in a browser (${executable})`, () => {
  let context: BrowserContext
  let tab: Page
  let origin = ""
  const found: Array<string> = []

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    context = await (await sharedChromium()).newContext()
    tab = await context.newPage()
    tab.on("console", (entry) => entry.type() === "error" && found.push(entry.text()))
    tab.on("requestfailed", (request) => found.push(`failed: ${request.url()}`))
  })
  afterAll(async () => {
    await context.close()
    server.close()
  })

  /** What a reader would stumble over: axe's findings, refused or missing resources, and a page wider than its window. */
  it.each([...pages.keys()])("%s", async (path) => {
    found.length = 0
    const fits = async () => assert.isAtMost(await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
    await tab.emulateMedia({ colorScheme: "light" })
    await tab.setViewportSize({ width: 390, height: 844 })
    await tab.goto(origin + path)
    await tab.evaluate(() => document.fonts.ready)
    await fits()
    assert.isAtMost(await tab.locator(".button:not(.quiet)").count(), 1)
    assert.deepStrictEqual(await axe(tab), [])
    assert.deepStrictEqual(await axeAgain(tab, "dark", 1440), [])
    await fits()
    assert.deepStrictEqual(found, [])
  })

  it("a mail in its frame keeps its own styles", async () => {
    await tab.goto(`${origin}/mailbox/1`)
    const frame = tab.frames()[1]
    const size = await frame?.locator("h1").evaluate((heading) => getComputedStyle(heading).fontSize).catch((error: unknown) => String(error))
    assert.strictEqual(size, "24px")
  })
})
