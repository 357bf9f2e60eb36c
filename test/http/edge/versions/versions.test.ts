/** Earlier versions on a project's own host: who can see them, what is shown of them, and how they are cached. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cookiesOf } from "../../../support/ask.ts"
import type { Answer, Question } from "../../../support/ask.ts"
import { joined, removed } from "../../../support/commented.ts"
import { framedSite, namedAt, passByDoorcode } from "../../../support/framed.ts"
import { memberPass, signIn } from "../../../support/member-pass.ts"
import { Service, serviceWith } from "../../../support/service.ts"
import type { Account } from "../../../support/service.ts"
import { zipOf } from "../../../support/zips.ts"

const CODE = "open sesame"
const OLD = "what was taken back"
const NAVIGATION = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "user-agent": "Mozilla/5.0" }
const PAGES = ["/_svc/versions", "/_svc/versions?from=1&to=2", "/_svc/versions/1/x.txt", "/_svc/versions/1/x.txt?download", "/_svc/versions/9/none"]

const publish = Effect.fnUntraced(function*(account: Account, slug: string, body: string | Buffer, type = "text/plain; charset=utf-8") {
  const { ask } = yield* Service
  const put = yield* ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...account.bearer, "content-type": type } })
  assert.include([200, 201], put.status, put.text)
})

const patch = Effect.fnUntraced(function*(account: Account, slug: string, json: object) {
  const { ask } = yield* Service
  const changed = yield* ask(`/v1/projects/${slug}`, { method: "PATCH", json, headers: account.bearer })
  assert.strictEqual(changed.status, 200, changed.text)
})

/** Two versions of a text; the file's name as it was made. */
const twice = Effect.fnUntraced(function*(account: Account, slug: string, settings: object = {}) {
  yield* publish(account, slug, `one\n${OLD}\n`)
  yield* publish(account, slug, "one\n\x1b[32mtwo <b>&</b>\x1b[0m\n")
  yield* patch(account, slug, { title: "The plan", ...settings })
})

const at = (slug: string, path: string, cookie = "", question: Question = {}) =>
  Service.use(({ ask }) => ask(path, { ...question, host: `${slug}.svc.localhost`, headers: { ...(cookie !== "" && { cookie }), ...question.headers } }))

