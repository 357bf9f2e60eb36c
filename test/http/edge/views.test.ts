/** Which answers count as read by somebody, over the wire, one rule at a time. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Seen } from "../../../src/domain/analytics/model.ts"
import { openRig, until } from "./rig.ts"
import type { Rig } from "./rig.ts"

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0"
const GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
const APP = "https://app.svc.example"

let rig: Rig
const seen: Array<Seen> = []
let etag: string

beforeAll(async () => {
  rig = await openRig({ views: { record: (one) => seen.push(one), appUrl: `${APP}/` }, clientOf: () => "192.0.2.7" })
  rig.publish("read", {
    "index.html": ["text/html; charset=utf-8", "<h1>Hello</h1>"],
    "large.html": ["text/html; charset=utf-8", "<p>word</p>".repeat(400_000)],
    "404.html": ["text/html; charset=utf-8", "<h1>No such page</h1>"],
    "dir/index.html": ["text/html; charset=utf-8", "<h1>Dir</h1>"],
    "style.css": ["text/css", "h1 { color: red }"],
    "picture.png": ["image/png", "png"]
  })
  rig.publish("note", { "note.txt": ["text/plain; charset=utf-8", "Hello"] }, { kind: "text", entry: "note.txt" })
  rig.publish("locked", { "index.html": ["text/html; charset=utf-8", "<h1>Hello</h1>"] }, { visibility: "password" })
  etag = (await rig.ask("read", "/", { "user-agent": GOOGLEBOT })).headers.etag!
})
afterAll(() => rig.close())

interface Load {
  readonly what: string
  readonly status?: number
  readonly slug?: string
  readonly path?: string
  readonly method?: string
  readonly headers?: Record<string, string>
}

const views: ReadonlyArray<Load> = [
  { what: "a page" },
  { what: "a viewer", slug: "note" },
  { what: "a page by its own name", path: "/index.html" },
  { what: "a folder's page", path: "/dir/" },
  { what: "a page too large to be answered at once", path: "/large.html" },
  { what: "a page with a query", path: "/?utm=x" },
  { what: "a page that has not changed", status: 304, headers: { "if-none-match": "*" } },
  { what: "a browser's navigation", headers: { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", "sec-fetch-site": "none" } },
  { what: "a page embedded by somebody", headers: { "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site", referer: "https://elsewhere.example/" } },
  { what: "a link followed inside a frame", headers: { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-origin", "sec-fetch-user": "?1" } },
  { what: "a click in the app", headers: { "sec-fetch-dest": "document", "sec-fetch-site": "same-site", referer: `${APP}/projects/read` } },
  { what: "curl", headers: { "user-agent": "curl/8.5.0" } },
  { what: "a headless browser", headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36" } },
  { what: "another purpose", headers: { "sec-purpose": "navigate" } }
]

const none: ReadonlyArray<Load> = [
  { what: "HEAD", method: "HEAD" },
  { what: "POST", method: "POST", status: 405 },
  { what: "the author's page about missing ones", path: "/nowhere", status: 404 },
  { what: "a redirect", path: "/dir", status: 308 },
  { what: "a stylesheet", path: "/style.css" },
  { what: "an image", path: "/picture.png" },
  { what: "a part of a page", status: 206, headers: { range: "bytes=0-1" } },
  { what: "a condition that fails", status: 412, headers: { "if-match": "\"other\"" } },
  { what: "a prefetch", headers: { "sec-purpose": "prefetch" } },
  { what: "a prerender", headers: { "sec-purpose": "prefetch;prerender" } },
  { what: "a prefetch of an older browser", headers: { purpose: "prefetch" } },
  { what: "a crawler", headers: { "user-agent": GOOGLEBOT } },
  { what: "a link unfurler", headers: { "user-agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" } },
  { what: "a script that fetches", headers: { "sec-fetch-dest": "empty" } },
  { what: "an embedded object", headers: { "sec-fetch-dest": "embed" } },
  { what: "a page in a frame of another page of the site", headers: { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-origin", referer: "http://read.svc.test/" } },
  { what: "a part of a frameset", headers: { "sec-fetch-dest": "frame", "sec-fetch-site": "same-origin" } },
  { what: "the app's preview", headers: { "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site", referer: `${APP}/` } },
  { what: "a viewer that no browser shows in a frame", slug: "note", headers: { "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site", referer: "https://elsewhere.example/" } },
  { what: "a gate", slug: "locked", status: 401 },
  { what: "nothing there", slug: "unknown", status: 404 },
  { what: "our own files", path: "/_svc/assets/none.css", status: 404 }
]

describe("a view", () => {
  const load = async ({ headers = {}, method = "GET", path = "/", slug = "read", status = 200 }: Load) => {
    seen.length = 0
    const given = headers["if-none-match"] === undefined ? headers : { ...headers, "if-none-match": etag }
    const answer = await rig.ask(slug, path, { "user-agent": FIREFOX, ...given }, method)
    assert.strictEqual(answer.status, status)
  }

  for (const one of views) {
    it(`is ${one.what}`, async () => {
      await load(one)
      await until(() => seen.length > 0)
      assert.lengthOf(seen, 1)
      const { address, at, projectId, shareLinkId, userAgent } = seen[0]!
      assert.deepStrictEqual([address, projectId, shareLinkId], ["192.0.2.7", rig.sites.get(one.slug ?? "read")!.projectId, null])
      assert.strictEqual(userAgent, one.headers?.["user-agent"] ?? FIREFOX)
      assert.isBelow(Math.abs(Date.now() - at), 10_000)
    })
  }

  it("keeps no more of a reader's name than tells readers apart", async () => {
    await load({ what: "a long name", headers: { "user-agent": `${FIREFOX} ${"x".repeat(8_000)}` } })
    await until(() => seen.length > 0)
    assert.strictEqual(seen[0]!.userAgent, `${FIREFOX} ${"x".repeat(8_000)}`.slice(0, 512))
  })

  for (const one of none) {
    it(`is not ${one.what}`, async () => {
      await load(one)
      assert.lengthOf(seen, 0)
    })
  }
})
