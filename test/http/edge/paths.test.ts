/** Which file a request line names, over raw sockets so that no client normalises it. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { busyFor } from "../../support/growth.ts"
import { DOMAIN, openRig } from "./rig.ts"
import type { Rig } from "./rig.ts"

const HTML = "text/html; charset=utf-8"
const TEXT = "text/plain; charset=utf-8"

describe("paths", () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await openRig()
    rig.publish("site", {
      "index.html": [HTML, "root"], "page.html": [HTML, "page"], "dir/index.html": [HTML, "dir"], "a b.txt": [TEXT, "space"],
      "é.txt": [TEXT, "accent"], "100%.txt": [TEXT, "percent"], "%2e%2e.txt": [TEXT, "literal"], ".well-known/x": [TEXT, "dot"],
      "a|b{c}^.txt": [TEXT, "odd"], "both.html": [HTML, "file"], "both/index.html": [HTML, "folder"], "...": [TEXT, "dots"],
      constructor: [TEXT, "own"] as const
    })
    rig.publish("other", { "index.html": [HTML, "somebody else's"] })
  })
  afterAll(() => rig.close())

  const get = async (target: string, host = `site.${DOMAIN}`) => {
    const text = await rig.raw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    const [head = "", body = ""] = text.split("\r\n\r\n")
    return { status: Number(head.split(" ")[1]), location: /^Location: (.*)$/m.exec(head)?.[1]?.trim(), body }
  }

  const found: ReadonlyArray<readonly [target: string, body: string]> = [
    ["/", "root"], ["/?a=/../b", "root"], ["/index.html", "root"], ["/page", "page"], ["/page.html", "page"], ["/dir/", "dir"],
    ["/dir/index.html", "dir"], ["/dir/index", "dir"], ["/a%20b.txt", "space"], ["/%C3%A9.txt", "accent"], ["/e%CC%81.txt", "accent"],
    ["/100%25.txt", "percent"], ["/%252e%252e.txt", "literal"], ["/.well-known/x", "dot"],
    ["/a|b{c}^.txt", "odd"], ["/both", "file"], ["/both/", "folder"], ["/...", "dots"], ["/constructor", "own"],
    [`http://site.${DOMAIN}/page`, "page"], [`http://site.${DOMAIN}:8787?x`, "root"], [`HTTP://SITE.${DOMAIN}/`, "root"]
  ]
  for (const [target, body] of found) {
    it(`${JSON.stringify(target)} names its file`, async () => {
      assert.deepStrictEqual(await get(target), { status: 200, location: undefined, body })
    })
  }

  const refused = [
    "/..%2fother", "/%2e%2e/other", "/../other", "/./page", "/dir/..", "/dir/.", "/dir/%2E%2E/page", "//page", "/dir//index.html",
    "//evil.example/%2e%2e", "/dir\\index.html", "/dir%5cindex.html", "/dir%2Findex.html", "/page%00", "/page%00.html", "/%", "/%zz",
    "/%e9.txt", "/\xc3\xa9.txt", "/%c0%ae%c0%ae/", "/page#x", "/%0d%0aSet-Cookie:x", "/toString", "/__proto__", "/hasOwnProperty", "/dir.html",
    "/PAGE/", "/PAGE", `http://other.${DOMAIN}/`, "http://evil.example/", "ftp://site.svc.test/", "*", "/%252e%252e/page"
  ]
  for (const target of refused) {
    it(`${JSON.stringify(target)} names nothing`, async () => {
      const answer = await get(target)
      // Node's own parser refuses some of these before our code sees them.
      assert.include([404, 400], answer.status)
      assert.isUndefined(answer.location)
      for (const content of ["somebody", "root", "page\n"]) assert.isFalse(answer.body.startsWith(content))
    })
  }

  it("a folder without its slash is sent on, with its query, on its own host", async () => {
    assert.deepInclude(await get("/dir"), { status: 308, location: "/dir/" })
    assert.deepInclude(await get("/dir?a=b&c=%20d"), { status: 308, location: "/dir/?a=b&c=%20d" })
    assert.deepInclude(await get("/%64ir"), { status: 308, location: "/%64ir/" })
    assert.deepInclude(await get("/%70age/?a=b"), { status: 308, location: "/%70age?a=b" })
  })

  it("that is full of dots is told from a file's as soon as any other: nobody waits", async () => {
    const spent = async (sign: string) => {
      const before = busyFor()
      for (let time = 0; time < 20; time++) assert.strictEqual((await get(`/a${sign.repeat(15_000)}/x`)).status, 404)
      return busyFor() - before
    }
    // Clocks of processor time may tick some hundred times a second.
    assert.isBelow(await spent("."), 10 * Math.max(await spent("a"), 20_000))
  })

  it("labels that no slug can have are unknown without a question to the store", async () => {
    const before = rig.calls.length
    for (const label of ["-a", "a_b", "a".repeat(64), "%00"]) {
      assert.strictEqual((await get("/", `${label}.${DOMAIN}`)).status, 404)
    }
    assert.strictEqual(rig.calls.length, before)
  })
})
