/** Projects over the wire: publishing every kind, changing, renaming, restoring, and every refusal on the way. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { form } from "../support/ask.ts"
import type { FormPart, Question } from "../support/ask.ts"
import { Packs } from "../../src/domain/ports/packs.ts"
import { PIXEL } from "../support/pngs.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { joins, member } from "../support/team.ts"
import { zipOf } from "../support/zips.ts"

type Running = typeof Service.Service

let names = 0
const fresh = (stem: string) => `${stem}-${++names}`

const put = (service: Running, account: Account, slug: string, question: Question = {}, query = "") =>
  service.ask(`/v1/projects/${slug}${query}`, {
    method: "PUT",
    body: "<h1>Hello</h1>",
    ...question,
    headers: { "content-type": "text/html", ...account.bearer, ...question.headers }
  })

const page = (service: Running, slug: string, path = "/", headers: Record<string, string> = {}) =>
  service.ask(path, { host: `${slug}.svc.localhost`, headers })

const api = (service: Running, account: Account, path: string, question: Question = {}) =>
  service.ask(`/v1/projects${path}`, { ...question, headers: { ...account.bearer, ...question.headers } })

const scratchFiles = (dataDir: string): number =>
  readdirSync(join(dataDir, "blobs/scratch"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

const MP4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypisom"), Buffer.from([0, 0, 2, 0]), Buffer.from("isomiso2"), Buffer.alloc(64)])
const PDF = "%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF"

layer(serviceWith(), { excludeTestServices: true })("projects", (it) => {
  it.effect("with If-Match: * a version is added, and where its project is gone by then none is made", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [account, stranger] = [yield* service.account(), yield* service.account()]
      const [held, renamed, foreign] = [fresh("match"), fresh("match"), fresh("match")]
      const again = (slug: string, match = "*") => put(service, account, slug, { headers: { "if-match": match } })
      const refused = ({ json: { error }, status }: { readonly status: number; readonly json: any }) => [status, error.code, error.field]
      yield* put(service, account, held, {}, "?visibility=private")
      yield* put(service, stranger, foreign)
      const added = yield* again(held)
      assert.deepStrictEqual([added.status, added.json.version, added.json.visibility], [200, 2, "private"])
      assert.strictEqual((yield* again(held, "\"a-tag\"")).status, 422)
      yield* api(service, account, `/${held}`, { method: "PATCH", json: { slug: renamed } })
      for (const slug of [held, foreign]) assert.deepStrictEqual(refused(yield* again(slug)), [404, "not_found", "slug"])
      assert.strictEqual((yield* api(service, account, `/${renamed}`, { method: "DELETE" })).status, 200)
      assert.deepStrictEqual(refused(yield* again(renamed)), [404, "not_found", "slug"])
      assert.deepStrictEqual((yield* api(service, account, "")).json.projects, [])
      assert.strictEqual((yield* page(service, held)).status, 404)
    }))

  it.effect("with If-Match: * a project that is deleted while its bytes travel is not made anew", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const slug = fresh("match")
      yield* put(service, account, slug)
      const body = new PassThrough()
      const publishing = yield* Effect.forkChild(put(service, account, slug, { body, headers: { "if-match": "*" } }))
      body.write("<h1>First half")
      yield* Effect.sleep("300 millis")
      yield* api(service, account, `/${slug}`, { method: "DELETE" })
      body.end("</h1>")
      assert.strictEqual((yield* Fiber.join(publishing)).status, 404)
      assert.deepStrictEqual((yield* api(service, account, "")).json.projects, [])
    }))

  it.effect("with If-None-Match: * a project is made, once of two at a time, and one that is there stays as it is; no other condition is taken", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [account, stranger] = [yield* service.account(), yield* service.account()]
      const [slug, foreign] = [fresh("none"), fresh("none")]
      const publish = (slug: string, headers: Record<string, string>, body: Question["body"] = "<h1>Late</h1>") => put(service, account, slug, { body, headers })
      const told = ({ json: { error }, status }: { readonly status: number; readonly json: any }) => [status, error?.code, error?.field]
      yield* put(service, stranger, foreign)
      const bodies = [new PassThrough(), new PassThrough()]
      const racing = yield* Effect.forkChild(Effect.all(bodies.map((body) => publish(slug, { "if-none-match": "*" }, body)), { concurrency: "unbounded" }))
      for (const body of bodies) body.write("<h1>First")
      yield* Effect.sleep("300 millis")
      for (const body of bodies) body.end("</h1>")
      const refused = [409, "slug_taken", "slug"]
      assert.deepStrictEqual((yield* Fiber.join(racing)).map(told).toSorted(([a], [b]) => a - b), [[201, undefined, undefined], refused])
      for (const taken of [slug, foreign]) assert.deepStrictEqual(told(yield* publish(taken, { "if-none-match": "*" })), refused)
      for (const other of [{ "if-none-match": "\"a-tag\"" }, { "if-unmodified-since": "Wed, 21 Oct 2026 07:28:00 GMT" }]) {
        const { json: { error }, status } = yield* publish(slug, other)
        assert.deepStrictEqual([status, error.code], [422, "validation_error"])
        assert.include(error.message, "send base_version")
      }
      assert.deepStrictEqual(told(yield* publish(slug, { "if-match": "*", "if-none-match": "*" })), refused)
      assert.deepStrictEqual(told(yield* publish(`${slug}/`, { "if-none-match": "*" })), refused)
      const held = (yield* api(service, account, `/${slug}`)).json
      assert.deepStrictEqual([held.version, (yield* page(service, slug)).text], [1, "<h1>First</h1>"])
    }))

  it.effect("publishes every kind at its own host, with its right type", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const kinds: ReadonlyArray<readonly [type: string, body: string | Buffer, kind: string, served: string]> = [
        ["text/html", "<h1>Hi</h1>", "site", "text/html; charset=utf-8"],
        ["text/markdown", "# Hi", "markdown", "text/markdown; charset=utf-8"],
        ["text/plain; charset=utf-8", "hi", "text", "text/plain; charset=utf-8"],
        ["text/csv", "a,b\n1,2\n", "data", "text/csv; charset=utf-8"],
        ["text/tab-separated-values", "a\tb\n1\t2\n", "data", "text/tab-separated-values; charset=utf-8"],
        ["application/json", "{\"a\":1}", "data", "application/json; charset=utf-8"],
        ["application/pdf", PDF, "pdf", "application/pdf"],
        ["image/png", PIXEL, "image", "image/png"],
        ["video/mp4", MP4, "video", "video/mp4"],
        ["application/octet-stream", PIXEL, "image", "image/png"]
      ]
      for (const [type, body, kind, served] of kinds) {
        const slug = fresh("kind")
        const published = yield* put(service, account, slug, { body, headers: { "content-type": type } })
        assert.strictEqual(published.status, 201, `${type} ${published.text}`)
        assert.deepStrictEqual(published.json, {
          slug, url: `http://${slug}.svc.localhost:${service.port}`, kind, version: 1, visibility: "public", password: null
        })
        const opened = yield* page(service, slug)
        assert.strictEqual(opened.status, 200)
        assert.strictEqual(opened.headers["content-type"]?.toLowerCase(), "text/html; charset=utf-8")
        // Everything but HTML is shown in a viewer, which says where the bytes are.
        const bytes = kind === "site" ? opened : yield* page(service, slug, /data-src="([^"]+)"/.exec(opened.text)![1])
        assert.strictEqual(bytes.headers["content-type"]?.toLowerCase(), served)
        assert.isTrue(bytes.bytes.equals(Buffer.from(body as string)))
        for (const { headers } of [opened, bytes]) assert.strictEqual(headers["x-robots-tag"], "noindex")
      }
      const refused = yield* put(service, account, fresh("kind"), { body: "x", headers: { "content-type": "application/x-sharedlib" } })
      assert.strictEqual(refused.status, 422)
      assert.strictEqual(refused.json.error.field, "Content-Type")
    }))

  it.effect("publishes JSON lines under every name they have, and shows them a value a line", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const body = `{"a":1}\n{"a":2}\n`
      const given: ReadonlyArray<readonly [headers: Record<string, string>, name: string, served: string]> = [
        [{ "content-type": "application/octet-stream", "x-filename": "log.ndjson" }, "log.ndjson", "application/x-ndjson; charset=utf-8"],
        [{ "content-type": "application/octet-stream", "x-filename": "log.jsonl" }, "log.jsonl", "application/x-ndjson; charset=utf-8"],
        [{ "content-type": "application/json", "x-filename": "log.ndjson" }, "log.ndjson", "application/json; charset=utf-8"],
        ...["application/x-ndjson", "application/jsonl", "application/x-jsonlines"].map((type) => [{ "content-type": type }, "data.ndjson", "application/x-ndjson; charset=utf-8"] as const)
      ]
      for (const [headers, name, served] of given) {
        const slug = fresh("lines")
        const published = yield* put(service, account, slug, { body, headers })
        assert.strictEqual(published.status, 201, published.text)
        assert.strictEqual(published.json.kind, "data")
        assert.include((yield* page(service, slug)).text, `data-format="ndjson"`)
        assert.strictEqual((yield* page(service, slug, `/${name}`)).headers["content-type"], served)
      }
    }))

  it.effect("calls a project what its document calls itself, in words", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const named: ReadonlyArray<readonly [type: string, body: string | Buffer, title: string]> = [
        ["text/html", "<title>M&uuml;ller &ndash; on &amp;lt;b&amp;gt;</title>", "Müller – on &lt;b&gt;"],
        ["text/html", Buffer.from("<meta charset=windows-1252><title>M\xfcller</title>", "latin1"), "Müller"],
        ["text/markdown", "---\n# a comment\ntitle: From the front\n---\n\n# Heading", "From the front"],
        ["text/markdown", "---\n# a comment\ndraft: true\n---\n\n```sh\n# install\n```\n\n# The **`svc`** [guide](https://a.example) #", "The svc guide"],
        ["text/markdown", Buffer.from("# Z\xfcrich", "latin1"), "Zürich"]
      ]
      for (const [type, body, title] of named) {
        const slug = fresh("named")
        assert.strictEqual((yield* put(service, account, slug, { body, headers: { "content-type": type } })).status, 201)
        assert.strictEqual((yield* api(service, account, `/${slug}`)).json.title, title)
      }
    }))

  it.effect("lets no file's name take the place of a title, but of another file's", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const sent = (slug: string, name: string, body: string, query = "") =>
        put(service, account, slug, { body, headers: { "content-type": "", "x-filename": name } }, query)
      const added = (slug: string, name: string, content: string) => api(service, account, `/${slug}/files`, form({ name: "file", file: name, content }))
      const titleOf = (slug: string) => Effect.map(api(service, account, `/${slug}`), ({ json }) => json.title)
      const [given, read, named] = [fresh("q3"), fresh("q3"), fresh("q3")]
      yield* sent(given, "report.pdf", PDF, "?title=Q3+report")
      yield* sent(given, "report-final-2.pdf", `${PDF}\n`)
      assert.strictEqual(yield* titleOf(given), "Q3 report")
      assert.strictEqual((yield* api(service, account, `/${given}`, { method: "PATCH", json: { title: null } })).json.title, "report-final-2")

      yield* sent(read, "page.html", "<title>Q3 report</title>")
      yield* sent(read, "report-final-2.pdf", PDF)
      assert.strictEqual(yield* titleOf(read), "Q3 report")
      yield* sent(read, "brief.md", "No heading")
      yield* added(read, "brief-final.md", "None either")
      assert.strictEqual(yield* titleOf(read), "Q3 report")
      // It is no title that somebody gave: the next document brings its own.
      yield* sent(read, "brief.md", "# Q4 report")
      assert.strictEqual(yield* titleOf(read), "Q4 report")

      yield* sent(named, "week-47.pdf", PDF)
      for (const [name, body, title] of [["week-48.pdf", `${PDF}\n`, "week-48"], ["week-49.csv", "a,b", "week-49"], ["index.html", "<p>No title", "week-49"], ["week-50.md", "# The year", "The year"], ["week-51.pdf", PDF, "The year"]] as const) {
        yield* sent(named, name, body)
        assert.strictEqual(yield* titleOf(named), title, name)
      }
      // Restored, it is what it was; the next one goes on from there.
      yield* api(service, account, `/${named}/versions/2/restore`, { method: "POST" })
      assert.strictEqual(yield* titleOf(named), "week-48")
      yield* sent(named, "week-52.pdf", PDF)
      assert.strictEqual(yield* titleOf(named), "week-52")
    }))

  it.effect("calls it what its newest version calls itself, until somebody gives it a title", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const slug = fresh("retitled")
      const publish = (body: string, type = "text/markdown", query = "") => put(service, account, slug, { body, headers: { "content-type": type } }, query)
      const index = (title: string) => {
        const parts = form({ name: "file", file: "index.html", type: "text/html", content: `<title>${title}</title>` })
        return api(service, account, `/${slug}/files`, parts)
      }
      const restore = (version: number) => api(service, account, `/${slug}/versions/${version}/restore`, { method: "POST" })
      const titleIs = (title: string) => Effect.map(api(service, account, `/${slug}`), ({ json }) => assert.strictEqual(json.title, title))
      const empty = form({ name: "slug", value: slug })
      yield* api(service, account, "", empty)
      yield* titleIs(slug)
      yield* publish("# First")
      yield* titleIs("First")
      yield* publish("# Second")
      yield* titleIs("Second")
      assert.strictEqual((yield* restore(1)).json.title, "First")
      yield* titleIs("First")
      // What says nothing of itself keeps the title that readers know; so does what is restored of it.
      yield* publish("a,b", "text/csv")
      yield* titleIs("First")
      yield* restore(2)
      yield* titleIs("Second")
      yield* restore(4)
      yield* titleIs("First")
      yield* publish("<title>Third</title>", "text/html")
      assert.strictEqual((yield* index("Fourth")).json.title, "Fourth")
      yield* api(service, account, `/${slug}/files`, form({ name: "file", file: "a.css", content: "a{}" }))
      yield* titleIs("Fourth")
      yield* restore(7)
      yield* titleIs("Third")
      yield* restore(9)
      yield* titleIs("Fourth")
      const audit = yield* service.ask("/v1/workspace/audit", { headers: account.bearer })
      assert.notInclude(audit.text, "project.renamed")

      yield* api(service, account, `/${slug}`, { method: "PATCH", json: { title: "Ours" } })
      yield* publish("# Fifth")
      yield* publish("<title>Sixth</title>", "text/html")
      yield* index("Seventh")
      yield* restore(1)
      yield* titleIs("Ours")
      yield* publish("# Eighth", "text/markdown", "?title=Theirs")
      yield* publish("# Ninth")
      yield* titleIs("Theirs")

      // As an instance of a release before the flag gives one.
      const unflagged = (title: string) => service.inside(SqlClient.SqlClient.use((sql) => sql`UPDATE projects SET title = ${title}, title_given = false WHERE slug = ${slug}`))
      yield* unflagged("By hand")
      yield* restore(1)
      yield* titleIs("By hand")
      yield* unflagged("By another hand")
      yield* publish("# Ninth")
      yield* publish("# Ninth")
      yield* titleIs("By another hand")

      // Handed back, it is what is served calls itself, from then on too.
      const change = (json: object) => Effect.map(api(service, account, `/${slug}`, { method: "PATCH", json }), ({ json }) => json.title)
      assert.strictEqual(yield* change({ title: null }), "Ninth")
      yield* publish("# Tenth")
      yield* titleIs("Tenth")
      yield* change({ title: "Ours" })
      yield* publish("c,d", "text/csv")
      assert.strictEqual(yield* change({ comments_enabled: false }), "Ours")
      assert.strictEqual(yield* change({ title: null }), "Tenth")
      // Where nothing ever said anything, the slug stands in, and goes with the address.
      const [bare, moved, further] = [fresh("retitled"), fresh("retitled"), fresh("retitled")]
      const at = (slug: string, json: object) => Effect.map(api(service, account, `/${slug}`, { method: "PATCH", json }), ({ json }) => [json.slug, json.title])
      yield* put(service, account, bare, { body: "c,d", headers: { "content-type": "text/csv" } }, "?title=Ours")
      assert.deepStrictEqual(yield* at(bare, { title: null }), [bare, bare])
      yield* at(bare, { title: "Ours" })
      assert.deepStrictEqual(yield* at(bare, { title: null, slug: moved }), [moved, moved])
      assert.deepStrictEqual(yield* at(moved, { slug: further }), [further, further])
      const nothing = fresh("retitled")
      yield* api(service, account, "", form({ name: "slug", value: nothing }, { name: "title", value: "Ours" }))
      assert.strictEqual((yield* api(service, account, `/${nothing}`, { method: "PATCH", json: { title: null } })).json.title, nothing)
    }))

  it.effect("serves a text in the encoding that all of it is in, and lets a page that is no UTF-8 name its own", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const latin = (text: string) => Buffer.from(text, "latin1")
      const late = latin(`${"plain;words\n".repeat(20_000)}Stra\xdfe;M\xfcller\n`)
      const html = latin(`<!doctype html><style>${"/* */".repeat(2_000)}</style><meta charset="windows-1252"><h1>M\xfcller</h1>`)
      const typed = Effect.fnUntraced(function*(slug: string, path: string) {
        return (yield* page(service, slug, path)).headers["content-type"]
      })
      const lone: ReadonlyArray<readonly [headers: Record<string, string>, body: Buffer, path: string, served: string]> = [
        [{ "content-type": "text/csv" }, late, "/data.csv", "text/csv; charset=windows-1252"],
        [{ "content-type": "text/plain" }, late, "/text.txt", "text/plain; charset=windows-1252"],
        [{ "content-type": "text/markdown" }, late, "/document.md", "text/markdown; charset=windows-1252"],
        [{ "content-type": "text/csv" }, Buffer.from(late.toString("latin1")), "/data.csv", "text/csv; charset=utf-8"],
        [{ "content-type": "text/html" }, html, "/", "text/html"],
        [{ "content-type": "application/octet-stream", "x-filename": "umsatz.csv" }, latin("Stra\xdfe;Umsatz\nM\xfcller;19,90\n"), "/umsatz.csv", "text/csv; charset=windows-1252"]
      ]
      for (const [headers, body, path, served] of lone) {
        const slug = fresh("letters")
        const published = yield* put(service, account, slug, { body, headers })
        assert.strictEqual(published.status, 201, published.text)
        assert.strictEqual(yield* typed(slug, path), served)
      }

      const site = fresh("letters")
      const body = yield* Effect.promise(() => zipOf({ "index.html": html, "utf8.html": "<h1>Müller</h1>", "notes.txt": late, "old.css": latin("/* \xfc */") }))
      assert.strictEqual((yield* put(service, account, site, { body, headers: { "content-type": "application/zip" } })).status, 201)
      const added = yield* service.ask(`/v1/projects/${site}/files`, {
        ...form({ name: "file", file: "added.html", type: "text/html", content: html }),
        headers: { ...form().headers, ...account.bearer }
      })
      assert.strictEqual(added.status, 200, added.text)
      const types = ["text/html", "text/html; charset=utf-8", "text/plain; charset=windows-1252", "text/css", "text/html"]
      for (const [at, path] of ["/", "/utf8.html", "/notes.txt", "/old.css", "/added.html"].entries()) assert.strictEqual(yield* typed(site, path), types[at], path)

      const illustrated = yield* service.ask("/v1/projects", {
        ...form(
          { name: "file", file: "report.md", type: "text/markdown", content: latin("# Z\xfcrich\n\n![](a.png)\n") },
          { name: "file", file: "a.png", type: "image/png", content: PIXEL }
        ),
        headers: { ...form().headers, ...account.bearer }
      })
      assert.strictEqual(illustrated.status, 201, illustrated.text)
      assert.include((yield* page(service, illustrated.json.slug)).text, "Zürich")
    }))

  it.effect("adds versions, keeps settings, and serves the newest from the next request on", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const slug = fresh("again")
      const first = yield* put(service, account, slug, { body: "one" }, "?visibility=public&title=Quarter%20three&expires_in_days=9")
      assert.strictEqual(first.status, 201)
      const tag = (yield* page(service, slug)).headers.etag!
      const second = yield* put(service, account, slug, { body: "two" })
      assert.strictEqual(second.status, 200)
      assert.strictEqual(second.json.version, 2)
      const opened = yield* page(service, slug, "/", { "if-none-match": tag })
      assert.strictEqual(opened.status, 200)
      assert.strictEqual(opened.text, "two")

      const detail = yield* api(service, account, `/${slug}`)
      assert.strictEqual(detail.json.title, "Quarter three")
      assert.isString(detail.json.expires_at)
      assert.deepStrictEqual(detail.json.versions.map((version: { version: number; current: boolean }) => [version.version, version.current]), [[2, true], [1, false]])

      const restored = yield* api(service, account, `/${slug}/versions/1/restore`, { method: "POST" })
      assert.strictEqual(restored.json.version, 3)
      assert.strictEqual((yield* page(service, slug)).text, "one")
      assert.strictEqual((yield* api(service, account, `/${slug}/versions/9/restore`, { method: "POST" })).status, 404)

      const zip = yield* api(service, account, `/${slug}/versions/2/download`)
      assert.strictEqual(zip.headers["content-type"], "application/zip")
      assert.strictEqual(zip.headers["content-disposition"], `attachment; filename="${slug}-v2.zip"`)
      assert.strictEqual(zip.bytes.subarray(0, 2).toString(), "PK")
      assert.isTrue(zip.bytes.includes("index.html"))
    }))

  it.effect("publishes a zipped site whole, with directories, page names and its own 404", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const slug = fresh("site")
      const body = yield* Effect.promise(() =>
        zipOf({
          "build/index.html": "home", "build/docs/index.html": "docs", "build/about.html": "about",
          "build/css/site.css": "body{}", "build/404.html": "lost", "build/.DS_Store": "x"
        }))
      const published = yield* put(service, account, slug, { body, headers: { "content-type": "application/zip" } })
      assert.strictEqual(published.status, 201, published.text)
      assert.strictEqual(published.json.kind, "site")
      const answers: ReadonlyArray<readonly [path: string, status: number, text: string | undefined]> = [
        ["/", 200, "home"], ["/docs/", 200, "docs"], ["/about", 200, "about"], ["/about.html", 200, "about"],
        ["/css/site.css", 200, "body{}"], ["/nothing", 404, "lost"], ["/%2e%2e/x", 404, undefined], ["/docs%2findex.html", 404, undefined]
      ]
      for (const [path, status, text] of answers) {
        const opened = yield* page(service, slug, path)
        assert.strictEqual(opened.status, status, path)
        if (text !== undefined) assert.strictEqual(opened.text, text, path)
      }
      const moved = yield* page(service, slug, "/docs?a=1")
      assert.isTrue(moved.status === 301 || moved.status === 308)
      assert.strictEqual(moved.headers.location, "/docs/?a=1")

      const added = yield* service.ask(`/v1/projects/${slug}/files`, {
        ...form({ name: "file", file: "new/page.html", type: "text/html", content: "new" }, { name: "delete", value: "about.html" }),
        headers: { ...form().headers, ...account.bearer }
      })
      assert.strictEqual(added.status, 200, added.text)
      assert.strictEqual(added.json.version, 2)
      assert.strictEqual((yield* page(service, slug, "/new/page")).text, "new")
      assert.strictEqual((yield* page(service, slug, "/about")).status, 404)
      assert.strictEqual((yield* page(service, slug, "/css/site.css")).text, "body{}")
    }))

  it.effect("refuses hostile zips whole and stores nothing of them", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const slug = fresh("hostile")
      const body = yield* Effect.promise(() => zipOf({ "nothing.html": "no index" }))
      const refused = yield* put(service, account, slug, { body, headers: { "content-type": "application/zip" } })
      assert.strictEqual(refused.status, 422)
      assert.strictEqual(refused.json.error.field, "file")
      assert.match(refused.json.error.message, /Rename nothing\.html to index\.html, if that is it\.$/)
      const broken = yield* put(service, account, slug, { body: "PK not a zip", headers: { "content-type": "application/zip" } })
      assert.strictEqual(broken.status, 422)
      assert.strictEqual((yield* api(service, account, `/${slug}`)).status, 404)
      assert.strictEqual((yield* api(service, account, "")).json.usage.storage_bytes, 0)
    }))

  it.effect("takes a multipart form: many files, settings, a made-up slug; and an empty project without files", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const create = (...parts: ReadonlyArray<FormPart>) => {
        const question = form(...parts)
        return service.ask("/v1/projects", { ...question, headers: { ...question.headers, ...account.bearer } })
      }
      const made = yield* create(
        { name: "file", file: "index.html", type: "text/html", content: "<title>The &amp; title</title>" },
        { name: "file", file: "js/app.js", type: "text/javascript", content: "1" },
        { name: "visibility", value: "password" },
        { name: "comments_enabled", value: "true" }
      )
      assert.strictEqual(made.status, 201, made.text)
      assert.strictEqual(made.json.kind, "site")
      assert.strictEqual(made.json.title, "The & title")
      assert.strictEqual(made.json.comments_enabled, true)
      assert.strictEqual(made.json.file_count, 2)
      // Nothing in it gives a title: a library of made-up words would tell nobody what is where.
      const prices = (yield* create({ name: "file", file: "acme-prices.csv", type: "text/csv", content: "a,b\n1,2" })).json
      assert.deepInclude(prices, { kind: "data", title: "acme-prices" })
      const renamed = yield* put(service, account, prices.slug, { body: "a,b\n1,3", headers: { "content-type": "text/csv", "x-filename": "acme-prices-2.csv" } })
      assert.strictEqual(renamed.status, 200, renamed.text)
      assert.strictEqual((yield* api(service, account, `/${prices.slug}`)).json.title, "acme-prices-2")
      assert.match(made.json.password, /^[a-z]+(-[a-z]+)+$/)
      const coded = yield* create({ name: "file", file: "index.html", type: "text/html", content: "for some" }, { name: "password", value: "open sesame" })
      assert.deepInclude(coded.json, { visibility: "password", password: "open sesame" })
      assert.strictEqual((yield* page(service, coded.json.slug)).status, 401)

      const empty = yield* create({ name: "slug", value: fresh("empty") })
      assert.strictEqual(empty.status, 201)
      assert.strictEqual(empty.json.version, 0)
      assert.isNull(empty.json.kind)
      assert.strictEqual((yield* page(service, empty.json.slug)).status, 404)

      const illustrated = yield* create(
        { name: "file", file: "brief.md", type: "text/markdown", content: "# Brief\n![x](x.png)" },
        { name: "file", file: "x.png", type: "image/png", content: PIXEL }
      )
      assert.strictEqual(illustrated.json.kind, "markdown")
      assert.strictEqual(illustrated.json.title, "Brief")
      const two = yield* create({ name: "file", file: "one.md", content: "[two](two.md)" }, { name: "file", file: "two.md", content: "two" })
      assert.match(two.json.error.message, /no index\.html, its first page\. Add one that links to the rest\. A single Markdown file/)

      const filmed = yield* create(
        { name: "file", file: "talk.mp4", type: "video/mp4", content: MP4 },
        { name: "file", file: "talk.en.vtt", type: "text/vtt", content: "WEBVTT\n\n00:00.000 --> 00:01.000\nHello" }
      )
      assert.strictEqual(filmed.json.kind, "video")
      const watched = yield* page(service, filmed.json.slug)
      assert.include(watched.text, `<track kind="captions" src="/_svc/raw/talk.en.vtt" label="English" srclang="en">`)
      assert.match(String((yield* page(service, filmed.json.slug, "/_svc/raw/talk.en.vtt")).headers["content-type"]), /^text\/vtt/)

      const faulty = yield* create({ name: "visibility", value: "secret" }, { name: "expires_in_days", value: "0" }, { name: "slug", value: "No" })
      assert.strictEqual(faulty.status, 422)
      assert.sameMembers(faulty.json.error.details.errors.map((fault: { field: string }) => fault.field), ["visibility", "expires_in_days", "slug"])
      const climbing = yield* create({ name: "file", file: "../x.html", type: "text/html", content: "x" }, { name: "file", file: "index.html", content: "x" })
      assert.strictEqual(climbing.status, 422)
      const json = yield* service.ask("/v1/projects", { json: {}, headers: account.bearer })
      assert.strictEqual(json.status, 422)
      assert.strictEqual(json.json.error.field, "Content-Type")
      const broken = yield* service.ask("/v1/projects", {
        method: "POST", body: form({ name: "file", file: "index.html", content: "cut" }).body.subarray(0, 120), headers: { ...form().headers, ...account.bearer }
      })
      assert.strictEqual(broken.status, 422)
      // Of two boundaries, that of its parts would be ignored, and all of them with it.
      const torn = yield* service.ask("/v1/projects", {
        method: "POST", body: "--one\r\nContent-Disposition: form-data; name=\"visibility\"\r\n\r\nprivate\r\n--one--\r\n--two--\r\n",
        headers: { "content-type": "multipart/form-data; boundary=one; boundary=two", ...account.bearer }
      })
      assert.deepStrictEqual([torn.status, torn.json.error.field], [422, "Content-Type"])
      const wide = "x".repeat(6_000)
      const nearly = yield* service.ask("/v1/projects", {
        method: "POST", body: `--${wide}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${`\r\n--${wide.slice(1)}`.repeat(100)}`,
        headers: { "content-type": `multipart/form-data; boundary=${wide}`, ...account.bearer }
      })
      assert.deepStrictEqual([nearly.status, nearly.json.error.details.errors], [422, [{ field: "Content-Type", message: "Send a boundary of at most 70 characters." }]])
    }))

  it.effect("loses no part of a form that has no name, and stores no file that is coded and no field that is not UTF-8", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const part = (head: string, content: string) => Buffer.from(`--b\r\n${head}\r\n\r\n${content}\r\n`, "latin1")
      const FILE = part("Content-Disposition: form-data; name=\"file\"; filename=\"a.html\"\r\nContent-Type: text/html", "x")
      const field = (name: string, content: string, type = "") => part(`Content-Disposition: form-data; name="${name}"${type}`, content)
      const send = (...parts: ReadonlyArray<Buffer>) =>
        api(service, account, "", { method: "POST", body: Buffer.concat([...parts, Buffer.from("--b--\r\n")]), headers: { "content-type": "multipart/form-data; boundary=b" } })
      for (const head of ["Content-Type: text/html", "Content-Disposition: form-data; name=\"\""]) {
        const refused = yield* send(FILE, part(head, "y"))
        assert.deepStrictEqual([refused.status, refused.json.error.details.errors], [422, [{ field: "body", message: "A part of the form has no name." }]], head)
      }
      // What mail libraries make of a file would be published as they wrote it.
      const as = (coding: string) => part(`Content-Disposition: form-data; name="file"; filename="b.txt"\r\nContent-Transfer-Encoding: ${coding}`, "aGk=")
      for (const sent of [[FILE, as("base64")], [as("Quoted-Printable")]]) {
        const refused = yield* send(...sent)
        assert.deepStrictEqual([refused.status, refused.json.error.field], [422, "Content-Transfer-Encoding"])
      }
      const plain = yield* send(as("binary"))
      assert.deepInclude(plain.json, { size_bytes: 4 })
      yield* api(service, account, `/${plain.json.slug}`, { method: "DELETE" })
      const torn = yield* send(FILE, field("title", "M\xfcller"), field("password", "gr\xfc\xdfe-dich"))
      assert.deepStrictEqual([torn.status, torn.json.error.details.errors], [422, ["title", "password"].map((name) => ({ field: name, message: "Send the form in UTF-8." }))])
      assert.deepStrictEqual((yield* api(service, account, "")).json.projects, [])
      const latin = "\r\nContent-Type: text/plain; charset=iso-8859-1"
      assert.strictEqual((yield* send(FILE, field("title", "M\xfcller", latin))).json.title, "Müller")
      assert.strictEqual((yield* send(FILE, field("title", Buffer.from("Müller").toString("latin1")), field("note", "\xfc"))).json.title, "Müller")
    }))

  it.effect("takes settings in the query and in the form alike at every door that publishes, and lets none be misspelt", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const stranger = yield* service.account()
      const folder = (yield* service.ask("/v1/folders", { json: { name: "Board", sharing: "private" }, headers: account.bearer })).json.id as string
      const site = fresh("doors")
      yield* put(service, account, site)
      const INDEX = { name: "file", file: "index.html", type: "text/html", content: "x" }
      const fieldsOf = (text: string) => [...new URLSearchParams(text)].map(([name, value]) => ({ name, value }))
      const PUT = (query: string) => put(service, account, fresh("door"), {}, query)
      const CREATE = (query: string, fields = "") => api(service, account, query, form(INDEX, ...fieldsOf(fields)))
      const EMPTY = (query: string, fields = "") => api(service, account, query, form(...fieldsOf(fields)))
      const FILES = (query: string, fields = "") => api(service, account, `/${site}/files${query}`, form(INDEX, ...fieldsOf(fields)))
      const AGAIN = (query: string) => put(service, account, site, {}, query)
      type Door = (query: string, fields?: string) => ReturnType<typeof PUT>

      const refused: ReadonlyArray<readonly [Door, query: string, fields: string, field: string, message: string, status?: number]> = [
        ...[PUT, CREATE, EMPTY, FILES].flatMap((door) => [
          [door, "?visibility=nonsense", "", "visibility", "Send public, password or private."],
          [door, "?visiblity=private", "", "visiblity", "Did you mean visibility?"],
          [door, "?Visibility=private", "", "Visibility", "Did you mean visibility?"],
          [door, "?visibility[]=private", "", "visibility[]", "Did you mean visibility?"],
          [door, "?title=x&amp;visibility=private", "", "amp;visibility", "Did you mean visibility?"],
          [door, "?project[visibility]=private", "", "project[visibility]", "Did you mean visibility?"],
          [door, "?settings.visibility=private", "", "settings.visibility", "Did you mean visibility?"],
          [door, "?visibility%3Dprivate%26title%3DA%20title%20of%20more%20than%20sixty%20signs%20in%20all", "", "visibility=private&title=A title of more than sixty signs in all", "Did you mean visibility?"],
          [door, "?folderId=x", "", "folderId", "Did you mean folder_id?"],
          [door, "?folder=x", "", "folder", "Did you mean folder_id?"],
          [door, "?password=opensesame", "", "password", "A doorcode does not go into an address."],
          [door, "?passwrod=opensesame", "", "passwrod", "A doorcode does not go into an address."],
          [door, "?doorcode=opensesame", "", "doorcode", "A doorcode does not go into an address."],
          [door, "?expires_in=3", "", "expires_in", "Did you mean expires_in_days?"],
          [door, "?expires_in_days=x", "", "expires_in_days", "Between 1 and 3650 days."],
          [door, "?expires_in_days=1.5", "", "expires_in_days", "Send a whole number."],
          [door, "?expires_in_days=1&expires_at=2999-01-01T00:00:00Z", "", "expires_at", "Choose one: expires_in_days or expires_at."],
          [door, `?workspace=${stranger.workspaceId}`, "", "workspace", "There is no such workspace.", 404],
          [door, `?folder_id=${stranger.workspaceId}`, "", "folder_id", "There is no such folder in this workspace.", 404]
        ] as const),
        ...[CREATE, EMPTY, FILES].flatMap((door) => [
          [door, "?visibility=private", "visibility=password", "visibility", "The address and the body differ here. Send this once."],
          [door, "", "visibility=nonsense", "visibility", "Send public, password or private."],
          [door, "", "visibilty=private", "visibilty", "Did you mean visibility?"],
          [door, "", "project[visibility]=private", "project[visibility]", "Did you mean visibility?"],
          [door, "", "Comments-Enabled=true", "Comments-Enabled", "Did you mean comments_enabled?"],
          [door, "", "doorcode=opensesame", "doorcode", "Did you mean password?"],
          [door, "?expires_in_days=1", "expires_at=2999-01-01T00:00:00Z", "expires_at", "Choose one: expires_in_days or expires_at."]
        ] as const),
        ...[CREATE, EMPTY].flatMap((door) => [
          [door, "?base_version=1", "", "base_version", "A new project is based on no version."],
          [door, "", "base_verson=1", "base_verson", "A new project is based on no version."]
        ] as const),
        ...[PUT, FILES].flatMap((door) => [
          [door, "?base_version=0", "", "base_version", "The number of a version."],
          [door, "?base_verson=1", "", "base_verson", "Did you mean base_version?"]
        ] as const),
        [FILES, "?base_version=1", "base_version=2", "base_version", "The address and the body differ here."],
        [FILES, "", "slug=another", "slug", "The address and the body differ here."]
      ]
      for (const [door, query, fields, field, message, status = 422] of refused) {
        const { json: { error }, ...answer } = yield* door(query, fields)
        assert.deepStrictEqual([answer.status, error?.field], [status, field], `${query} ${fields}`)
        assert.include(error.message, message)
      }
      const untouched = (yield* api(service, account, "")).json.projects
      assert.deepStrictEqual(untouched.map(({ slug, version, visibility }: any) => [slug, version, visibility]), [[site, 1, "public"]])

      const END = "2999-01-01T00:00:00.000Z"
      const accepted: ReadonlyArray<readonly [Door, query: string, fields: string, shown: object]> = [
        ...[PUT, CREATE, EMPTY, FILES, AGAIN].flatMap((door) => [
          [door, "?visibility=private&utm_source=mail&files=1", "", { visibility: "private" }],
          [door, `?title=T&folder_id=${folder}&workspace=${account.workspaceId}`, "", { title: "T", folder_id: folder, workspace_id: account.workspaceId }],
          [door, "?comments_enabled=true&comment_access=anyone&comment_allowlist_inherit=false", "", { comments_enabled: true, comment_access: "anyone", comment_allowlist_inherit: false }],
          [door, `?html_display_mode=raw&indexable=true&expires_at=${END}`, "", { html_display_mode: "raw", indexable: true, expires_at: END }]
        ] as const),
        ...[CREATE, EMPTY, FILES].flatMap((door) => [
          [door, `?visibility=public&expires_at=${END}`, `visibility=public&expires_at=2999-01-01T01:00:00%2B01:00&version=7&password2=opensesame&tile=oak`, { visibility: "public", expires_at: END }],
          [door, "?visibility=private", "title=U&comment_access=members", { visibility: "private", title: "U", comment_access: "members" }],
          [door, "", `visibility=password&password=opensesame&expires_at=${END}`, { visibility: "password", password: "opensesame", expires_at: END }]
        ] as const),
        [EMPTY, "?slug=of-the-query", "", { slug: "of-the-query" }]
      ]
      for (const [door, query, fields, shown] of accepted) {
        const answer = yield* door(query, fields)
        assert.include([200, 201], answer.status, `${query} ${fields} ${answer.text}`)
        assert.deepInclude((yield* api(service, account, `/${answer.json.slug}`)).json, shown, `${query} ${fields}`)
      }
      assert.strictEqual((yield* api(service, account, "?limit=x")).json.error.message, "Between 1 and 100.")
    }))

  it.effect("renames: the old address is gone at once, stays its workspace's, and comes back only to it", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const stranger = yield* service.account()
      const [old, next] = [fresh("old"), fresh("new")]
      yield* put(service, account, old)
      const renamed = yield* api(service, account, `/${old}`, { method: "PATCH", json: { slug: next, title: "Moved" } })
      assert.strictEqual(renamed.json.slug, next)
      assert.strictEqual((yield* page(service, old)).status, 404)
      assert.strictEqual((yield* page(service, next)).status, 200)

      const taken = yield* put(service, stranger, old)
      assert.strictEqual(taken.status, 409)
      assert.strictEqual(taken.json.error.code, "slug_taken")
      assert.strictEqual(taken.json.error.field, "slug")
      assert.deepStrictEqual((yield* api(service, stranger, `/${old}/available`)).json, { slug: old, available: false, reason: "slug_taken" })
      assert.deepStrictEqual((yield* api(service, account, `/${old}/available`)).json, { slug: old, available: true, reason: null })
      assert.strictEqual((yield* put(service, account, old)).status, 201)
      // Another project's pages may still be in the browser's cache under this address.
      assert.match(String((yield* page(service, old)).headers["clear-site-data"]), /"cache"/)

      // In two workspaces, what is asked is where a publish without a workspace would go.
      const freed = fresh("freed")
      yield* put(service, stranger, freed)
      yield* api(service, stranger, `/${freed}`, { method: "DELETE" })
      yield* joins(account, stranger, "member")
      const there = `?workspace=${stranger.workspaceId}`
      for (const [query, reason, status] of [["", "slug_taken", 409], [`?workspace=${account.workspaceId}`, "slug_taken", 409], [there, null, 201]] as const) {
        assert.deepStrictEqual((yield* api(service, account, `/${freed}/available${query}`)).json, { slug: freed, available: reason === null, reason })
        assert.strictEqual((yield* put(service, account, freed, {}, query)).status, status)
      }
      assert.strictEqual((yield* api(service, stranger, `/${fresh("x")}/available?workspace=${account.workspaceId}`)).status, 404)
    }))

  it.effect("takes a colleague's slug from nobody who does not mean it: an admin's publish is an update, or refused", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const admin = yield* service.account()
      const [creator, other] = [yield* member(admin, "member"), yield* member(admin, "member")]
      const slug = fresh("colleagues")
      const there = `?workspace=${admin.workspaceId}`
      const update = { "if-match": "*" }
      assert.strictEqual((yield* put(service, creator, slug, {}, there)).status, 201)
      for (const query of ["", there]) {
        const refused = yield* put(service, admin, slug, {}, query)
        assert.deepStrictEqual([refused.status, refused.json.error.code, refused.json.error.field], [409, "slug_taken", "slug"])
        assert.include(refused.json.error.message, "If-Match: *")
      }
      assert.notInclude((yield* put(service, other, slug, {}, there)).text, "If-Match")
      // A form always makes a project: who has one there is told so, and nobody else.
      const made = (account: Account) => Effect.map(api(service, account, "", form({ name: "slug", value: slug })), ({ json }) => json.error.message)
      assert.strictEqual(yield* made(creator), "Your project has this address. Publish to it with a plain PUT, or choose another.")
      for (const account of [admin, other, yield* service.account()]) assert.strictEqual(yield* made(account), "This address is taken. Choose another.")
      assert.strictEqual((yield* put(service, other, slug, { headers: update })).status, 403)
      const updated = yield* put(service, admin, slug, { headers: update })
      assert.deepStrictEqual([updated.status, updated.json.version], [200, 2])
      assert.strictEqual((yield* put(service, creator, slug, {}, there)).json.version, 3)
    }))

  it.effect("holds slugs to their syntax, their reserved names, and one namespace for everybody", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      for (const slug of ["ab", "-abc", "abc-", "xn--abc", "Abc", "svc--abc", "a".repeat(64), "a_b"]) {
        const refused = yield* put(service, account, slug)
        assert.strictEqual(refused.status, 422, slug)
        assert.strictEqual(refused.json.error.field, "slug")
        assert.strictEqual((yield* api(service, account, `/${slug}/available`)).json.reason, "validation_error")
      }
      for (const slug of ["www", "admin", "api"]) {
        const refused = yield* put(service, account, slug)
        assert.strictEqual(refused.status, 409, slug)
        assert.strictEqual(refused.json.error.code, "slug_reserved")
      }
      const slug = fresh("mine")
      yield* put(service, account, slug)
      const stranger = yield* service.account()
      assert.strictEqual((yield* put(service, stranger, slug)).json.error.code, "slug_taken")
      for (const [method, path] of [["GET", ""], ["PATCH", ""], ["DELETE", ""], ["POST", "/versions/1/restore"], ["GET", "/versions/1/download"]] as const) {
        const question = method === "PATCH" ? { method, json: { title: "Mine now" } } : { method }
        const hidden = yield* api(service, stranger, `/${slug}${path}`, question)
        const missing = yield* api(service, stranger, `/${slug}-never${path}`, question)
        assert.strictEqual(hidden.status, 404, `${method} ${path}`)
        assert.strictEqual(hidden.text, missing.text)
      }
    }))

  it.effect("closes at once: doorcode, private, expired, deleted", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const slug = fresh("door")
      const secret = "the secret body"
      yield* put(service, account, slug, { body: secret })
      const set = (json: unknown) => api(service, account, `/${slug}`, { method: "PATCH", json })
      const closed = (status: number) =>
        Effect.gen(function*() {
          for (const [path, headers] of [["/", {}], ["/index.html", { range: "bytes=0-3" }], ["/_svc/raw/index.html", {}], ["/", { "if-none-match": "*" }]] as const) {
            const answer = yield* page(service, slug, path, headers)
            assert.strictEqual(answer.status, path.startsWith("/_svc/raw") ? answer.status : status)
            assert.isFalse(answer.text.includes(secret))
            assert.strictEqual(answer.headers["cache-control"], "private, no-store")
          }
          const json = yield* page(service, slug, "/", { accept: "application/json" })
          assert.isString(json.json.error.code)
        })

      const guarded = yield* set({ visibility: "password" })
      assert.isString(guarded.json.password)
      yield* closed(401)
      assert.strictEqual((yield* set({ password: "another one" })).json.password, "another one")
      yield* set({ visibility: "private" })
      yield* closed(403)
      assert.strictEqual((yield* set({ password: "a third one" })).json.visibility, "private")
      yield* set({ visibility: "public" })
      assert.strictEqual((yield* set({ password: "another one" })).json.visibility, "password")
      yield* closed(401)
      // What was accepted before more was asked of it may be sent as it is answered.
      const earlier = { password: "sesame\u200b", title: "\u0958".repeat(200) }
      yield* service.inside(SqlClient.SqlClient.use((sql) => sql`UPDATE projects SET password = ${earlier.password}, title = ${earlier.title} WHERE slug = ${slug}`))
      const { json: answered } = yield* api(service, account, `/${slug}`)
      const repeated = yield* set(answered)
      assert.deepStrictEqual([repeated.status, repeated.json.password, repeated.json.title], [200, earlier.password, earlier.title])
      for (const password of ["\u200bsesame", "short", "a\0bcdef", "x".repeat(129)]) {
        const refused = yield* set({ password })
        assert.deepStrictEqual([refused.status, refused.json.error.code, refused.json.error.field], [422, "validation_error", "password"], password)
      }
      yield* set({ visibility: "public", expires_at: new Date(Date.now() - 1000).toISOString() })
      yield* closed(410)
      yield* set({ expires_at: null })
      assert.strictEqual((yield* page(service, slug)).text, secret)
      assert.strictEqual((yield* api(service, account, `/${slug}`, { method: "DELETE" })).status, 200)
      yield* closed(404)
      assert.strictEqual((yield* api(service, account, `/${slug}`)).status, 404)
      const { usage } = (yield* api(service, account, "")).json
      assert.deepStrictEqual([usage.projects, usage.storage_bytes], [0, 0])
    }))

  it.effect("gives five names to an account without a proven address, however many it asks for at once in several workspaces", () =>
    Effect.gen(function*() {
      const service = yield* Service
      for (let round = 0; round < 5; round++) {
        const unverified = yield* service.account({ verified: false })
        const workspaces = [unverified.workspaceId]
        for (let more = 0; more < 4; more++) workspaces.push((yield* service.ask("/v1/workspaces", { json: { name: "Another" }, headers: unverified.bearer })).json.id)
        const answers = yield* Effect.forEach(Array.from({ length: 40 }, (_, at) => workspaces[at % 5]!), (workspace) =>
          api(service, unverified, `?workspace=${workspace}`, form({ name: "slug", value: fresh("hoard") })), { concurrency: "unbounded" })
        assert.deepStrictEqual(Object.fromEntries(Map.groupBy(answers, ({ status }) => status).entries().map(([status, all]) => [status, all.length])), { 201: 5, 403: 35 })
      }
    }))

  it.effect("asks for a verified address, a plan in good standing, and room", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const unverified = yield* service.account({ verified: false })
      const refused = yield* put(service, unverified, fresh("early"))
      assert.strictEqual(refused.status, 403)
      assert.strictEqual(refused.json.error.code, "email_not_verified")
      const question = form({ name: "slug", value: fresh("early") })
      const empty = yield* service.ask("/v1/projects", { ...question, headers: { ...question.headers, ...unverified.bearer } })
      assert.strictEqual(empty.status, 201)
      // A few names, in all workspaces together; what they leave is free at once.
      const names = Array.from({ length: 5 }, () => fresh("early"))
      const make = (slug: string) => Effect.map(api(service, unverified, "", form({ name: "slug", value: slug })), ({ json, status }) => `${status} ${json.error?.code ?? json.slug}`)
      for (const slug of names.slice(0, 4)) assert.strictEqual(yield* make(slug), `201 ${slug}`)
      assert.strictEqual(yield* make(names[4]!), "403 email_not_verified")
      const another = yield* service.ask("/v1/workspaces", { json: { name: "Another" }, headers: unverified.bearer })
      assert.strictEqual(another.status, 201)
      const there = yield* api(service, unverified, `?workspace=${another.json.id}`, form({ name: "slug", value: names[4]! }))
      assert.deepStrictEqual([there.status, there.json.error.code], [403, "email_not_verified"])
      assert.strictEqual((yield* api(service, unverified, `/${names[0]}`, { method: "PATCH", json: { slug: names[4] } })).status, 200)
      assert.strictEqual((yield* api(service, unverified, `/${names[1]}`, { method: "DELETE" })).status, 200)
      const anybody = yield* service.account()
      for (const slug of names.slice(0, 2)) assert.isTrue((yield* api(service, anybody, `/${slug}/available`)).json.available, slug)
      for (const slug of names.slice(2)) assert.isFalse((yield* api(service, anybody, `/${slug}/available`)).json.available, slug)

      const starter = yield* service.account({ plan: "starter" })
      for (let index = 0; index < 5; index++) assert.strictEqual((yield* put(service, starter, fresh("cap"))).status, 201)
      const full = yield* put(service, starter, fresh("cap"))
      assert.strictEqual(full.status, 402)
      assert.deepStrictEqual([full.json.error.code, full.json.error.field], ["quota_exceeded", "projects"])
      // No plan is sold here, so none is spoken of.
      assert.deepStrictEqual([full.json.error.message, full.json.error.details], ["The plan holds 5 projects. Delete one.", { limit: 5 }])

      const small = yield* service.account({ plan: "starter" })
      const big = yield* put(service, small, fresh("big"), { body: Buffer.alloc(25 * 1024 * 1024 + 1), headers: { "content-type": "text/plain" } })
      assert.strictEqual(big.status, 413)
      assert.strictEqual(big.json.error.code, "upload_too_large")
      const sql = yield* service.inside(SqlClient.SqlClient)
      yield* Effect.orDie(sql`UPDATE workspaces SET storage_bytes = ${2 ** 30 - 10} WHERE id = ${small.workspaceId}`)
      const packs = () => readdirSync(join(service.dataDir, "blobs/packs"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
      const stored = packs()
      const stuffed = yield* put(service, small, fresh("big"), { body: "eleven more" })
      assert.strictEqual(packs(), stored)
      assert.deepStrictEqual([stuffed.status, stuffed.json.error.code, stuffed.json.error.field], [402, "quota_exceeded", "storage"])
      assert.strictEqual((yield* put(service, small, fresh("big"), { body: "ten bytes!" })).status, 201)
    }))

  it.effect("prunes by plan, and stores identical bytes once", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const starter = yield* service.account({ plan: "starter" })
      const slug = fresh("prune")
      for (const body of ["1", "22", "333", "4444", "55555"]) yield* put(service, starter, slug, { body })
      const detail = yield* api(service, starter, `/${slug}`)
      assert.deepStrictEqual(detail.json.versions.map((version: { version: number }) => version.version), [5, 4, 3])
      assert.strictEqual((yield* api(service, starter, "")).json.usage.storage_bytes, 12)
      yield* put(service, starter, fresh("prune"), { body: "55555" })
      assert.strictEqual((yield* api(service, starter, "")).json.usage.storage_bytes, 12)
      // Bytes that no version names any more, used again before they are collected.
      yield* put(service, starter, slug, { body: "1" })
      assert.strictEqual((yield* api(service, starter, "")).json.usage.storage_bytes, 1 + 4 + 5)
    }))

  it.effect("a version whose bytes cannot be had is refused before its download begins", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const slug = fresh("no-bytes")
      yield* put(service, account, slug, { body: "bytes that are to go" })
      const sql = yield* service.inside(SqlClient.SqlClient)
      const named = yield* Effect.orDie(sql<{ id: string }>`
        SELECT vp.pack_id AS id FROM version_packs vp JOIN versions v ON v.id = vp.version_id JOIN projects p ON p.id = v.project_id WHERE p.slug = ${slug}`)
      yield* service.inside(Effect.orDie(Packs.use((packs) => packs.remove(named[0]!.id))))
      const refused = yield* api(service, account, `/${slug}/versions/1/download`)
      assert.deepStrictEqual([refused.status, refused.json.error.code], [503, "unavailable"])
    }))

  it.effect("after a downgrade a publish replaces one old version: the surplus over the new number neither shrinks nor grows", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account({ plan: "studio" })
      const slug = fresh("downgraded")
      for (const body of ["1", "2", "3", "4", "5"]) yield* put(service, account, slug, { body })
      const sql = yield* service.inside(SqlClient.SqlClient)
      yield* Effect.orDie(sql`UPDATE workspaces SET plan = 'starter' WHERE id = ${account.workspaceId}`)
      const kept = Effect.map(api(service, account, `/${slug}`), ({ json }) => json.versions.map((version: { version: number }) => version.version))
      for (const left of [[6, 5, 4, 3, 2], [7, 6, 5, 4, 3]]) {
        assert.strictEqual((yield* put(service, account, slug, { body: `${left[0]}` })).status, 200)
        assert.deepStrictEqual(yield* kept, left)
      }
      assert.strictEqual((yield* api(service, account, "")).json.usage.storage_bytes, 5)
    }))

  it.effect("lists by pages, newest first, and finds by title and slug", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const stem = fresh("list")
      for (let index = 0; index < 5; index++) yield* put(service, account, `${stem}-${index}`, {}, `?title=Title%20${index}%25`)
      const seen: Array<string> = []
      let cursor: string | null = ""
      while (cursor !== null) {
        const listed: { json: { projects: ReadonlyArray<{ slug: string }>; next_cursor: string | null } } = yield* api(
          service, account, `?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`
        )
        seen.push(...listed.json.projects.map((project) => project.slug))
        cursor = listed.json.next_cursor
      }
      assert.deepStrictEqual(seen, [4, 3, 2, 1, 0].map((index) => `${stem}-${index}`))
      assert.strictEqual((yield* api(service, account, "?query=3%25")).json.projects.length, 1)
      assert.strictEqual((yield* api(service, account, "?query=_")).json.projects.length, 0)
      const apart = "Pre\u0301cis"
      yield* put(service, account, `${stem}-apart`, { body: `<title>${apart}</title>` })
      for (const query of [apart, "précis", "precis", "PRÈCIS"]) {
        const found = yield* api(service, account, `?query=${encodeURIComponent(query)}`)
        assert.deepStrictEqual(found.json.projects.map(({ title }: { readonly title: string }) => title), ["Précis"], query)
      }
      assert.strictEqual((yield* api(service, account, "?workspace=01a1fcc4-0000-7000-8000-000000000000")).status, 404)
      const faulty = yield* api(service, account, "?limit=0&cursor=x")
      assert.strictEqual(faulty.status, 422)
      assert.sameMembers(faulty.json.error.details.errors.map((fault: { field: string }) => fault.field), ["limit", "cursor"])
    }))

  it.effect("takes forms as large as the plan, JSON files as files, and empty inputs as nothing", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account({ plan: "starter" })
      const send = (path: string, ...parts: ReadonlyArray<FormPart>) => {
        const question = form(...parts)
        return service.ask(`/v1/projects${path}`, { ...question, headers: { ...question.headers, ...account.bearer } })
      }
      const index = { name: "file", file: "index.html", type: "text/html", content: "<p>x</p>" } as const
      const slug = fresh("form")
      const big = { name: "file", file: "big.bin", content: Buffer.alloc(5 * 1024 * 1024, 7) } as const
      const json = { name: "file", file: "data.json", type: "application/json", content: `"${"x".repeat(200_000)}"` } as const
      const made = yield* send("", index, big, json, { name: "file", file: "", content: "" }, { name: "slug", value: slug })
      assert.deepStrictEqual([made.status, made.json.file_count], [201, 3], made.text)
      assert.strictEqual((yield* page(service, slug, "/data.json")).bytes.length, 200_002)
      assert.strictEqual((yield* page(service, slug, "/big.bin")).bytes.length, 5 * 1024 * 1024)
      const more = yield* send(`/${slug}/files`, { ...big, file: "more.bin", content: Buffer.alloc(2 * 1024 * 1024, 8) })
      assert.deepStrictEqual([more.status, more.json.file_count], [200, 4])
      const lone = yield* send("", { name: "file", file: "lone.json", type: "application/json", content: "{}" })
      assert.deepStrictEqual([lone.status, lone.json.kind], [201, "data"])
      const over = yield* send("", index, { ...big, content: Buffer.alloc(26 * 1024 * 1024) })
      assert.deepStrictEqual([over.status, over.json.error.code], [413, "upload_too_large"])
      // A form names its workspace last: what a larger plan let in does not go into a smaller one.
      const larger = yield* service.account({ plan: "agency" })
      yield* joins(account, larger, "member")
      const into = ({ workspaceId }: Account) => send("", index, { ...big, content: Buffer.alloc(25 * 1024 * 1024, 7) }, { name: "workspace", value: workspaceId })
      const [small, large] = [yield* into(account), yield* into(larger)]
      assert.deepStrictEqual([small.status, small.json.error?.code, large.status], [413, "upload_too_large", 201], large.text)
      for (const clash of ["INDEX.html", "index.html/x"]) {
        const refused = yield* send("", index, { name: "file", file: clash, content: "x" })
        assert.deepStrictEqual([refused.status, refused.json.error.field], [422, "file"], clash)
      }
      const twice = yield* send("", index, { name: "visibility", value: "private" }, { name: "visibility", value: "public" })
      assert.deepStrictEqual([twice.status, twice.json.error.field], [422, "visibility"])
      const nameless = yield* send("", { name: "file", type: "text/html", content: "<h1>Lost?</h1>" })
      assert.deepStrictEqual([nameless.status, nameless.json.error.field], [422, "file"])
      const empty = yield* service.ask(`/v1/projects/${fresh("form")}`, { method: "PUT", headers: account.bearer })
      assert.deepStrictEqual([empty.status, empty.json.error.field], [422, "body"])
      const unverified = yield* service.account({ verified: false })
      const early = yield* service.ask("/v1/projects", { ...form(index), headers: { ...form().headers, ...unverified.bearer } })
      assert.deepStrictEqual([early.status, early.json.error.code], [403, "email_not_verified"])
    }))

  it.effect("bytes meant for a project that was renamed or deleted meanwhile become no other, public one", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      for (const away of ["rename", "delete"] as const) {
        const slug = fresh("away")
        yield* put(service, account, slug, {}, "?visibility=private")
        const body = new PassThrough()
        body.write(Buffer.alloc(2 * 1024 * 1024, "first half, "))
        const upload = yield* Effect.forkChild(put(service, account, slug, { body, headers: { "content-type": "text/plain" } }))
        // The upload is under way once its first bytes are in the scratch space.
        yield* Effect.suspend(() => Effect.succeed(scratchFiles(service.dataDir))).pipe(
          Effect.repeat({ until: (count) => count > 0, schedule: Schedule.spaced("10 millis"), times: 24_000 })
        )
        yield* api(service, account, `/${slug}`, away === "rename" ? { method: "PATCH", json: { slug: `${slug}-new` } } : { method: "DELETE" })
        body.end("second half")
        const answer = yield* Fiber.join(upload)
        assert.strictEqual(answer.status, 404, away)
        assert.strictEqual((yield* page(service, slug)).status, 404)
      }
    }))

  it.effect("whoever renames a project again and again keeps the latest of its addresses, not all of them", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [keeper, stranger] = [yield* service.account(), yield* service.account()]
      const names = Array.from({ length: 106 }, () => fresh("cycled"))
      yield* put(service, keeper, names[0]!)
      for (const [at, slug] of names.slice(1).entries()) {
        assert.strictEqual((yield* api(service, keeper, `/${names[at]}`, { method: "PATCH", json: { slug } })).status, 200)
      }
      const reason = (account: Account, slug: string) => Effect.map(api(service, account, `/${slug}/available`), ({ json }) => json.reason as string | null)
      assert.deepStrictEqual([yield* reason(stranger, names[0]!), yield* reason(stranger, names[6]!), yield* reason(stranger, names[104]!)], [null, "slug_taken", "slug_taken"])
      assert.deepStrictEqual([yield* reason(keeper, names[0]!), yield* reason(keeper, names[6]!)], [null, null])
      assert.strictEqual((yield* put(service, stranger, names[0]!)).status, 201)
      // Its new holder's first page clears what readers' browsers hold of the earlier one.
      assert.match(String((yield* page(service, names[0]!)).headers["clear-site-data"]), /"cache"/)
    }))

  it.effect("a freed slug is kept even from whoever asks at the very moment", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [owner, thief] = [yield* service.account(), yield* service.account()]
      for (let round = 0; round < 15; round++) {
        const [slug, own] = [fresh("victim"), fresh("thief")]
        yield* put(service, owner, slug)
        yield* put(service, thief, own)
        const [, ...tries] = yield* Effect.all([
          api(service, owner, `/${slug}`, { method: "DELETE" }),
          ...Array.from({ length: 8 }, () => api(service, thief, `/${own}`, { method: "PATCH", json: { slug } })),
          ...Array.from({ length: 4 }, () => put(service, thief, slug))
        ], { concurrency: "unbounded" })
        assert.isTrue(tries.every((answer) => answer.status === 409), tries.map((answer) => answer.status).join())
      }
    }))

  it.effect("counts bytes that come back from a deleted version against the cap", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account({ plan: "starter" })
      const slug = fresh("revived")
      yield* put(service, account, slug, { body: "a".repeat(5000) })
      yield* api(service, account, `/${slug}`, { method: "DELETE" })
      const sql = yield* service.inside(SqlClient.SqlClient)
      yield* Effect.orDie(sql`UPDATE workspaces SET storage_bytes = ${2 ** 30 - 4999} WHERE id = ${account.workspaceId}`)
      const over = yield* put(service, account, slug, { body: "a".repeat(5000) })
      assert.deepStrictEqual([over.status, over.json.error.field], [402, "storage"])
      assert.strictEqual((yield* page(service, slug)).status, 404)
    }))

  it.effect("over the cap, takes what is no larger than what its plan prunes for it, and nothing that grows", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account({ plan: "starter" })
      const slug = fresh("like-for-like")
      for (const body of ["aaaa", "bbbb", "cccc"]) assert.isBelow((yield* put(service, account, slug, { body })).status, 300)
      const sql = yield* service.inside(SqlClient.SqlClient)
      yield* Effect.orDie(sql`UPDATE workspaces SET storage_bytes = ${2 * 2 ** 30} WHERE id = ${account.workspaceId}`)
      const usage = Effect.map(api(service, account, ""), ({ json }) => json.usage.storage_bytes - 2 * 2 ** 30)
      const refused = (answer: { readonly status: number; readonly json: any }) =>
        assert.deepStrictEqual([answer.status, answer.json.error?.code, answer.json.error?.field], [402, "quota_exceeded", "storage"])

      refused(yield* put(service, account, slug, { body: "ddddd" }))
      assert.deepStrictEqual([yield* usage, (yield* api(service, account, `/${slug}`)).json.version], [0, 3])
      assert.strictEqual((yield* put(service, account, slug, { body: "dddd" })).status, 200)
      assert.strictEqual(yield* usage, 0)
      assert.strictEqual((yield* put(service, account, slug, { body: "e" })).status, 200)
      assert.strictEqual(yield* usage, -3)
      // Bytes that stopped counting count in full when they are used again: "cccc" is pruned for "aaaa", which counts again.
      assert.strictEqual((yield* put(service, account, slug, { body: "aaaa" })).status, 200)
      assert.strictEqual(yield* usage, -3)
      // Nothing of its own project is pruned for this one.
      refused(yield* put(service, account, fresh("like-for-like"), { body: "f" }))
      // However many come at once: "dddd" is pruned for one of them, and "e" is too little for the next.
      const answers = yield* Effect.all(Array.from({ length: 50 }, (_, n) => put(service, account, slug, { body: `g${n}`.padEnd(4, "-") })), { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 49 }, () => 402)])
      assert.strictEqual(yield* usage, -3)
      const { json: { versions } } = yield* api(service, account, `/${slug}`)
      assert.strictEqual(versions.reduce((sum: number, one: { size_bytes: number }) => sum + one.size_bytes, 0), 9)
    }))

  it.effect("takes times as RFC 3339 alone, and a workspace that is the project's own", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const slug = fresh("strict")
      yield* put(service, account, slug)
      for (const expires_at of ["1", "2030", "-000001-01-01T00:00:00Z", "2030-13-01T00:00:00Z", "2030-02-30T00:00:00Z", "2030-12-31T23:59:60Z", "2030-12-31T24:00:00Z", "9999-12-31T23:59:59-12:00", "tomorrow"]) {
        const refused = yield* api(service, account, `/${slug}`, { method: "PATCH", json: { expires_at } })
        assert.deepStrictEqual([refused.status, refused.json.error.field, refused.json.error.message], [422, "expires_at", "An RFC 3339 time, such as 2027-01-31T12:00:00Z."], expires_at)
        assert.isAtMost(refused.json.error.details.errors?.length ?? 0, 1, expires_at)
      }
      const set = yield* api(service, account, `/${slug}`, { method: "PATCH", json: { expires_at: "2030-01-31T12:00:00+02:00" } })
      assert.strictEqual(set.json.expires_at, "2030-01-31T10:00:00.000Z")
      const stranger = yield* service.account()
      assert.strictEqual((yield* put(service, account, slug, {}, `?workspace=${stranger.workspaceId}`)).status, 404)
      assert.strictEqual((yield* put(service, account, slug, {}, `?workspace=${account.workspaceId}`)).status, 200)
    }))

  it.effect("of fifty forms for one free slug one makes a project, and no other goes into it", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const send = (slug: string, ...parts: ReadonlyArray<FormPart>) => api(service, account, "", form({ name: "slug", value: slug }, ...parts))
      const all = <A, E, R>(one: (index: number) => Effect.Effect<A, E, R>) => Effect.forEach(Array.from({ length: 50 }, (_, index) => index), one, { concurrency: "unbounded" })
      const [filled, bare] = [fresh("made-once"), fresh("made-once")]
      const published = yield* all((index) => send(filled, { name: "file", file: "index.html", type: "text/html", content: `<h1>${index}</h1>` }))
      const empty = yield* all((index) => send(bare, { name: "title", value: `Title ${index}` }))
      for (const [slug, answers, version] of [[filled, published, 1], [bare, empty, 0]] as const) {
        const [made, ...more] = answers.filter(({ status }) => status === 201)
        assert.lengthOf(more, 0)
        for (const { json, status } of answers.filter((answer) => answer !== made)) assert.deepStrictEqual([status, json.error.code, json.error.field], [409, "slug_taken", "slug"])
        assert.deepInclude((yield* api(service, account, `/${slug}`)).json, { version, id: made!.json.id, title: made!.json.title })
      }
    }))

  it.effect("a hundred publishes at one free slot, of one slug, and to one project: the cap holds and nothing is torn", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const starter = yield* service.account({ plan: "starter" })
      const stem = fresh("race")
      const slots = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, index) => index),
        (index) => put(service, starter, `${stem}-${index}`, { body: `body ${index}` }),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(slots.filter((answer) => answer.status === 201).length, 5)
      assert.isTrue(slots.every((answer) => answer.status === 201 || answer.json.error.field === "projects"))

      const rivals = yield* Effect.forEach(Array.from({ length: 4 }), () => service.account())
      const slug = fresh("contested")
      const claims = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, index) => index),
        (index) => put(service, rivals[index % 4]!, slug, { body: `from ${index % 4}` }),
        { concurrency: "unbounded" }
      )
      const winners = claims.filter((answer) => answer.status === 201)
      assert.strictEqual(winners.length, 1)
      assert.isTrue(claims.every((answer) => answer.status < 300 || answer.json.error.code === "slug_taken"))
      const versions = claims.filter((answer) => answer.status < 300).map((answer) => answer.json.version as number)
      assert.strictEqual(new Set(versions).size, versions.length)
      assert.strictEqual(Math.max(...versions), versions.length)
      const usage = (yield* api(service, starter, "")).json.usage
      assert.strictEqual(usage.projects, 5)
    }))
})

layer(serviceWith({ SVC_TRIAL: "enforced" }), { excludeTestServices: true })("a lapsed workspace", (it) => {
  it.effect("publishes nothing, serves for thirty days more, then answers 410", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const lapsed = yield* service.account({ trialDays: -1 })
      const refused = yield* put(service, lapsed, fresh("late"))
      assert.strictEqual(refused.status, 402)
      assert.strictEqual(refused.json.error.code, "payment_required")
      const me = yield* service.ask("/v1/me", { headers: lapsed.bearer })
      assert.strictEqual(me.json.workspaces[0].billing_state, "lapsed")
      assert.isString(me.json.workspaces[0].links_down_on)
    }))
})
