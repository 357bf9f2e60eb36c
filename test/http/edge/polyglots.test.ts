/** Bytes that are two formats at once, under any type and name: where readers sign in, a browser makes a document of none of them. */
import { createHash } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Answer } from "../../support/ask.ts"
import { framedSite, srcOf } from "../../support/framed.ts"
import { Service, serviceWith } from "../../support/service.ts"

const SCRIPT = "<script>document.title='won'</script>"

/** The beginning of one format, with a body that sniffing takes for HTML. */
const GIF = `GIF89a/*${SCRIPT}*/=1;//`
const PNG = Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.from(SCRIPT)])
const PDF = `%PDF-1.7\n${SCRIPT}\n%%EOF`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg"><script>document.title="won"</script></svg>`
const XML = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`

/** Types that a browser opens as a document, or runs. */
const LIVE = /html|svg|xml|javascript|ecmascript|pdf|mathml|rdf|x-mixed-replace/

layer(serviceWith(), { excludeTestServices: true })("polyglots", (it) => {
  const inert = ({ headers, status, text }: Answer, what: string) => {
    if (status === 404) return assert.notInclude(text, "won", what)
    assert.strictEqual(status, 200, what)
    assert.strictEqual(headers["x-content-type-options"], "nosniff", what)
    const type = String(headers["content-type"])
    const policy = String(headers["content-security-policy"] ?? "")
    // Sandboxed, it runs nothing and has an opaque origin; a script or a PDF runs only in a document that our policies govern.
    if (LIVE.test(type) && !/^(application\/pdf|text\/javascript)/.test(type)) assert.match(policy, /^sandbox(?!.*allow)/, `${what}: ${type}`)
    assert.isUndefined(headers["service-worker-allowed"], what)
  }

  /** Published under the name that its sender gave it. */
  const hostile: ReadonlyArray<readonly [type: string, file: string, body: string | Buffer]> = [
    ["image/gif", "evil.html", GIF], ["image/gif", "sw.js", GIF], ["image/png", "evil.svg", PNG], ["image/svg+xml", "evil.svg", SVG], ["image/x-icon;text/html", "evil.html", PNG],
    ["text/plain", "evil.html", SCRIPT], ["text/markdown", "evil.html", SCRIPT], ["text/csv", "evil.svg", SVG], ["application/json", "sw.js", SCRIPT],
    ["application/pdf", "evil.html", PDF], ["application/octet-stream", "evil.gif", GIF], ["application/octet-stream", "evil.txt", SCRIPT], ["application/xhtml+xml", "evil.xhtml", XML], ["video/mp4", "evil.html", SCRIPT]
  ]

  it.effect("is what it was published as, never what it could be read as; nothing registers as a worker", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account({ plan: "agency" })
      const kinds = yield* Effect.forEach(hostile, Effect.fnUntraced(function*([type, file, body], index) {
        const slug = `poly-${index}`
        const host = `${slug}.svc.localhost`
        const what = `${type}, called ${file}`
        const put = yield* service.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...bearer, "content-type": type, "x-filename": file } })
        assert.oneOf(put.status, [201, 422], `${what}: ${put.text}`)
        if (put.status === 422) return "refused"
        const files = (yield* service.ask(`/v1/projects/${slug}/files`, { headers: bearer })).json.files as ReadonlyArray<{ readonly path: string }>
        for (const path of new Set([file, ...files.map((one) => one.path)])) {
          for (const place of [`/${path}`, `/_svc/raw/${path}`]) {
            inert(yield* service.ask(place, { host, headers: { "sec-fetch-dest": "document", accept: "text/html" } }), `${what} at ${place}`)
            assert.strictEqual((yield* service.ask(place, { host, headers: { "service-worker": "script" } })).status, 404)
          }
        }
        const page = yield* service.ask("/", { host })
        const policy = String(page.headers["content-security-policy"])
        assert.match(policy, /default-src 'none'/, what)
        assert.notMatch(policy, /script-src[^;]*('self'|'unsafe|\*)/, what)
        assert.notInclude(page.text, SCRIPT, what)
        return put.json.kind as string
      }), { concurrency: 4 })
      // A refused publish proves nothing; a site would be its author's page on another host.
      assert.isAtLeast(kinds.filter((kind) => kind !== "refused").length, 9, kinds.join())
      assert.notInclude(kinds, "site")
    }))

  it.effect("of a framed site none runs where its readers sign in, whatever it is called", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const files = {
        "index.html": SCRIPT, "a.svg": SVG, "b.xhtml": XML, "c.xml": XML, "d.htm": SCRIPT, "e.shtml": SCRIPT, "f.mht": SCRIPT, "g.xsl": XML, "h.hta": SCRIPT, "i": SCRIPT, "j.svgz": SVG, "k.rdf": XML, "l.mathml": XML,
        "m.HTML": SCRIPT, "n.html;a.png": SCRIPT, "sw.js": SCRIPT
      }
      yield* framedSite(service, account, "beside", files)
      for (const file of Object.keys(files)) {
        const answer = yield* service.ask(`/${file === "index.html" ? "" : file}`, { host: "beside.svc.localhost", headers: { "sec-fetch-dest": "document", accept: "text/html" } })
        if (answer.text.includes("won")) inert(answer, file)
        else assert.include(answer.text, "<iframe", file)
      }
    }))

  it.effect("no name makes a file pass for another, served bare, beside our pages or in a frame, whichever is requested first", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const { bearer } = account
      const DOCUMENT = { "sec-fetch-dest": "document" }
      const HARMLESS = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"
      const shown = Effect.fnUntraced(function*(slug: string, comments: boolean) {
        const { status } = yield* service.ask(`/v1/projects/${slug}`, { method: "PATCH", headers: bearer, json: { comments_enabled: comments } })
        assert.strictEqual(status, 200)
      })
      const publish = Effect.fnUntraced(function*(slug: string, prefix: string) {
        yield* framedSite(service, account, slug, { "index.html": "<p>", "a.svg": HARMLESS, [`${prefix}a.svg`]: SVG })
        return srcOf((yield* service.ask("/", { host: `${slug}.svc.localhost` })).text).host
      })
      /** The file itself under the long name, and `a.svg` on a host where it is sandboxed. */
      const both = (slug: string, prefix: string, host: string) => ({
        bare: shown(slug, false).pipe(Effect.andThen(service.ask(`/${encodeURIComponent(prefix)}a.svg`, { host: `${slug}.svc.localhost` }))),
        beside: shown(slug, true).pipe(Effect.andThen(service.ask("/a.svg", { host, headers: DOCUMENT })))
      })

      for (const order of ["bare", "beside"] as const) {
        for (const where of ["own", "frame"] as const) {
          const slug = `named-${order}-${where}`
          const what = `${order} first, ${where}`
          const own = `${slug}.svc.localhost`
          let prefix = "sandboxed "
          let host = own
          if (where === "frame") {
            const { text } = yield* service.ask("/", { host: yield* publish(slug, "x ") })
            prefix = `${createHash("sha256").update(text.slice("<p>".length)).digest("hex").slice(0, 16)} `
          }
          const frame = yield* publish(slug, prefix)
          if (where === "frame") host = frame
          const { bare, beside } = both(slug, prefix, host)
          const { ours, theirs } = order === "bare" ? { theirs: yield* bare, ours: yield* beside } : { ours: yield* beside, theirs: yield* bare }
          assert.deepStrictEqual([theirs.status, theirs.text, theirs.headers["content-security-policy"]], [200, SVG, undefined], what)
          assert.deepStrictEqual([ours.status, ours.text], [200, HARMLESS], what)
          assert.match(String(ours.headers["content-security-policy"]), where === "own" ? /^sandbox$/ : /^sandbox .*frame-ancestors/, what)
        }
      }
    }))
})
