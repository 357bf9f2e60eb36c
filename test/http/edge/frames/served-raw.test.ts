/** What is recorded when browsers get a project's documents on its own host; and how hosts and sites are told apart. */
import { assert, describe, it } from "@effect/vitest"
import { frameNameIn, hostsOf } from "../../../../src/http/edge/hosts.ts"
import { openRig } from "../rig.ts"

const HTML = "text/html; charset=utf-8"
const FILES = { "index.html": [HTML, "<p>"], "a.js": ["text/javascript", "1"], "d.svg": ["image/svg+xml", "<svg/>"] } as const
const BROWSER = { "user-agent": "Mozilla/5.0 (X11)" }

describe("served raw", () => {
  it("is remembered once for many at a time, before the first byte, and for documents in browsers alone", async () => {
    await using rig = await openRig()
    rig.publish("raw", FILES)
    const id = rig.sites.get("raw")!.projectId
    await rig.ask("raw", "/")
    await rig.ask("raw", "/a.js", BROWSER)
    await rig.ask("raw", "/none", BROWSER)
    await rig.ask("raw", "/", BROWSER, "HEAD")
    assert.deepStrictEqual(rig.marked, [])
    for (const [path, headers] of [["/", BROWSER], ["/d.svg", { "sec-fetch-dest": "image" }], ["/", { "sec-fetch-mode": "navigate" }]] as const) {
      rig.marked.length = 0
      assert.strictEqual((await rig.ask("raw", path, headers)).status, 200)
      assert.deepStrictEqual(rig.marked, [id])
    }
    rig.change("raw", { servedRaw: true })
    rig.marked.length = 0
    await rig.ask("raw", "/", BROWSER)
    rig.change("raw", { servedRaw: false, commentsEnabled: true })
    for (const path of ["/", "/d.svg", "/a.js"]) assert.strictEqual((await rig.ask("raw", path, BROWSER)).status, 200)
    rig.publish("note", { "n.html": [HTML, "<p>"] }, { kind: "text", entry: "n.html" })
    await rig.ask("note", "/", BROWSER)
    assert.deepStrictEqual(rig.marked, [])
  })

  it("a page is not served raw if that cannot be recorded", async () => {
    await using rig = await openRig()
    rig.publish("raw", FILES)
    rig.faults.marks = true
    const refused = await rig.ask("raw", "/", BROWSER)
    assert.deepStrictEqual([refused.status, refused.text.includes("<p></")], [503, false])
    assert.strictEqual((await rig.ask("raw", "/a.js", BROWSER)).status, 200)
    rig.faults.marks = false
    assert.strictEqual((await rig.ask("raw", "/", BROWSER)).text, "<p>")
  })
})

describe("hosts", () => {
  it("schemes and ports are the configured ones; projects under a public suffix are sites of their own", () => {
    const here = hostsOf("http://svc.localhost:8787", "svc.localhost:8787")
    assert.deepStrictEqual([here.project("a"), here.frame("b"), here.base, here.apart], [
      "http://a.svc.localhost:8787", "http://svc--b.svc.localhost:8787", "http://svc.localhost:8787", false
    ])
    assert.strictEqual(hostsOf("https://svc.example/app", "pages.example").base, "https://svc.example")
    assert.isFalse(hostsOf("https://svc.example", "pages.example").apart)
    assert.isTrue(hostsOf("https://svc.example", "github.io").apart)
    assert.isTrue(hostsOf("https://svc.example", "co.uk:8443").apart)
  })
  it("a frame's label is exactly its own", () => {
    const name = "0123456789abcdefghijklmnop"
    assert.strictEqual(frameNameIn(`svc--${name}`), name)
    for (const label of [name, `svc--${name}0`, `svc--${name.slice(1)}`, `xsvc--${name}`, `svc--${name.slice(1)}w`, `a.svc--${name}`]) {
      assert.isUndefined(frameNameIn(label))
    }
  })
})