const fileIn = (page: Answer): string => /href="(\/_svc\/versions\/1\/[^"?]+)[^"]*"/.exec(page.text)![1]!

/** Nothing of the earlier version, and no more of the title than `/` shows. */
const isClosed = (answer: Answer, status: number, why: string) => {
  assert.strictEqual(answer.status, status, why)
  assert.strictEqual(answer.headers["cache-control"], "private, no-store", why)
  for (const word of [OLD, "one\n", "Ada Example"]) assert.notInclude(answer.text, word, why)
}

layer(serviceWith(), { excludeTestServices: true })("earlier versions", (it) => {
  it.effect("members see them; strangers, doorcodes and share links do not, and a removed member not any more", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account()
      const member = yield* joined(owner, "member")
      for (const [slug, visibility, shut] of [["open", "public", 403], ["coded", "password", 401], ["closed", "private", 403]] as const) {
        yield* twice(owner, slug, { visibility, ...(visibility === "password" && { password: CODE }) })
        const pass = yield* memberPass(service, member, slug)
        const page = yield* at(slug, "/_svc/versions", pass)
        assert.strictEqual(page.status, 200)
        assert.include(page.text, OLD)
        assert.include(page.text, "Ada Example")
        const file = fileIn(page)
        const old = yield* at(slug, file, pass)
        assert.deepStrictEqual([old.status, old.text], [200, `one\n${OLD}\n`])

        const link = yield* service.ask(`/v1/projects/${slug}/share-links`, { json: { label: "Acme" }, headers: owner.bearer })
        const byLink = cookiesOf(yield* at(slug, `/_svc/gate/share?t=${link.json.token}`, "", { headers: NAVIGATION }))
        const others: Record<string, readonly [cookie: string, status: number]> = {
          stranger: ["", shut], link: [byLink, 403], forged: [`__Host-svc_gate=${"x".repeat(43)}`, shut]
        }
        if (visibility === "password") others["doorcode"] = [yield* passByDoorcode(service, slug, CODE), 403]
        for (const [name, [cookie, status]] of Object.entries(others)) {
          if (name !== "stranger" && name !== "forged") assert.strictEqual((yield* at(slug, "/", cookie)).status, 200, name)
          for (const path of [...PAGES, file]) {
            isClosed(yield* at(slug, path, cookie), status, `${slug} ${name} ${path}`)
            isClosed(yield* at(slug, path, cookie, { headers: { range: "bytes=0-1" } }), status, path)
          }
          isClosed(yield* at(slug, file, cookie, { headers: { "if-none-match": old.headers.etag! } }), status, "asked after")
          assert.notInclude((yield* at(slug, "/", cookie)).text, `href="/_svc/versions"`, name)
        }
        assert.include((yield* at(slug, "/", pass)).text, `href="/_svc/versions"`)
      }
      // After signing in, the reader comes back here.
      const refused = yield* at("open", "/_svc/versions?from=1&to=2")
      assert.include(refused.text, `/v1/gate/member?slug=open&amp;next=${encodeURIComponent(encodeURIComponent("/_svc/versions?from=1&to=2")).replaceAll("%25", "%")}`)
      const cookie = yield* signIn(service, member)
      const gate = yield* service.ask(`/v1/gate/member?${new URLSearchParams({ slug: "open", next: "/_svc/versions?from=1&to=2" })}`, { headers: { cookie } })
      const { pathname, search } = new URL(gate.headers.location!)
      assert.strictEqual((yield* at("open", pathname + search)).headers.location, "/_svc/versions?from=1&to=2")

      const before = yield* memberPass(service, member, "closed")
      const file = fileIn(yield* at("closed", "/_svc/versions", before))
      yield* removed(owner, member)
      for (const path of [...PAGES, file]) isClosed(yield* at("closed", path, before), 403, path)
    }))

  it.effect("is kept by nobody, runs nothing of the author’s, and asks for its files anew", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account()
      yield* publish(owner, "drawn", "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>1</script></svg>", "image/svg+xml")
      yield* publish(owner, "drawn", "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>2</script></svg>", "image/svg+xml")
      const pass = yield* memberPass(service, owner, "drawn")
      const page = yield* at("drawn", "/_svc/versions", pass)
      const policy = page.headers["content-security-policy"] as string
      for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'", `script-src http://drawn.svc.localhost:${service.port}/_svc/assets/`]) assert.include(policy, part)
      assert.strictEqual(page.headers["cache-control"], "private, no-store")
      assert.isUndefined(page.headers.etag)
      assert.deepInclude(page.headers, { "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin" })
      assert.notMatch(page.text, /<script(?![^>]* src="\/_svc\/assets\/)|\son\w+=|\sstyle=/)

      const path = fileIn(page)
      const file = yield* at("drawn", path, pass)
      assert.strictEqual(file.headers["content-security-policy"], "sandbox; frame-ancestors 'self'")
      assert.strictEqual(file.headers["cache-control"], "private, no-cache")
      assert.strictEqual(file.headers["cross-origin-resource-policy"], "same-origin")
      assert.include(file.headers.vary!, "Cookie")
      assert.isUndefined(file.headers["surrogate-key"])
      assert.strictEqual((yield* at("drawn", path, pass, { headers: { "if-none-match": file.headers.etag! } })).status, 304)
      assert.strictEqual((yield* at("drawn", path, pass, { headers: { range: "bytes=0-3" } })).text, "<svg")
      assert.match((yield* at("drawn", `${path}?download`, pass)).headers["content-disposition"]!, /^attachment;/)
      // Another origin that opens it must not see that a download starts.
      const opened = yield* at("drawn", `${path}?download`, pass, { headers: { ...NAVIGATION, "sec-fetch-site": "same-site" } })
      assert.deepStrictEqual([opened.status, opened.headers.refresh, opened.headers["content-disposition"]], [200, "0;url=/", undefined])
      // The page with the link to them is cached for this reader only, though the project is public.
      const viewer = yield* at("drawn", "/", pass)
      assert.strictEqual(viewer.headers["cache-control"], "private, no-store")
      assert.strictEqual((yield* at("drawn", "/")).headers["cache-control"], "no-cache, must-revalidate")
      assert.strictEqual((yield* at("drawn", "/", pass, { headers: { "if-none-match": (yield* at("drawn", "/")).headers.etag! } })).status, 200)
      for (const method of ["POST", "PUT"]) assert.strictEqual((yield* at("drawn", "/_svc/versions", pass, { method })).status, 405)
      assert.strictEqual((yield* at("drawn", "/_svc/versions", pass, { headers: { "service-worker": "script" } })).status, 404)
    }))

  it.effect("says what changed: by lines, by files; and what it cannot show", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account()
      yield* twice(owner, "lines")
      const pass = yield* memberPass(service, owner, "lines")
      const page = (yield* at("lines", "/_svc/versions?from=1&to=2", pass)).text
      assert.include(page, `<del><b>2</b><i>−</i><span>${OLD}</span></del>`)
      assert.include(page, "<ins><b>2</b><i>+</i><span>two &lt;b&gt;&amp;&lt;/b&gt;</span></ins>")
      assert.match(page, /<option value="1" selected>Version 1, \d\d? [A-Z][a-z]{2,3} \d{4}, Ada Example</)
      for (const [query, status, words] of [
        ["?from=7&to=2", 404, "That version is not kept"], ["?from=0", 404, "not kept"], ["?from=1e9", 404, "not kept"], ["?to=-1", 404, "not kept"], ["?from=<b>", 404, "not kept"],
        ["?from=2&to=2", 200, "Both are the same version"], ["?to=1", 200, "Nothing came before"], ["?from=2&to=1", 200, "<ins><b>2</b>"], ["?from=&to=", 200, OLD]
      ] as const) {
        const answer = yield* at("lines", `/_svc/versions${query}`, pass)
        assert.deepStrictEqual([answer.status, answer.text.includes(words)], [status, true], query)
      }
      for (const path of ["/_svc/versions/", "/_svc/versions/1", "/_svc/versions/1/", "/_svc/versions/01/x", "/_svc/versions/1/..%2fx", "/_svc/versions/3/x", "/_svc/versions/1/constructor"]) {
        assert.strictEqual((yield* at("lines", path, pass)).status, 404, path)
      }

      yield* publish(owner, "only", "one")
      const only = yield* memberPass(service, owner, "only")
      assert.include((yield* at("only", "/_svc/versions", only)).text, "Only one version is kept")
      assert.notInclude((yield* at("only", "/", only)).text, "/_svc/versions")

      yield* publish(owner, "huge", "a\n".repeat(600_000))
      yield* publish(owner, "huge", "b\n".repeat(600_000))
      const huge = (yield* at("huge", "/_svc/versions", yield* memberPass(service, owner, "huge"))).text
      assert.include(huge, "This is too long")
      for (const number of [1, 2]) assert.match(huge, new RegExp(`href="/_svc/versions/${number}/[^"]+\\?download"`))
    }))

  it.effect("a site’s old files are saved, never opened; a raw one shows none; after raw days only a navigation gets them", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account()
      const files = (word: string) => ({ "index.html": `<h1>${word}</h1>\n<script>1</script>\n`, "same.css": "a{}", [`${word}.js`]: "1" })
      yield* framedSite(service, owner, "site", files("first"), { html_display_mode: "raw" })
      yield* publish(owner, "site", yield* Effect.promise(() => zipOf(files("second"))), "application/zip")
      const pass = yield* memberPass(service, owner, "site")
      for (const path of PAGES) assert.strictEqual((yield* at("site", path, pass, { headers: NAVIGATION })).status, 404, path)

      yield* patch(owner, "site", { html_display_mode: "framed" })
      const page = yield* at("site", "/_svc/versions", pass)
      for (const words of ["Files: 1 changed, 1 added, 1 removed", "&lt;h1&gt;<mark>first</mark>", "second.js", "first.js"]) assert.include(page.text, words)
      assert.notInclude(page.text, "same.css")
      const old = yield* at("site", "/_svc/versions/1/index.html", pass)
      assert.strictEqual(old.status, 200)
      assert.match(old.headers["content-disposition"]!, /^attachment;/)
      assert.strictEqual(old.headers["content-security-policy"], "sandbox; frame-ancestors 'self'")
      // The shell with the link to them is cached for this reader only, though the project is public.
      const [shell, others] = [yield* at("site", "/", pass), yield* at("site", "/")]
      assert.include(shell.text, `id="versions" href="/_svc/versions"`)
      assert.deepStrictEqual([shell.headers["cache-control"], shell.headers.vary, shell.headers.etag], ["private, no-store", "Cookie", undefined])
      assert.strictEqual(others.headers["cache-control"], "no-cache, must-revalidate")
      assert.strictEqual((yield* at("site", "/", pass, { headers: { "if-none-match": others.headers.etag! } })).status, 200)

      // A browser has run the author's script here.
      yield* patch(owner, "site", { html_display_mode: "raw" })
      yield* at("site", "/", pass, { headers: NAVIGATION })
      yield* patch(owner, "site", { html_display_mode: "framed" })
      for (const headers of [{}, { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" }, { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }]) {
        assert.strictEqual((yield* at("site", "/_svc/versions", pass, { headers })).status, 404)
      }
      assert.strictEqual((yield* at("site", "/_svc/versions/1/index.html", pass)).status, 404)
      const proven = yield* at("site", "/_svc/versions", pass, { headers: { ...NAVIGATION, "accept-encoding": "br" } })
      assert.deepStrictEqual([proven.status, proven.headers["content-encoding"]], [200, undefined])
      const address = /href="(\/_svc\/versions\/1\/first\.js\?[^"]+)"/.exec(proven.text)![1]!.replaceAll("&amp;", "&")
      assert.include(address, "proof=")
      assert.strictEqual((yield* at("site", address, pass)).status, 200)
      assert.strictEqual((yield* at("site", `${address}x`, pass)).status, 404)
      assert.strictEqual((yield* at("site", address)).status, 403)

      // Script in the member's tab may be handed its author's proof, and have the author named in this browser.
      const other = yield* service.account()
      const theirs = yield* namedAt(service, "site", yield* signIn(service, other))
      const shown = yield* at("site", "/", theirs, { headers: NAVIGATION })
      const relayed = `/_svc/versions/1/first.js?proof=${/data-proof="([^"]+)"/.exec(shown.text)![1]!}`
      for (const cookie of [pass, `${pass.split("; ", 1)[0]!}; ${theirs}`]) assert.strictEqual((yield* at("site", relayed, cookie)).status, 404)
      const anew = yield* at("site", "/_svc/versions", pass.split("; ", 1)[0]!, { headers: NAVIGATION })
      assert.strictEqual(anew.status, 403)
      assert.include(anew.text, "/v1/gate/member?slug=site")
    }))
})
