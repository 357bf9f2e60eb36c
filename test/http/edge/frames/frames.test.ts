/** Framed sites over the wire: the shell, its frame's host, the way in behind a gate, and what a once raw origin must prove. */
import { brotliDecompressSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { AccountStore } from "../../../../src/domain/accounts/store.ts"
import { Sessions } from "../../../../src/domain/sessions/sessions.ts"
import { cookiesOf, withoutId } from "../../../support/ask.ts"
import { framedSite, namedAt, passByDoorcode, srcOf } from "../../../support/framed.ts"
import { Service, serviceWith } from "../../../support/service.ts"

const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-popups"
const WORDS = "<!doctype html><title>Theirs</title><p>" + "The author's own words. ".repeat(100)
const BROWSER = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }

const FILES = {
  "index.html": WORDS,
  "dir/index.html": "<p>dir",
  "404.html": "<p>Their own page about missing ones",
  "app.js": "export const x = 1",
  "drawing.svg": "<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>",
  "strict.xhtml": "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title></head><body/></html>",
  "wide.html": Buffer.from("\ufeff<p>wide", "utf16le")
}

layer(serviceWith(), { excludeTestServices: true })("framed sites", (it) => {
  it.effect("a page is the shell on the project's host, and the author's bytes with the bridge on the frame's", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      yield* framedSite(service, account, "shown", FILES, { title: "A <b>\"title\"" })
      const own = (path: string, headers: Record<string, string> = {}, method = "GET") =>
        service.ask(path, { host: "shown.svc.localhost", headers, method })
      const origin = (host: string) => `http://${host}:${service.port}`

      const shell = yield* own("/?a=1&b=2")
      assert.strictEqual(shell.status, 200)
      const src = srcOf(shell.text)
      assert.match(src.host, /^svc--[0-9a-v]{26}\.svc\.localhost$/)
      assert.strictEqual(src.path, "/?a=1&b=2")
      const [, beginning] = /<meta property="og:description" content="([^"]*)">/.exec(shell.text)!
      assert.isTrue(beginning!.startsWith("The author&#39;s own words. The"), beginning)
      assert.notInclude(shell.text.replaceAll(beginning!, "").replaceAll("&#39;", "'"), "author's own words")
      assert.include(shell.text, `sandbox="${SANDBOX}"`)
      assert.include(shell.text, "<title>A &lt;b&gt;&quot;title&quot;</title>")
      const policy = String(shell.headers["content-security-policy"])
      for (const line of [
        "default-src 'none'", `script-src ${origin("shown.svc.localhost")}/_svc/assets/`, `frame-src ${origin(src.host)}`,
        `connect-src ${origin("shown.svc.localhost")} ${origin("svc.localhost")}`, "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"
      ]) assert.include(policy.split("; "), line)
      assert.notMatch(policy, /unsafe|script-src[^;]*'self'/)
      assert.strictEqual(shell.headers["cross-origin-opener-policy"], "same-origin")
      assert.strictEqual(shell.headers["cache-control"], "no-cache, must-revalidate")
      assert.strictEqual(shell.headers["x-robots-tag"], "noindex")
      assert.strictEqual((yield* own("/?a=1&b=2", { "if-none-match": shell.headers.etag! })).status, 304)
      for (const [indexable, robots] of [[true, "all"], [false, "noindex"]] as const) {
        yield* service.ask("/v1/projects/shown", { method: "PATCH", headers: account.bearer, json: { indexable } })
        const unchanged = yield* own("/?a=1&b=2", { "if-none-match": shell.headers.etag! })
        assert.deepStrictEqual([unchanged.status, unchanged.headers["x-robots-tag"]], [304, robots])
        for (const path of ["/", "/dir"]) assert.strictEqual((yield* service.ask(path, { host: src.host })).headers["x-robots-tag"], "noindex", "what is framed is found by its shell")
      }
      assert.strictEqual((yield* own("/?c", { "if-none-match": shell.headers.etag! })).status, 200)
      const failed = yield* own("/?a=1&b=2", { "if-match": "\"other\"" })
      assert.deepStrictEqual([failed.status, failed.headers["content-length"], failed.headers.etag], [412, "0", undefined])
      assert.strictEqual((yield* own("/", {}, "HEAD")).bytes.length, 0)
      const missing = yield* own("/none")
      assert.deepStrictEqual([missing.status, srcOf(missing.text).path], [404, "/none"])
      // Sent on by a redirect, a browser that loads the page again would lose the way back: the frame is sent on.
      const moved = yield* own("/dir?q=1")
      assert.deepStrictEqual([moved.status, srcOf(moved.text).path], [200, "/dir?q=1"])

      // All files but pages are served here as before, and none of them runs as a document of this origin.
      assert.strictEqual((yield* own("/app.js")).text, FILES["app.js"])
      assert.strictEqual((yield* own("/drawing.svg")).headers["content-security-policy"], "sandbox")
      assert.strictEqual((yield* own("/app.js")).headers["content-security-policy"], undefined)

      const frame = (path: string, headers: Record<string, string> = {}, method = "GET") =>
        service.ask(path, { host: src.host, headers, method })
      const page = yield* frame("/")
      assert.strictEqual(page.status, 200)
      assert.isTrue(page.text.startsWith(WORDS))
      const tail = page.text.slice(WORDS.length)
      assert.match(tail, /^<script type="module" async src="\/_svc\/assets\/bridge-[\w-]+\.js" data-svc-shell="http:\/\/shown\.svc\.localhost:\d+"><\/script>$/)
      assert.strictEqual(
        page.headers["content-security-policy"],
        `sandbox ${SANDBOX}; frame-ancestors 'self' ${origin("shown.svc.localhost")}`
      )
      assert.strictEqual(page.headers["referrer-policy"], "same-origin")
      assert.strictEqual(page.headers["x-robots-tag"], "noindex")
      assert.strictEqual(Number(page.headers["content-length"]), page.bytes.length)
      const packed = yield* frame("/", { "accept-encoding": "br" })
      assert.strictEqual(packed.headers["content-encoding"], "br")
      assert.strictEqual(brotliDecompressSync(packed.bytes).toString(), page.text)
      const across = yield* frame("/", { range: `bytes=${WORDS.length - 5}-${WORDS.length + 6}` })
      assert.deepStrictEqual([across.status, across.text], [206, `${WORDS.slice(-5)}<script`])
      assert.strictEqual((yield* frame("/", { range: "bytes=-9" })).text, "</script>")
      assert.strictEqual((yield* frame("/", { "if-none-match": page.headers.etag! })).status, 304)

      for (const path of ["/", "/none?q=1", "/strict.xhtml"]) {
        const top = yield* frame(path, BROWSER)
        assert.deepStrictEqual([top.status, top.headers.location], [302, `${origin("shown.svc.localhost")}${path}`], path)
      }
      assert.match(String((yield* frame("/")).headers.vary), /Sec-Fetch-Dest/)
      assert.notMatch(String((yield* frame("/drawing.svg")).headers.vary), /Sec-Fetch-Dest/)
      assert.strictEqual((yield* frame("/drawing.svg", BROWSER)).status, 200)
      const theirs = yield* frame("/none", { "sec-fetch-dest": "iframe" })
      assert.deepStrictEqual([theirs.status, theirs.text.startsWith(FILES["404.html"])], [404, true])
      assert.strictEqual((yield* frame("/dir")).headers.location, "/dir/")
      assert.strictEqual((yield* frame("/app.js")).text, FILES["app.js"])
      assert.strictEqual((yield* frame("/strict.xhtml")).text, FILES["strict.xhtml"])
      assert.isTrue((yield* frame("/wide.html")).bytes.equals(FILES["wide.html"]))
      assert.strictEqual((yield* frame("/", {}, "POST")).status, 405)
      assert.strictEqual((yield* frame("/app.js", { "service-worker": "script" })).status, 404)
      for (const label of ["svc--", "svc--short", `svc--${"0".repeat(26)}`, `svc--${"z".repeat(26)}`]) {
        assert.strictEqual((yield* service.ask("/", { host: `${label}.svc.localhost` })).status, 404, label)
      }

      // With comments off, or as a raw site, the page is exactly the author's again, and the frame is gone.
      for (const json of [{ html_display_mode: "raw" }, { html_display_mode: "framed", comments_enabled: false }]) {
        yield* service.ask("/v1/projects/shown", { method: "PATCH", headers: account.bearer, json })
        const raw = yield* own("/")
        assert.deepStrictEqual([raw.text, raw.headers["content-security-policy"]], [WORDS, undefined])
        assert.strictEqual((yield* own("/drawing.svg")).headers["content-security-policy"], undefined)
        assert.strictEqual((yield* frame("/")).status, 404)
      }
      yield* service.ask("/v1/projects/shown", { method: "PATCH", headers: account.bearer, json: { comments_enabled: true, slug: "renamed" } })
      const renamed = yield* frame("/")
      assert.include(renamed.text, `data-svc-shell="${origin("renamed.svc.localhost")}"`)
      assert.notStrictEqual(renamed.headers.etag, page.headers.etag)
    }))

  it.effect("an address that an application made up opens again, in the shell and in its frame", () =>
    Effect.gen(function*() {
      const service = yield* Service
      yield* framedSite(service, yield* service.account(), "routed", { "index.html": "<div id=root>", "app.js": "history.pushState({}, '', '/deep/route')" })
      const opening = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }
      const shell = yield* service.ask("/deep/route?a=1", { host: "routed.svc.localhost", headers: opening })
      const src = srcOf(shell.text)
      assert.deepStrictEqual([shell.status, src.path], [200, "/deep/route?a=1"])
      const framed = yield* service.ask("/deep/route", { host: src.host, headers: opening })
      assert.deepStrictEqual([framed.status, framed.text.startsWith("<div id=root><script")], [200, true])
      // What its script fetches, or a page loads, is as missing as ever.
      for (const host of ["routed.svc.localhost", src.host]) {
        assert.strictEqual((yield* service.ask("/api/people", { host, headers: { accept: "*/*" } })).status, 404)
        assert.strictEqual((yield* service.ask("/assets/gone.js", { host, headers: opening })).status, 404)
      }
    }))

  it.effect("our scripts are on every project's host, compressed, for good", () =>
    Effect.gen(function*() {
      const service = yield* Service
      yield* framedSite(service, yield* service.account(), "scripted", { "index.html": "<p>" })
      const { text } = yield* service.ask("/", { host: "scripted.svc.localhost" })
      assert.include(text, " data-comments=\"allowlist\" data-version=\"1\">")
      // A missing page in the frame: our own page, which only this shell may frame.
      const missing = yield* service.ask("/none", { host: srcOf(text).host, headers: { "sec-fetch-dest": "iframe" } })
      assert.strictEqual(missing.status, 404)
      assert.match(missing.text, /This page is not part of it[^]*data-svc-shell="http:\/\/scripted\.svc\.localhost:\d+"><\/script>$/)
      assert.include(String(missing.headers["content-security-policy"]), `frame-ancestors 'self' http://scripted.svc.localhost:${service.port}`)
      assert.deepStrictEqual([missing.headers["x-robots-tag"], missing.headers["cache-control"]], ["noindex", "private, no-store"])
      // At the top the shell has it; a program is told in the envelope.
      const top = yield* service.ask("/none?a=1", { host: srcOf(text).host, headers: BROWSER })
      assert.deepStrictEqual([top.status, top.headers.location], [302, `http://scripted.svc.localhost:${service.port}/none?a=1`])
      const told = yield* service.ask("/none", { host: srcOf(text).host, headers: { accept: "application/json" } })
      assert.deepStrictEqual([told.status, told.json?.error.code], [404, "not_found"])
      assert.strictEqual((yield* service.ask("/none", { host: "scripted.svc.localhost" })).status, 404)
      const path = /src="(\/_svc\/assets\/shell-[\w-]+\.js)"/.exec(text)![1]!
      const get = (headers: Record<string, string>) => service.ask(path, { host: "nobody.svc.localhost", headers })
      const plain = yield* get({})
      assert.strictEqual(plain.headers["content-type"], "text/javascript; charset=utf-8")
      assert.strictEqual(plain.headers["cache-control"], "public, max-age=31536000, immutable")
      const packed = yield* get({ "accept-encoding": "gzip, br" })
      assert.strictEqual(brotliDecompressSync(packed.bytes).toString(), plain.text)
      assert.notStrictEqual(packed.headers.etag, plain.headers.etag)
      assert.strictEqual((yield* get({ "accept-encoding": "br", "if-none-match": packed.headers.etag! })).status, 304)
      for (const name of ["manifest.json", ".built", `..%2fweb/${path.split("/").at(-1)}`, `${path.split("/").at(-1)}.br`]) {
        assert.strictEqual((yield* service.ask(`/_svc/assets/${name}`, { host: "nobody.svc.localhost" })).status, 404, name)
      }
    }))

  it.effect("behind a gate the frame opens by a key that works once, and closes with the gate", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const { password } = yield* framedSite(service, account, "gated", FILES, { visibility: "password", password: "first doorcode" })
      const own = (headers: Record<string, string> = {}) => service.ask("/dir/?x=1", { host: "gated.svc.localhost", headers })
      assert.strictEqual((yield* own()).status, 401)
      const [mine, other] = [yield* passByDoorcode(service, "gated", password), yield* passByDoorcode(service, "gated", password)]
      const shell = yield* own({ cookie: mine })
      assert.strictEqual(shell.headers["cache-control"], "private, no-store")
      assert.isUndefined(shell.headers.etag)
      // What only leads to a page is kept and found by nobody who may not keep and find the page.
      const raw = yield* framedSite(service, account, "gated-raw", FILES, { visibility: "password", password: "raw doorcode", html_display_mode: "raw" })
      const moved = yield* service.ask("/dir", { host: "gated-raw.svc.localhost", headers: { cookie: yield* passByDoorcode(service, "gated-raw", raw.password) } })
      const movedBy = (names: ReadonlyArray<string>) => names.map((name) => moved.headers[name])
      assert.deepStrictEqual([moved.status, ...movedBy(["location", "cache-control", "vary", "x-robots-tag", "cross-origin-resource-policy", "cross-origin-opener-policy"])], [308, "/dir/", "private, no-store", "Cookie", "noindex", "same-origin", "same-origin"])
      const src = srcOf(shell.text)
      const theirs = srcOf((yield* own({ cookie: other })).text)
      assert.notStrictEqual(src.host, theirs.host)
      assert.strictEqual(srcOf((yield* own({ cookie: mine })).text).host, src.host)
      const frame = (path: string, headers: Record<string, string> = {}, host = src.host) => service.ask(path, { host, headers })

      assert.strictEqual((yield* frame("/")).status, 401)
      assert.notInclude((yield* frame("/", { "sec-fetch-dest": "iframe" })).text, "author's own")
      const told = yield* frame("/", { accept: "application/json" })
      assert.deepStrictEqual([told.status, told.json?.error.code], [401, "auth_required"])
      const looked = yield* service.ask(src.path, { method: "HEAD", host: src.host })
      assert.deepStrictEqual([looked.status, looked.headers["set-cookie"]], [401, undefined], "and its key is still good")
      // Exactly one of many simultaneous requests is let in; the others are redirected back.
      const tries = yield* Effect.all(Array.from({ length: 50 }, () => frame(src.path, { "sec-fetch-dest": "iframe" })), { concurrency: "unbounded" })
      const [entered, ...more] = tries.filter((one) => one.headers["set-cookie"] !== undefined)
      assert.deepStrictEqual([more.length, tries.filter((one) => one.status === 401).length], [0, 49])
      assert.deepStrictEqual([entered!.status, entered!.headers.location], [303, `http://${src.host}:${service.port}/dir/?x=1`])
      assert.match(String(entered!.headers["set-cookie"]), /^__Host-svc_frame=[0-9a-f]{64}; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
      assert.strictEqual(entered!.headers["referrer-policy"], "no-referrer")
      assert.strictEqual(entered!.headers["cache-control"], "private, no-store")
      const cookie = cookiesOf(entered!)

      const page = yield* frame("/dir/?x=1", { cookie })
      assert.strictEqual(page.status, 200)
      assert.strictEqual(page.headers["cache-control"], "private, no-store")
      assert.strictEqual((yield* frame("/app.js", { cookie })).headers["cache-control"], "private, no-cache")
      const again = yield* frame(src.path, { cookie })
      assert.deepStrictEqual([again.status, again.headers["set-cookie"]], [303, undefined])
      const spent = yield* frame(src.path, { "sec-fetch-dest": "iframe" })
      assert.include(spent.text, `href="http://gated.svc.localhost:${service.port}/dir/?x=1" target="_top"`)
      assert.include(String(spent.headers["content-security-policy"]), `frame-ancestors 'self' http://gated.svc.localhost:${service.port}`)
      assert.strictEqual((yield* frame(src.path, BROWSER)).headers.location, `http://gated.svc.localhost:${service.port}/dir/?x=1`)
      // Another pass has another frame host: neither this cookie nor this key works there.
      assert.strictEqual((yield* frame("/", { cookie }, theirs.host)).status, 401)
      assert.isUndefined((yield* frame(theirs.path)).headers["set-cookie"])
      for (const next of ["//evil.example/", "/\\evil.example", "https://evil.example/", "/_svc/gate/share?t=1", "evil"]) {
        const { host, path } = srcOf((yield* own({ cookie: mine })).text)
        const on = yield* frame(`${path.split("&next=")[0]}&next=${encodeURIComponent(next)}`, {}, host)
        assert.strictEqual(on.headers.location, `http://${host}:${service.port}/`, next)
      }
      // However long the address and whatever its query, the frame shows exactly that page.
      for (const query of ["?re=\\d", `?q=${"a".repeat(3_000)}`]) {
        const { host, path } = srcOf((yield* service.ask(`/dir/${query}`, { host: "gated.svc.localhost", headers: { cookie: mine } })).text)
        assert.strictEqual((yield* frame(path, {}, host)).headers.location, `http://${host}:${service.port}/dir/${query}`)
      }
      const publicName = yield* framedSite(service, account, "open", FILES)
      assert.isDefined(publicName)
      const open = srcOf((yield* service.ask("/", { host: "open.svc.localhost" })).text)
      yield* service.ask("/v1/projects/open", { method: "PATCH", headers: account.bearer, json: { visibility: "private" } })
      assert.strictEqual((yield* frame("/", { cookie }, open.host)).status, 403)

      yield* service.ask("/v1/projects/gated", { method: "PATCH", headers: account.bearer, json: { password: "second doorcode" } })
      for (const path of ["/", "/app.js", "/dir/", "/none"]) assert.strictEqual((yield* frame(path, { cookie })).status, 401, path)
      assert.strictEqual((yield* frame("/", { cookie, range: "bytes=0-1" })).status, 401)
      assert.strictEqual((yield* frame("/dir/?x=1", { cookie, "if-none-match": "*" })).status, 401)
    }))

  it.effect("a host that once served raw pages to a browser proves itself from then on; no script can fetch the proof", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      yield* framedSite(service, account, "once", FILES, { html_display_mode: "raw" })
      const login = yield* service.ask("/v1/auth/login", { json: { email: account.email, password: account.password } })
      const me = (query = "") =>
        service.ask(`/v1/me${query}`, { headers: { cookie: cookiesOf(login), origin: `http://once.svc.localhost:${service.port}` } })
      const own = (path: string, headers: Record<string, string> = {}, method = "GET") =>
        service.ask(path, { host: "once.svc.localhost", headers, method })
      const mode = (json: unknown) => service.ask("/v1/projects/once", { method: "PATCH", headers: account.bearer, json })
      const allowed = (answer: { readonly headers: object }) => "access-control-allow-origin" in answer.headers

      // Programs, assets, HEAD: none of them ran the author's HTML here.
      yield* own("/", { "user-agent": "curl/8" })
      yield* own("/app.js", BROWSER)
      yield* own("/", BROWSER, "HEAD")
      yield* mode({ html_display_mode: "framed" })
      assert.isDefined((yield* me()).json.comment_token)
      assert.notInclude((yield* own("/", BROWSER)).text, "data-proof")

      yield* mode({ html_display_mode: "raw" })
      assert.isFalse(allowed(yield* me()))
      assert.strictEqual((yield* own("/", { "user-agent": "Mozilla/5.0" })).text, WORDS)
      yield* mode({ html_display_mode: "framed" })
      assert.isFalse(allowed(yield* me()))
      assert.isUndefined((yield* me()).json.comment_token)
      for (const headers of [{}, { "sec-fetch-mode": "cors" }, { "sec-fetch-mode": "same-origin" }, { "sec-fetch-mode": "no-cors" }]) {
        assert.notInclude((yield* own("/", headers)).text, "data-proof")
      }
      // Whom the page is for, its host knows by the gate alone.
      assert.include((yield* own("/", BROWSER)).text, `data-proof=""`)
      const named = yield* namedAt(service, "once", cookiesOf(login))
      const shell = yield* own("/", { ...BROWSER, cookie: named })
      assert.strictEqual(shell.headers["cache-control"], "private, no-store")
      assert.isUndefined(shell.headers.etag)
      const proof = /data-proof="([^"]+)"/.exec(shell.text)![1]!
      assert.isDefined((yield* me(`?shell=${proof}`)).json.comment_token)
      for (const headers of [{}, { "sec-fetch-mode": "cors" }]) assert.notInclude((yield* own("/", { ...headers, cookie: named })).text, "data-proof")
      for (const wrong of ["?shell=", `?shell=${proof}x`, `?proof=${proof}`]) assert.isFalse(allowed(yield* me(wrong)), wrong)

      // What matters is not the kind but that earlier script may still be open.
      yield* service.ask("/v1/projects/once", { method: "PUT", body: "# Notes", headers: { ...account.bearer, "content-type": "text/markdown" } })
      assert.isFalse(allowed(yield* me()))
      assert.isTrue(allowed(yield* me(`?shell=${proof}`)))
    }))

  it.effect("a proof holds for the session that it was made for: its author's tells a script in somebody else's tab nothing", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [author, reader] = [yield* service.account(), yield* service.account()]
      yield* framedSite(service, author, "relayed", FILES, { html_display_mode: "raw" })
      const own = (headers: Record<string, string>) => service.ask("/", { host: "relayed.svc.localhost", headers: { ...BROWSER, ...headers } })
      yield* own({})
      yield* service.ask("/v1/projects/relayed", { method: "PATCH", headers: author.bearer, json: { html_display_mode: "framed" } })
      const session = ({ id }: typeof author) =>
        service.inside(Effect.gen(function*() {
          const user = Option.getOrThrow(yield* (yield* AccountStore).find(id))
          return `__Host-svc_session=${(yield* (yield* Sessions).issue(user)).session}`
        }))
      const me = (cookie: string, proof: string) => service.ask(`/v1/me?shell=${proof}`, { headers: { cookie, origin: `http://relayed.svc.localhost:${service.port}` } })
      const proofOf = (cookie: string) => Effect.map(own({ cookie }), ({ text }) => /data-proof="([^"]*)"/.exec(text)![1]!)

      const [authors, readers] = [yield* session(author), yield* session(reader)]
      const [relayed, theirs] = [yield* proofOf(yield* namedAt(service, "relayed", authors)), yield* proofOf(yield* namedAt(service, "relayed", readers))]
      assert.isDefined((yield* me(authors, relayed)).json.comment_token)
      assert.strictEqual((yield* me(readers, theirs)).json.user.email, reader.email)
      // The same bytes whoever is signed in, or nobody.
      const [somebody, nobody] = [yield* me(readers, relayed), yield* me("", relayed)]
      assert.deepStrictEqual(withoutId(somebody), withoutId(nobody))
      assert.deepStrictEqual([somebody.status, somebody.json.error.code], [401, "auth_required"])
      // Another session of the same person has to be named anew.
      assert.strictEqual((yield* me(yield* session(reader), theirs)).status, 401)
      // A key opens once, at its own project, and gives access to nothing.
      const gate = yield* service.ask("/v1/gate/comment?slug=relayed&next=/a", { headers: { cookie: readers } })
      const key = new URL(gate.headers.location!)
      const at = (slug: string) => service.ask(key.pathname + key.search, { host: `${slug}.svc.localhost` })
      assert.deepStrictEqual([(yield* at("once")).headers["set-cookie"], (yield* at("relayed")).headers["set-cookie"]], [undefined, undefined])
      assert.strictEqual((yield* at("relayed")).headers.location, "/a")
      // A place that is written as people write it stays the place.
      const written = yield* service.ask(`/v1/gate/comment?slug=relayed&next=${encodeURIComponent("/größe?a=ü#c")}`, { headers: { cookie: readers } })
      const { pathname, search } = new URL(written.headers.location!)
      assert.strictEqual((yield* service.ask(pathname + search, { host: "relayed.svc.localhost" })).headers.location, "/gr%C3%B6%C3%9Fe?a=%C3%BC#c")
    }))

  it.effect("a later holder of an address proves itself too: the earlier one's script may still be open there", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const login = yield* service.ask("/v1/auth/login", { json: { email: account.email, password: account.password } })
      const put = (slug: string, type: string, body: string) =>
        service.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...account.bearer, "content-type": type } })
      const patch = (slug: string, json: unknown) => service.ask(`/v1/projects/${slug}`, { method: "PATCH", headers: account.bearer, json })
      const own = (slug: string, headers: Record<string, string> = {}) => service.ask("/", { host: `${slug}.svc.localhost`, headers: { ...BROWSER, ...headers } })
      const me = (slug: string, query = "") =>
        service.ask(`/v1/me${query}`, { headers: { cookie: cookiesOf(login), origin: `http://${slug}.svc.localhost:${service.port}` } })

      // An address freed by deletion, and one freed by a rename.
      yield* put("was-raw", "text/html", WORDS)
      assert.strictEqual((yield* own("was-raw")).text, WORDS)
      yield* service.ask("/v1/projects/was-raw", { method: "DELETE", headers: account.bearer })
      yield* put("was-raw", "text/markdown", "# Notes")
      yield* put("was-raw-too", "text/html", WORDS)
      assert.strictEqual((yield* own("was-raw-too")).text, WORDS)
      yield* patch("was-raw-too", { slug: "moved-on" })
      yield* framedSite(service, account, "comes-by", FILES, {})
      yield* patch("comes-by", { slug: "was-raw-too" })

      for (const slug of ["was-raw", "was-raw-too"]) {
        yield* patch(slug, { comments_enabled: true })
        const bare = yield* me(slug)
        assert.deepStrictEqual([bare.headers["access-control-allow-origin"], bare.json.comment_token], [undefined, undefined], slug)
        assert.notInclude((yield* own(slug, { "sec-fetch-mode": "cors" })).text, "data-proof")
        const named = yield* namedAt(service, slug, cookiesOf(login))
        const page = yield* own(slug, { cookie: named })
        assert.strictEqual(page.headers["cache-control"], "private, no-store")
        // What the earlier one left in this browser goes, once.
        assert.strictEqual(page.headers["clear-site-data"], "\"cache\", \"storage\"", slug)
        assert.isUndefined((yield* own(slug, { cookie: cookiesOf(page) })).headers["clear-site-data"], slug)
        const proof = /data-proof="([^"]+)"/.exec(page.text)![1]!
        assert.isDefined((yield* me(slug, `?shell=${proof}`)).json.comment_token)
      }

      // Whoever comes back to an address of their own succeeds nobody, unless somebody else was there meanwhile.
      yield* put("goes-out", "text/markdown", "# Notes")
      yield* patch("goes-out", { comments_enabled: true })
      const away = function*(meanwhile: Effect.Effect<unknown>) {
        yield* patch("goes-out", { slug: "is-out" })
        yield* meanwhile
        yield* patch("is-out", { slug: "goes-out" })
        return [(yield* own("goes-out")).headers["clear-site-data"] !== undefined, (yield* me("goes-out")).json.comment_token !== undefined]
      }
      for (const _ of [1, 2]) assert.deepStrictEqual(yield* away(Effect.void), [false, true])
      const stays = Effect.andThen(put("goes-out", "text/html", WORDS), patch("goes-out", { slug: "was-there" }))
      assert.deepStrictEqual(yield* away(stays), [true, false])
      assert.deepStrictEqual(yield* away(Effect.void), [true, false])
    }))
})

layer(serviceWith({ SVC_CONTENT_DOMAIN: "github.io" }), { excludeTestServices: true })("frames below a public suffix", (it) => {
  it.effect("where a frame is another site than its shell, its cookie is taken in that shell alone", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { password } = yield* framedSite(service, yield* service.account(), "apart", FILES, { visibility: "password", password: "first doorcode" })
      const cookie = yield* passByDoorcode(service, "apart", password, "github.io")
      const { host, path } = srcOf((yield* service.ask("/", { host: "apart.github.io", headers: { cookie } })).text)
      const entered = yield* service.ask(path, { host, headers: { "sec-fetch-dest": "iframe" } })
      assert.match(String(entered.headers["set-cookie"]), /^__Host-svc_frame=[0-9a-f]{64}; Path=\/; Secure; HttpOnly; SameSite=None; Partitioned$/)
      assert.strictEqual((yield* service.ask("/", { host, headers: { cookie: cookiesOf(entered) } })).status, 200)
    }))
})
