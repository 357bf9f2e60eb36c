/** Who gets in, and that a closed address reveals nothing: over real sockets. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { faces } from "../../../src/look/faces.ts"
import { openRig, tagFor, utc } from "./rig.ts"
import type { Rig } from "./rig.ts"

const SECRET = "the author's own words"
const HTML = "text/html; charset=utf-8"
const files = { "index.html": [HTML, SECRET.repeat(100)], "a.txt": ["text/plain; charset=utf-8", SECRET] } as const
const DRAWN = { ...files, "d.svg": ["image/svg+xml", "<svg/>"] } as const

describe("access", () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await openRig()
    rig.publish("open", files)
    rig.publish("doorcode", files, { visibility: "password" })
    rig.publish("private", files, { visibility: "private" })
    rig.publish("expired", files, { expiresAt: utc("2020-01-01T00:00:00Z") })
    rig.publish("expired-private", files, { visibility: "private", expiresAt: utc("2020-01-01T00:00:00Z") })
    rig.publish("down", files, { trialEndsAt: utc("2020-01-01T00:00:00Z") })
    rig.publish("empty", files)
    rig.change("empty", { version: null })
    rig.publish("fresh", DRAWN, { succeeds: true })
    rig.publish("drawing", { "d.svg": ["image/svg+xml", "<svg><script>alert(1)</script></svg>"], "p.png": ["image/png", "png"] }, {
      kind: "image", entry: "d.svg"
    })
    rig.publish("feed", { "data.xml": ["application/xml", "<a/>"], "r.html": [HTML, "<p>"] }, { kind: "data", entry: "data.xml" })
  })
  afterAll(() => rig.close())

  const closed: ReadonlyArray<readonly [slug: string, status: number, code: string]> = [
    ["unknown", 404, "not_found"], ["empty", 404, "not_found"], ["expired", 410, "not_found"],
    ["expired-private", 410, "not_found"], ["down", 410, "not_found"], ["doorcode", 401, "auth_required"],
    ["private", 403, "forbidden"]
  ]
  const tag = tagFor(SECRET, files["a.txt"][0])
  for (const [slug, status, code] of closed) {
    it(`${slug} is closed, whatever is asked`, async () => {
      for (const path of ["/", "/a.txt", "/index.html", "/_svc/raw/a.txt", "/nothing"]) {
        for (const method of ["GET", "HEAD"]) {
          for (const extra of [{}, { range: "bytes=0-1" }, { "if-none-match": tag }, { "if-none-match": "*" }, { "if-match": "\"x\"" }]) {
            const answer = await rig.ask(slug, path, extra, method)
            assert.strictEqual(answer.status, status)
            assert.strictEqual(answer.headers["cache-control"], "private, no-store")
            assert.strictEqual(answer.headers["x-robots-tag"], "noindex")
            assert.isUndefined(answer.headers.etag)
            assert.isUndefined(answer.headers["surrogate-key"])
            assert.notInclude(answer.text, "author")
            assert.notInclude(answer.text, "secret title")
            assert.strictEqual(answer.body.length === 0, method === "HEAD")
          }
        }
      }
    })

    it(`${slug} answers the envelope to who wants JSON`, async () => {
      const answer = await rig.ask(slug, "/", { accept: "application/json" })
      assert.strictEqual(answer.status, status)
      assert.strictEqual(answer.headers["content-type"], "application/json")
      const { error } = JSON.parse(answer.text)
      assert.deepStrictEqual({ ...error, message: "" }, { code, message: "", field: null, details: ["doorcode", "private"].includes(slug) ? { reason: slug } : {} })
      assert.isNotEmpty(error.message)
    })
  }

  it("pages go to people: by default, for browsers, and where both are equally welcome", async () => {
    for (const [accept, type] of [
      [undefined, HTML], ["*/*", HTML], ["text/html,application/xhtml+xml,*/*;q=0.8", HTML],
      ["application/json, text/html", HTML], ["text/html;q=0.9, application/json;q=0.8", HTML],
      ["application/json, text/plain, */*", "application/json"], ["text/html;q=0.1, application/json", "application/json"],
      ["application/json;q=0", HTML]
    ] as const) {
      const { headers } = await rig.ask("private", "/", accept === undefined ? {} : { accept })
      assert.strictEqual(headers["content-type"], type, accept)
    }
  })

  it("a change of the facts holds from the next request on", async () => {
    assert.strictEqual((await rig.ask("open", "/")).status, 200)
    rig.change("open", { visibility: "private" })
    assert.strictEqual((await rig.ask("open", "/")).status, 403)
    rig.change("open", { visibility: "public" })
    assert.strictEqual((await rig.ask("open", "/")).status, 200)
  })

  it("other methods are refused alike for every slug, before anything is read", async () => {
    const before = rig.calls.length
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]) {
      const known = await rig.ask("private", "/", { accept: "application/json" }, method)
      assert.strictEqual(known.status, 405)
      assert.strictEqual(known.headers.allow, "GET, HEAD")
      assert.deepInclude(JSON.parse(known.text).error, { code: "method_not_allowed", details: { allow: ["GET", "HEAD"] } })
      assert.strictEqual((await rig.ask("unknown", "/", {}, method)).status, 405)
    }
    assert.strictEqual(rig.calls.length, before)
  })

  it("no service worker is ever served", async () => {
    assert.strictEqual((await rig.ask("open", "/a.txt", { "service-worker": "script" })).status, 404)
  })

  it("files that would run as a document are sandboxed on anything but a site", async () => {
    const csp = async (slug: string, path: string) => (await rig.ask(slug, path)).headers["content-security-policy"]
    assert.strictEqual(await csp("drawing", "/_svc/raw/d.svg"), "sandbox")
    assert.strictEqual(await csp("drawing", "/d.svg"), "sandbox")
    assert.strictEqual(await csp("feed", "/data.xml"), "sandbox")
    assert.strictEqual(await csp("feed", "/r.html"), "sandbox")
    assert.isUndefined(await csp("drawing", "/p.png"))
    assert.isUndefined(await csp("open", "/"))
  })

  it("the author's bytes of other kinds are at /_svc/raw/, a site's are not", async () => {
    const raw = await rig.ask("drawing", "/_svc/raw/p.png")
    assert.deepStrictEqual([raw.status, raw.text, raw.headers["content-type"]], [200, "png", "image/png"])
    for (const [slug, path] of [
      ["drawing", "/_svc/raw/other"], ["drawing", "/_svc/raw/"], ["open", "/_svc/raw/a.txt"], ["open", "/_svc"],
      ["open", "/_svc/"], ["open", "/_svc/else"], ["open", "/_svc/assets/none"], ["open", "/_svc/assets/"]
    ] as const) {
      assert.strictEqual((await rig.ask(slug, path)).status, 404, path)
    }
  })

  it("our own fonts are there for every page of ours, kept for a year", async () => {
    const [name, font] = [...faces][0]!
    const answer = await rig.ask("unknown", `/_svc/assets/${name}`)
    assert.strictEqual(answer.status, 200)
    assert.isTrue(answer.body.equals(font.bytes.identity))
    assert.strictEqual(answer.headers["cache-control"], "public, max-age=31536000, immutable")
    assert.strictEqual((await rig.ask("unknown", `/_svc/assets/${name}`, { "if-none-match": font.etag })).status, 304)
    // Whoever takes none of the forms that it has gets its plain bytes.
    const plain = await rig.ask("unknown", `/_svc/assets/${name}`, { "accept-encoding": "br, identity;q=0" })
    assert.deepStrictEqual([plain.status, plain.headers["content-encoding"], plain.body.equals(font.bytes.identity)], [200, undefined, true])
  })

  it("a later holder of an address clears what an earlier one left, once per browser", async () => {
    const first = await rig.ask("fresh", "/")
    assert.strictEqual(first.headers["clear-site-data"], "\"cache\", \"storage\"")
    assert.strictEqual(first.headers["cache-control"], "private, no-cache")
    const cookie = first.headers["set-cookie"]![0]!
    assert.match(cookie, /^__Host-svc_seen=[\w-]+; Path=\/; Max-Age=31536000; Secure; HttpOnly; SameSite=Lax$/)
    const held = cookie.split(";")[0]!
    for (const [path, headers, method] of [
      ["/", { cookie: held }, "GET"], ["/", { cookie: `a=b; ${held}` }, "GET"], ["/a.txt", {}, "GET"], ["/", {}, "HEAD"]
    ] as const) {
      const later = await rig.ask("fresh", path, headers, method)
      assert.isUndefined(later.headers["clear-site-data"])
      assert.isUndefined(later.headers["set-cookie"])
    }
    // An SVG runs script too, if it is opened as a page of its own.
    for (const [dest, clears] of [["document", true], ["iframe", true], ["image", false]] as const) {
      const drawn = await rig.ask("fresh", "/d.svg", { "sec-fetch-dest": dest })
      assert.deepStrictEqual([drawn.status, drawn.headers["clear-site-data"] !== undefined], [200, clears], dest)
      assert.strictEqual(drawn.headers["cache-control"], clears ? "private, no-cache" : "public, no-cache, must-revalidate")
    }
    assert.isUndefined((await rig.ask("fresh", "/d.svg", { "sec-fetch-dest": "document", cookie: held })).headers["clear-site-data"])
    const other = await rig.ask("fresh", "/", { cookie: "__Host-svc_seen=01890000-0000-7000-8000-000000000000" })
    assert.isDefined(other.headers["clear-site-data"])
    // Another name to browsers, which any host of the site may set.
    assert.isDefined((await rig.ask("fresh", "/", { cookie: `\u00a0${held}` })).headers["clear-site-data"])
  })

  it("a sane request id is kept, any other replaced, and no two are alike", async () => {
    for (const good of ["abc-123.DEF_4", "1", "a".repeat(128)]) {
      assert.strictEqual((await rig.ask("open", "/", { "x-request-id": good })).headers["x-request-id"], good)
    }
    for (const bad of ["a".repeat(129), "has space in it", "semi;colon-here"]) {
      assert.notStrictEqual((await rig.ask("open", "/", { "x-request-id": bad })).headers["x-request-id"], bad)
    }
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => rig.ask(n % 2 ? "open" : "private", "/")))
    assert.strictEqual(new Set(answers.map(({ headers }) => headers["x-request-id"])).size, 50)
  })
})
