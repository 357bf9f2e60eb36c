/** `/` of a rendered kind: our page around the author's document, its headers, and what stays inert in it. */
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import type { Seen } from "../../../src/domain/analytics/model.ts"
import { Unavailable } from "../../../src/domain/failures.ts"
import type { Pass, PassId } from "../../../src/domain/hosting/model.ts"
import type { Rendered } from "../../../src/domain/ports/renderer.ts"
import type { ShareLinkId } from "../../../src/domain/share-links/model.ts"
import { hash, openRig } from "./rig.ts"
import type { Rig } from "./rig.ts"

const TEXT = "text/plain; charset=utf-8"
const SVG = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>"
const PASS = "c".repeat(43)
const HOSTILE = "</pre></title><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&lt;"

const pass: Pass = {
  id: "g" as PassId, via: "link", givenAt: DateTime.makeUnsafe(Date.now()), accessEpoch: 0, frameName: "f", member: null,
  link: { id: "l" as ShareLinkId, expiresAt: null, revoked: false }
}
const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0" }

describe("viewers", () => {
  let rig: Rig
  const seen: Array<Seen> = []
  beforeAll(async () => {
    rig = await openRig({ views: { record: (one) => seen.push(one), appUrl: "https://app.example" } })
    rig.publish("text", { "notes.txt": [TEXT, "First line\nsecond <b>line</b>\n"] }, { kind: "text", entry: "notes.txt", title: "Notes" })
    rig.publish("image", { "d.svg": ["image/svg+xml", SVG] }, { kind: "image", entry: "d.svg", title: "A drawing" })
    rig.publish("video", {
      "talk.mp4": ["video/mp4", "mp4"], "talk.jpg": ["image/jpeg", "jpg"], "talk.vtt": ["text/vtt", "WEBVTT"], "talk.de.vtt": ["text/vtt", "WEBVTT"],
      "other.vtt": ["text/vtt", "WEBVTT"], "talker.vtt": ["text/vtt", "WEBVTT"]
    }, { kind: "video", entry: "talk.mp4", title: "Talk" })
    rig.publish("pdf", { "r.pdf": ["application/pdf", "%PDF"] }, { kind: "pdf", entry: "r.pdf" })
    rig.publish("markdown", { "r.md": ["text/markdown; charset=utf-8", "# Heading of it"] }, { kind: "markdown", entry: "r.md" })
    rig.publish("data", { "r.csv": ["text/csv; charset=utf-8", "alpha,beta\n1,2"] }, { kind: "data", entry: "r.csv" })
    rig.passes.set(hash(Buffer.from(PASS)), pass)
  })
  beforeEach(() => {
    seen.length = 0
    rig.defects.length = 0
  })
  afterAll(() => rig.close())

  const served: ReadonlyArray<readonly [slug: string, entry: string, content: string]> = [
    ["text", "notes.txt", "First line\nsecond &lt;b&gt;line&lt;/b&gt;"], ["image", "d.svg", `<img id="image" src="/_svc/raw/d.svg" alt="A drawing"`],
    ["video", "talk.mp4", `src="/_svc/raw/talk.mp4?v=`], ["pdf", "r.pdf", `href="/_svc/raw/r.pdf"`], ["markdown", "r.md", "Heading of it"], ["data", "r.csv", "alpha"]
  ]
  it("a document that came out short, or is still to come, is asked for again, and kept once it is whole", async () => {
    const answers: ReadonlyArray<Rendered["short"] | "coming"> = ["coming", "unbegun", "late", undefined]
    let asked = 0
    const short = await openRig({
      rendered: () => Effect.sync(() => {
        const why = answers[Math.min(asked, answers.length - 1)]
        const html = `<p>answer ${asked++}</p>`
        return why === "coming" ? why : { html, headings: [], title: null, ...(why !== undefined && { short: why }) }
      })
    })
    try {
      short.publish("short", { "r.md": ["text/markdown; charset=utf-8", "# Short"] }, { kind: "markdown", entry: "r.md" })
      const shown = ["still being formatted, so here is its text. Load the page again in a moment.</p><div id=\"text\"", "<p>answer 1</p>", "<p>answer 2</p>", "<p>answer 3</p>", "<p>answer 3</p>"]
      for (const part of shown) {
        const page = await short.ask("short", "/", { "accept-encoding": "identity" })
        assert.strictEqual(page.status, 200)
        assert.include(page.text, part)
      }
      assert.strictEqual(asked, 4)
    } finally {
      await short.close()
    }
  })

  for (const [slug, entry, content] of served) {
    it(`${slug}: the page holds the document, whoever asks; its bytes are where they were`, async () => {
      for (const accept of [undefined, "*/*", "application/json", "image/*"]) {
        const page = await rig.ask(slug, "/", accept === undefined ? {} : { accept })
        assert.deepStrictEqual([page.status, page.headers["content-type"]], [200, "text/html; charset=utf-8"])
        assert.include(page.text, content)
        assert.include(page.text, `href="/_svc/raw/${entry}?download"`)
      }
      const bytes = [...rig.manifests.get(rig.sites.get(slug)!.version!.id)![entry]!.hash].join("")
      for (const path of [`/${entry}`, `/_svc/raw/${entry}`]) assert.strictEqual(hash((await rig.ask(slug, path)).body), bytes)
    })
  }

  it("runs nothing but what we built, and stands in no frame", async () => {
    const { headers, text } = await rig.ask("text", "/")
    const policy = new Map(String(headers["content-security-policy"]).split("; ").map((one) => [one.split(" ")[0]!, one.split(" ").slice(1)]))
    const own = "https://text.svc.test:8787/_svc/assets/"
    for (const name of ["script-src", "worker-src", "font-src"]) assert.deepStrictEqual(policy.get(name), [own])
    assert.deepStrictEqual(policy.get("style-src")!.slice(1), [own])
    assert.match(policy.get("style-src")![0]!, /^'sha256-/)
    assert.deepStrictEqual(policy.get("connect-src"), ["https://text.svc.test:8787", "https://svc.example"])
    for (const name of ["default-src", "object-src", "base-uri", "form-action", "frame-ancestors"]) assert.deepStrictEqual(policy.get(name), ["'none'"], name)
    assert.strictEqual(headers["cross-origin-opener-policy"], "same-origin")
    assert.strictEqual(headers["x-robots-tag"], "noindex")
    const named = [...text.matchAll(/(?:src|href)="(\/_svc\/assets\/[^"]+)"/g)].map((match) => match[1]!)
    assert.isAtLeast(named.length, 6)
    for (const path of named) assert.strictEqual((await rig.ask("text", path)).status, 200, path)
    assert.notMatch(text, /<script(?![^>]* src="\/_svc\/assets\/)|\son\w+=|\sstyle=/)
  })

  it("keeps to the 150 KB of script that a first view may cost", async () => {
    for (const [slug] of served) {
      const { text } = await rig.ask(slug, "/")
      const scripts = new Set([...text.matchAll(/"(\/_svc\/assets\/[^"]+\.js)"/g)].map((match) => match[1]!))
      const sizes = await Promise.all([...scripts].map(async (path) => (await rig.ask(slug, path, { "accept-encoding": "br" })).body.length))
      assert.isAtMost(sizes.reduce((sum, size) => sum + size, 0), 150_000, slug)
    }
  })

  it("has a strong tag of its text, in every encoding, that moves with the title and the version", async () => {
    const plain = await rig.ask("text", "/")
    const tag = String(plain.headers.etag)
    assert.match(tag, /^"[0-9a-f]{32}"$/)
    assert.strictEqual(plain.headers["cache-control"], "no-cache, must-revalidate")
    assert.strictEqual(plain.headers.vary, "Accept-Encoding")
    assert.strictEqual((await rig.ask("text", "/", { "if-none-match": tag })).status, 304)
    assert.strictEqual((await rig.ask("text", "/", { "if-match": "\"other\"" })).status, 412)
    for (const [encoding, unpack] of [["br", brotliDecompressSync], ["gzip", gunzipSync]] as const) {
      const packed = await rig.ask("text", "/", { "accept-encoding": encoding })
      assert.strictEqual(packed.headers["content-encoding"], encoding)
      assert.strictEqual(unpack(packed.body).toString(), plain.text)
      assert.notStrictEqual(packed.headers.etag, tag)
      assert.strictEqual((await rig.ask("text", "/", { "accept-encoding": encoding, "if-none-match": packed.headers.etag! })).status, 304)
    }
    for (const [indexable, robots] of [[true, "all"], [false, "noindex"]] as const) {
      rig.change("text", { indexable })
      const unchanged = await rig.ask("text", "/", { "if-none-match": tag })
      assert.deepStrictEqual([unchanged.status, unchanged.headers["x-robots-tag"]], [304, robots])
    }
    const head = await rig.ask("text", "/", {}, "HEAD")
    assert.deepStrictEqual([head.headers.etag, head.headers["content-length"], head.body.length], [tag, plain.headers["content-length"], 0])

    rig.change("text", { title: "Other notes" })
    const renamed = await rig.ask("text", "/", { "if-none-match": tag })
    assert.strictEqual(renamed.status, 200)
    assert.include(renamed.text, "<title>Other notes</title>")
    rig.publish("text", { "notes.txt": [TEXT, "First line\nsecond <b>line</b>\n"] }, { kind: "text", entry: "notes.txt", title: "Notes" })
    const again = await rig.ask("text", "/", { "if-none-match": tag })
    assert.strictEqual(again.status, 200)
    assert.notInclude(again.text, "<span>Version 1</span>")
  })

  it("behind a gate nobody keeps it, and nobody without a pass gets any of it", async () => {
    const id = rig.publish("closed", { "s.txt": [TEXT, "the secret body"] }, { kind: "text", entry: "s.txt", visibility: "private" })
    rig.excerpts.set(id, `"The" secret\n  body ${"of many words ".repeat(30)}`)
    const shut = await rig.ask("closed", "/")
    assert.strictEqual(shut.status, 403)
    for (const secret of ["secret", "s.txt"]) assert.notInclude(shut.text, secret)
    const opened = await rig.ask("closed", "/", { cookie: `__Host-svc_gate=${PASS}` })
    assert.include(opened.text, "the secret body")
    assert.deepStrictEqual([opened.headers["cache-control"], opened.headers.etag], ["private, no-store", undefined])
    assert.include(opened.headers.vary, "Cookie")
    assert.strictEqual((await rig.ask("closed", "/", { cookie: `__Host-svc_gate=${PASS}`, "if-none-match": "*" })).status, 200)
    // Previews of links are for what anybody opens, in the same version too.
    const previews = async () => [...(await rig.ask("closed", "/", { cookie: `__Host-svc_gate=${PASS}` })).text.matchAll(/<meta property="(og:[^"]+)" content="([^"]*)">/g)].map(([, name, content]) => [name, content])
    rig.change("closed", { title: "Costs & \"plans\"" })
    for (const visibility of ["private", "public", "password", "public", "private"] as const) {
      rig.change("closed", { visibility })
      assert.deepStrictEqual(await previews(), visibility !== "public" ? [] : [
        ["og:title", "Costs &amp; &quot;plans&quot;"], ["og:type", "website"], ["og:site_name", "svc"], ["og:url", "https://closed.svc.test:8787/"],
        ["og:description", `&quot;The&quot; secret body ${"of many words ".repeat(12)}of many words…`]
      ], visibility)
    }
  })

  it("its link shows what was drawn of it, where that can be drawn; a beginning that cannot be read now is left out, and read again", async () => {
    const meta = (text: string) => Object.fromEntries([...text.matchAll(/<meta (?:property|name)="([^"]+:[^"]+)" content="([^"]*)">/g)].map(([, name, content]) => [name, content]))
    const of = async (slug: string) => meta((await rig.ask(slug, "/")).text)
    const { "og:image": picture, "twitter:card": card, ...rest } = await of("pdf")
    assert.deepStrictEqual([picture, card, "og:description" in rest], [`https://pdf.svc.test:8787/_svc/raw/r.pdf?v=${hash(Buffer.from("%PDF")).slice(0, 32)}&amp;drawn=small`, "summary_large_image", false])
    for (const slug of ["image", "text", "video"]) assert.notProperty(await of(slug), "og:image", slug)

    const id = rig.publish("beginning", { "s.txt": [TEXT, "words"] }, { kind: "text", entry: "s.txt" })
    rig.excerpts.set(id, "How it begins")
    rig.faults.excerpts = Effect.die("away")
    assert.notProperty(await of("beginning"), "og:description")
    assert.lengthOf(rig.defects, 1)
    rig.faults.excerpts = undefined
    assert.strictEqual((await of("beginning"))["og:description"], "How it begins")
    rig.change("beginning", { title: "How it" })
    assert.strictEqual((await of("beginning"))["og:description"], "begins")
    rig.change("beginning", { title: "How it begins" })
    assert.notProperty(await of("beginning"), "og:description")

    // Without spaces there is no last word to leave out, and no sign is cut in two.
    rig.excerpts.set(rig.publish("unspaced", { "s.txt": [TEXT, "words"] }, { kind: "text", entry: "s.txt", title: "标题" }), `标题\n${"字".repeat(196)}😀字`)
    assert.strictEqual((await of("unspaced"))["og:description"], `${"字".repeat(196)}…`)
  })

  it("proves itself only to a browser that opens it, where an author's script may live on", async () => {
    rig.publish("proven", { "s.txt": [TEXT, "text"] }, { kind: "text", entry: "s.txt", servedRaw: true })
    const proof = `data-proof="proof-of-${rig.sites.get("proven")!.projectId}-for-ada"`
    const named = { cookie: "__Host-svc_reader=ada" }
    const opened = await rig.ask("proven", "/", { ...named, "sec-fetch-mode": "navigate", "accept-encoding": "br, gzip" })
    assert.include(opened.text, proof)
    assert.deepStrictEqual([opened.headers["cache-control"], opened.headers.etag], ["private, no-store", undefined])
    assert.include(opened.headers.vary, "Sec-Fetch-Mode")
    for (const headers of [{}, { "sec-fetch-mode": "cors" }, { "sec-fetch-mode": "no-cors" }]) {
      const fetched = await rig.ask("proven", "/", { ...named, ...headers })
      assert.notInclude(fetched.text, "data-proof")
      assert.include(fetched.headers.vary, "Cookie, Sec-Fetch-Mode")
    }
    // Whoever is not named here is led to the gate that names them; that page is everybody's.
    for (const headers of [{}, { cookie: "__Host-svc_reader=nobody" }, { cookie: "\u00a0__Host-svc_reader=ada" }]) {
      assert.include((await rig.ask("proven", "/", { ...headers, "sec-fetch-mode": "navigate" })).text, `data-proof=""`)
    }
    assert.notInclude((await rig.ask("text", "/", { "sec-fetch-mode": "navigate" })).text, "data-proof")
  })

  it("a hostile title, name and text are words", async () => {
    const name = `a"b'<script>ü%.txt`
    rig.publish("hostile", { [name]: [TEXT, HOSTILE] }, { kind: "text", entry: name, title: HOSTILE, commentsEnabled: true })
    rig.publish("hostile-image", { [name]: ["image/svg+xml", SVG] }, { kind: "image", entry: name, title: HOSTILE })
    for (const slug of ["hostile", "hostile-image"]) {
      const { text } = await rig.ask(slug, "/")
      assert.notMatch(text, /<script>|alert\(1\)<|<img src=x|<svg xmlns="http:\/\/www.w3.org\/2000\/svg"><script/)
      assert.include(text, "&lt;script&gt;alert(1)")
      const source = /data-src="([^"]+)"/.exec(text)![1]!.replaceAll("&#39;", "'")
      assert.match(source, /^\/_svc\/raw\/[\w%.'()!*~-]+$/)
      assert.strictEqual((await rig.ask(slug, source)).status, 200)
    }
  })

  it("whoever reads in parts gets parts of one version alone, and hears that there is a newer one", async () => {
    const table = (content: string) => rig.publish("parts", { "r.csv": ["text/csv; charset=utf-8", content] }, { kind: "data", entry: "r.csv" })
    const pinned = async () => /data-pinned="([^"]+)"/.exec((await rig.ask("parts", "/")).text)![1]!
    const status = async (path: string, headers = {}, method = "GET") => (await rig.ask("parts", path, headers, method)).status
    table("alpha,beta\n1,2")
    const first = await pinned()
    assert.match(first, /^\/_svc\/raw\/r\.csv\?v=[0-9a-f]{32}$/)
    assert.deepStrictEqual([await status(first), await status(first, { range: "bytes=2-5" }), await status(first, {}, "HEAD")], [200, 206, 200])
    const { etag } = (await rig.ask("parts", first)).headers
    table("alpha,beta\n3,4")
    const refused = await rig.ask("parts", first, { range: "bytes=2-5", accept: "application/json" })
    assert.deepStrictEqual([refused.status, JSON.parse(refused.text).error.code, refused.headers["cache-control"]], [409, "conflict", "private, no-store"])
    assert.notInclude(refused.text, "alpha")
    assert.deepStrictEqual([await status(first, {}, "HEAD"), await status(first, { "if-none-match": etag }), await status("/_svc/raw/r.csv?v=")], [409, 409, 409])
    const second = await pinned()
    assert.notStrictEqual(second, first)
    assert.deepStrictEqual([await status(second, { range: "bytes=2-5" }), await status("/_svc/raw/r.csv", { range: "bytes=2-5" })], [206, 206])
    // Publishing the same bytes again changes nothing for readers.
    table("alpha,beta\n3,4")
    assert.deepStrictEqual([await pinned(), await status(second, { range: "bytes=2-5" })], [second, 206])
  })

  it("a download keeps its name, whatever is in it, and never runs", async () => {
    const name = `a"b'ü%.svg`
    rig.publish("saved", { [name]: ["image/svg+xml", SVG] }, { kind: "image", entry: name })
    const path = `/_svc/raw/${encodeURIComponent(name)}`
    const saved = await rig.ask("saved", `${path}?download`)
    assert.strictEqual(saved.headers["content-disposition"], `attachment; filename="a_b'__.svg"; filename*=UTF-8''a%22b%27%C3%BC%25.svg`)
    assert.strictEqual(saved.headers["content-security-policy"], "sandbox")
    assert.isUndefined((await rig.ask("saved", path)).headers["content-disposition"])
    const part = await rig.ask("saved", `${path}?download`, { range: "bytes=0-3" })
    assert.strictEqual(part.status, 206)
    assert.isDefined(part.headers["content-disposition"])
    assert.isUndefined((await rig.ask("text", "/notes.txt?download")).headers["content-disposition"])
  })

  it("a table begins behind the line that tells a spreadsheet the delimiter", async () => {
    rig.publish("told", { "t.csv": ["text/csv; charset=utf-8", "\uFEFFsep=;\r\nname;price, net\r\nA;1,50\r\n"] }, { kind: "data", entry: "t.csv" })
    const { text } = await rig.ask("told", "/")
    assert.include(text, `<th scope="col">name</th><th scope="col">price, net</th>`)
    assert.include(text, "<td>A</td><td>1,50</td>")
    assert.notInclude(text, "sep=")
  })

  it("a table of which not all is in the page tells which part is", async () => {
    const wide = "x,".repeat(100)
    const tables: Readonly<Record<string, string>> = {
      [`n\n${"1\n".repeat(201)}`]: "The first 200 rows.",
      [`${wide}x\n${`${wide}1\n`.repeat(201)}`]: "The first 200 rows and 100 columns.",
      [`${wide}x\n${wide}1\n`]: "The first 100 columns.",
      [`name,n\n"${"d".repeat(200_000)}",1\n"${"f".repeat(200_000)}",2`]: "The first row.",
      [`name,n\n"${"d".repeat(300_000)}",1`]: "This is the beginning."
    }
    for (const [content, said] of Object.entries(tables)) {
      rig.publish("part-of-it", { "t.csv": ["text/csv; charset=utf-8", content] }, { kind: "data", entry: "t.csv" })
      assert.include((await rig.ask("part-of-it", "/")).text, `<p class="strip">${said} <a`)
    }
  })

  it("an empty document says so, and leads members to where they publish the next version", async () => {
    for (const [kind, entry, type, content] of [
      ["text", "e.txt", TEXT, ""], ["text", "e.txt", TEXT, "\uFEFF \n"], ["data", "e.csv", "text/csv", ""],
      ["data", "e.json", "application/json", " "]
    ] as const) {
      rig.publish("void", { [entry]: [type, content] }, { kind, entry })
      const { text } = await rig.ask("void", "/")
      assert.include(text, `id="nothing"><p>This document is empty.</p><p id="publish" hidden><a href="https://svc.example/projects/void/versions">Publish a version</a>`, entry)
      assert.notInclude(text, `id="text"`)
    }
    assert.notInclude((await rig.ask("text", "/")).text, "This document is empty")
    // Of a Markdown that is not rendered, only the text is there, and why.
    assert.include((await rig.ask("markdown", "/")).text, `<p class="note">This document is too long to be formatted, so here is its text.</p><div id="text"`)
  })

  it("a text reads as its encoding says; a long one shows its beginning and the way to the rest", async () => {
    rig.publish("wide", { "w.txt": ["text/plain; charset=utf-16le", Buffer.from("\uFEFFgrüße 😀", "utf16le")] }, { kind: "text", entry: "w.txt" })
    assert.include((await rig.ask("wide", "/")).text, "grüße 😀")
    rig.publish("latin", { "l.txt": ["text/plain; charset=windows-1252", Buffer.from("caf\xe9", "latin1")] }, { kind: "text", entry: "l.txt" })
    assert.include((await rig.ask("latin", "/")).text, "café")
    const half = "0123456789abcde\n".repeat(32 * 1024)
    rig.publish("half", { "h.txt": [TEXT, half] }, { kind: "text", entry: "h.txt" })
    assert.include((await rig.ask("half", "/")).text, half)
    rig.publish("long", { "l.txt": [TEXT, `${half}+`] }, { kind: "text", entry: "l.txt" })
    const long = await rig.ask("long", "/")
    assert.isBelow(long.body.length, 80_000)
    assert.match(long.text, /0123456789abcde\n<\/pre>/)
    assert.include(long.text, `<a href="/_svc/raw/l.txt">Open the whole text</a>`)
  })

  it("a video has the captions and the still that bear its name", async () => {
    const { text } = await rig.ask("video", "/")
    assert.include(text, `poster="/_svc/raw/talk.jpg"`)
    assert.deepStrictEqual([...text.matchAll(/<track [^>]*src="([^"]+)" label="([^"]+)"/g)].map(([, src, label]) => [src, label]), [
      ["/_svc/raw/talk.vtt", "Captions"], ["/_svc/raw/talk.de.vtt", "Deutsch"]
    ])
  })

  it("comments are there only where they are enabled, and the page says for whom", async () => {
    assert.notInclude((await rig.ask("image", "/")).text, "comments")
    rig.change("image", { commentsEnabled: true })
    assert.include((await rig.ask("image", "/")).text, `<aside id="comments"`)
    assert.include((await rig.ask("image", "/")).text, ` data-comments="allowlist"`)
    rig.change("image", { commentAccess: "members" })
    assert.include((await rig.ask("image", "/")).text, ` data-comments="members"`)
    rig.change("image", { commentsEnabled: false, commentAccess: "allowlist" })
    assert.notInclude((await rig.ask("image", "/")).text, "comments")
  })

  it("a load is a view, unchanged or not; a HEAD, the bytes and a prefetch are none", async () => {
    const { headers } = await rig.ask("data", "/", browser)
    await rig.ask("data", "/", { ...browser, "if-none-match": headers.etag! })
    assert.strictEqual(seen.length, 2)
    await rig.ask("data", "/", browser, "HEAD")
    await rig.ask("data", "/", { ...browser, "sec-purpose": "prefetch" })
    for (const path of ["/r.csv", "/_svc/raw/r.csv", "/_svc/raw/r.csv?download"]) await rig.ask("data", path, browser)
    assert.strictEqual(seen.length, 2)
  })

  it("clears what an earlier holder of the address left, once", async () => {
    rig.publish("later", { "s.txt": [TEXT, "text"] }, { kind: "text", entry: "s.txt", succeeds: true })
    const first = await rig.ask("later", "/")
    assert.strictEqual(first.headers["clear-site-data"], "\"cache\", \"storage\"")
    const cookie = first.headers["set-cookie"]![0]!.split(";")[0]!
    assert.isUndefined((await rig.ask("later", "/", { cookie })).headers["clear-site-data"])
  })

  it("bytes that cannot be read make a clean 503, and the next request asks again", async () => {
    rig.publish("away", { "s.txt": [TEXT, "here again"] }, { kind: "text", entry: "s.txt" })
    rig.faults.packs = Effect.fail(new Unavailable({ message: "Away" }))
    const answers = await Promise.all(Array.from({ length: 20 }, () => rig.ask("away", "/")))
    assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [503])
    assert.isAbove(rig.defects.length, 0)
    rig.faults.packs = undefined
    assert.include((await rig.ask("away", "/")).text, "here again")
  })
})
