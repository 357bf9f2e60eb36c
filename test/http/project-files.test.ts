/** The files of a site with their hashes, page by page, and changes that name the version they are meant for. */
import { createHash } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { MAX_FILES } from "../../src/domain/projects/model.ts"
import { form } from "../support/ask.ts"
import type { FormPart } from "../support/ask.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { zipOf } from "../support/zips.ts"

const PNG = Buffer.from("89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c02", "hex")

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex")

const publish = Effect.fnUntraced(function*(account: Account, slug: string, files: Record<string, string>) {
  const body = yield* Effect.promise(() => zipOf(files))
  const put = yield* (yield* Service).ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...account.bearer, "content-type": "application/zip" } })
  assert.include([200, 201], put.status, put.text)
})

const files = (account: Account, slug: string, query = "") =>
  Service.use((service) => service.ask(`/v1/projects/${slug}/files${query}`, { headers: account.bearer }))

const change = (account: Account, slug: string, base: string, name: string) =>
  Service.use((service) => {
    const sent = form({ name: "base_version", value: base }, { name: "file", file: name, content: name })
    return service.ask(`/v1/projects/${slug}/files`, { ...sent, headers: { ...sent.headers, ...account.bearer } })
  })

const file = (file: string, content: string | Uint8Array): FormPart => ({ name: "file", file, content })
const gone = (value: string): FormPart => ({ name: "delete", value })

/** Sends a form beneath /v1/projects. */
const sending = (account: Account) => (path: string, ...parts: ReadonlyArray<FormPart>) =>
  Service.use((service) => {
    const { body, headers } = form(...parts)
    return service.ask(`/v1/projects${path}`, { method: "POST", body, headers: { ...headers, ...account.bearer } })
  })

layer(serviceWith(), { excludeTestServices: true })("files of a project", (it) => {
  it.effect("that its pages name and that are not there are told by every answer to a publish, and until they are there", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const send = sending(ada)
      const put = (slug: string, type: string, body: string | Uint8Array) => service.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...ada.bearer, "content-type": type } })
      const missing = (slug: string) => Effect.map(service.ask(`/v1/projects/${slug}/missing`, { headers: ada.bearer }), ({ json }) => json)
      const lacks = (...paths: ReadonlyArray<string>) => ({
        count: paths.length, paths,
        message: `It names ${paths.length === 1 ? "a file that is" : `${paths.length} files that are`} not there: ${paths.map((path) => JSON.stringify(path)).join(", ")}.`
      })

      const page = "<title>Q3</title><link rel=stylesheet href=css/site.css><img src=img/a.png>"
      const alone = yield* put("lacking", "text/html", page)
      assert.deepStrictEqual([alone.status, alone.json.missing], [201, lacks("css/site.css", "img/a.png")])
      assert.deepStrictEqual(yield* missing("lacking"), { version: 1, missing: lacks("css/site.css", "img/a.png") })
      // Of a body that is longer than what is kept of its beginning.
      assert.deepStrictEqual((yield* put("lacking-long", "text/html", `${"<p>word".repeat(2_000)}<img src=late.png>`)).json.missing, lacks("late.png"))
      const zipped = yield* put("lacking-zip", "application/zip", yield* Effect.promise(() => zipOf({ "index.html": page, "css/site.css": "a{}", "two/index.html": "<img src=../img/a.png><img src=b.png>" })))
      assert.deepStrictEqual(zipped.json.missing, lacks("img/a.png", "two/b.png"))
      const brief = yield* send("", file("brief.md", "![A chart](chart.png) ![](map.png)"), file("map.png", PNG), { name: "slug", value: "lacking-brief" })
      assert.deepStrictEqual([brief.status, brief.json.missing], [201, lacks("chart.png")])
      assert.deepStrictEqual((yield* send("/lacking-brief/files", file("brief.md", "![](map.png) ![](other.png)"))).json.missing, lacks("other.png"))
      assert.notProperty((yield* send("/lacking-brief/files", file("other.png", PNG))).json, "missing")
      assert.deepStrictEqual(yield* missing("lacking-brief"), { version: 3, missing: null })
      const joined = yield* send("/lacking/files", file("css/site.css", "a{}"), file("more.html", "<img src=css/site.css><a href=index.html>x</a><a href=gone.html>x</a>"))
      assert.deepStrictEqual([joined.status, joined.json.missing], [200, lacks("gone.html")])
      assert.deepStrictEqual(yield* missing("lacking"), { version: 2, missing: lacks("img/a.png", "gone.html") })

      yield* send("", { name: "slug", value: "lacking-all" })
      assert.deepStrictEqual(yield* missing("lacking-all"), { version: 0, missing: null })
      for (const [type, body] of [["text/plain", page], ["text/html", "<p>whole"], ["text/csv", "a,b\n1,2"]] as const) {
        assert.notProperty((yield* put("lacking-none", type, body)).json, "missing", type)
        assert.isNull((yield* missing("lacking-none")).missing, type)
      }
    }))

  it.effect("are listed by path with what their bytes hash to, and a walk stays with the version it began with", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account()
      const site = { "index.html": "<h1>One</h1>", "a/ü.txt": "u", "b.css": "b{}", "Z.txt": "z" }
      yield* publish(ada, "walked", site)
      const all = yield* files(ada, "walked")
      assert.strictEqual(all.json.version, 1)
      assert.isNull(all.json.next_cursor)
      assert.deepStrictEqual(
        all.json.files.map(({ path, sha256, size_bytes }: { path: string; sha256: string; size_bytes: number }) => [path, sha256, size_bytes]),
        ["Z.txt", "a/ü.txt", "b.css", "index.html"].map((path) => [path, hashOf(site[path as keyof typeof site]), site[path as keyof typeof site].length])
      )
      assert.match(all.json.files[3].type, /^text\/html/)

      const first = yield* files(ada, "walked", "?limit=3")
      assert.deepStrictEqual(first.json.files.length, 3)
      yield* publish(ada, "walked", { "index.html": "<h1>Two</h1>", "zz.txt": "new" })
      const second = yield* files(ada, "walked", `?limit=3&cursor=${first.json.next_cursor}`)
      assert.deepStrictEqual([second.json.version, second.json.files, second.json.next_cursor], [1, [all.json.files[3]], null])
      assert.strictEqual((yield* files(ada, "walked")).json.version, 2)
    }))

  it.effect("go by the very name they have, spaces around it too, and by any spelling of it", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      yield* publish(ada, "spaced", { "index.html": "x", "a.txt": "a", "b.txt ": "b", " b/c.txt": "c", "\u00fc.txt": "u" })
      const without = (...names: ReadonlyArray<string>) => {
        const sent = form(...names.map((value) => ({ name: "delete", value })))
        return service.ask("/v1/projects/spaced/files", { ...sent, headers: { ...sent.headers, ...ada.bearer } })
      }
      for (const name of ["b/c.txt", "b.txt"]) {
        const refused = yield* without(name)
        assert.deepStrictEqual([refused.status, refused.json.error.message], [422, `There is no file named ${name}.`])
      }
      assert.strictEqual((yield* without("b.txt ", " b/c.txt", "./u\u0308.txt")).status, 200)
      const left = (yield* files(ada, "spaced")).json.files.map(({ path }: { path: string }) => path)
      assert.deepStrictEqual(left, ["a.txt", "index.html"])
      // A quote within a name, as Go writes it.
      assert.strictEqual((yield* change(ada, "spaced", "2", "so \\\"named\\\".txt")).status, 200)
      assert.include((yield* files(ada, "spaced")).json.files.map(({ path }: { path: string }) => path), "so \"named\".txt")
      // Hebrew and Arabic names hold marks; what turns text around is refused by every door, with the file named as it is.
      yield* publish(ada, "spaced", { "index.html": "x", "דוח\u200f (2).html": "r" })
      assert.strictEqual((yield* change(ada, "spaced", "4", "تقرير\u061c.html")).status, 200)
      const turned = yield* change(ada, "spaced", "5", "x\u202elmth.exe")
      const zipped = yield* service.ask("/v1/projects/spaced", { method: "PUT", body: yield* Effect.promise(() => zipOf({ "index.html": "x", "x\u202elmth.exe": "x" })), headers: { ...ada.bearer, "content-type": "application/zip" } })
      for (const { json: { error }, status } of [turned, zipped]) {
        assert.deepStrictEqual([status, error.field, error.details.entry], [422, "file", "x\\u202elmth.exe"])
        assert.match(error.message, / has a character that turns text around\. Rename it\b/)
      }
    }))

  it.effect("refuse what is no cursor, strangers, and are none where nothing was published", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const eve = yield* service.account()
      yield* publish(ada, "guarded", { "index.html": "x" })
      for (const cursor of ["nonsense", Buffer.from("1").toString("base64url"), Buffer.from("9999999999/x").toString("base64url")]) {
        const answer = yield* files(ada, "guarded", `?cursor=${cursor}`)
        assert.deepStrictEqual([answer.status, answer.json.error.field], [422, "cursor"], cursor)
      }
      assert.strictEqual((yield* files(ada, "guarded", `?cursor=${Buffer.from("7/x").toString("base64url")}`)).status, 404)
      assert.strictEqual((yield* files(ada, "guarded", "?limit=1001")).status, 422)
      assert.strictEqual((yield* files(eve, "guarded")).text, (yield* files(eve, "never-there")).text)
      assert.strictEqual((yield* service.ask("/v1/projects/guarded/files")).status, 401)

      const sent = form({ name: "slug", value: "hollow" })
      yield* service.ask("/v1/projects", { ...sent, headers: { ...sent.headers, ...ada.bearer } })
      assert.deepStrictEqual((yield* files(ada, "hollow")).json, { version: 0, files: [], next_cursor: null })
    }))

  it.effect("change only from the version that is named: of fifty at once one does", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account()
      yield* publish(ada, "raced", { "index.html": "x" })
      const answers = yield* Effect.forEach(Array.from({ length: 50 }, (_, index) => index), (index) => change(ada, "raced", "1", `f${index}.txt`), { concurrency: "unbounded" })
      const [done, refused] = [answers.filter(({ status }) => status === 200), answers.filter(({ status }) => status === 409)]
      assert.deepStrictEqual([done.length, refused.length], [1, 49])
      assert.deepStrictEqual(
        [refused[0]!.json.error.code, refused[0]!.json.error.field, refused[0]!.json.error.details],
        ["conflict", "base_version", { version: 2 }]
      )
      assert.strictEqual((yield* files(ada, "raced")).json.files.length, 2)
      for (const none of ["soon", "0", "-1", "1.5", "1e20"]) assert.deepStrictEqual((yield* change(ada, "raced", none, "x.txt")).json.error.field, "base_version", none)
    }))

  it.effect("change from the version that the address names as well, and go by what it deletes", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      yield* publish(ada, "addressed", { "index.html": "x", "a.css": "a", "b.css": "b" })
      const sent = (query: string, part: FormPart) => {
        const { body, headers } = form(part)
        return service.ask(`/v1/projects/addressed/files?${query}`, { method: "POST", body, headers: { ...headers, ...ada.bearer } })
      }
      const PUT = (slug: string, base: number) => service.ask(`/v1/projects/${slug}?base_version=${base}`, { method: "PUT", body: "<h1>Whole</h1>", headers: { ...ada.bearer, "content-type": "text/html" } })
      const left = Effect.map(files(ada, "addressed"), ({ json }) => json.files.map(({ path }: { path: string }) => path))

      assert.strictEqual((yield* sent("base_version=1&delete=a.css", { name: "slug", value: "addressed" })).status, 200)
      assert.deepStrictEqual(yield* left, ["b.css", "index.html"])
      for (const stale of [yield* sent("base_version=1", { name: "file", file: "b.css", content: "stale" }), yield* PUT("addressed", 1)]) {
        assert.deepStrictEqual([stale.status, stale.json.error.field, stale.json.error.details], [409, "base_version", { version: 2 }])
      }
      // As many parts as it takes to replace all that a project may hold.
      const many = yield* sending(ada)("/addressed/files", ...Array.from({ length: 20_100 }, () => gone("none.css")))
      assert.strictEqual(many.json.error.message, "There is no file named none.css.")
      assert.strictEqual((yield* sent("delete=b.css&delete=index.html", { name: "file", file: "index.html", content: "y" })).status, 200)
      assert.deepStrictEqual([(yield* PUT("addressed", 3)).json.version, (yield* PUT("never-made", 1)).status], [4, 404])
    }))

  it.effect("of a Markdown and its pictures change one by one, as long as it stays one", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const send = sending(ada)
      const change = (...parts: ReadonlyArray<FormPart>) => send("/brief/files", ...parts)
      const left = Effect.map(files(ada, "brief"), ({ json }) => json.files.map(({ path }: { path: string }) => path))
      const drawn = (colour: string) => `<svg xmlns="http://www.w3.org/2000/svg"><rect fill="${colour}"/></svg>`
      const shown = (path = "/") => service.ask(path, { host: "brief.svc.localhost" })

      const made = yield* send("", { name: "slug", value: "brief" }, file("brief.md", "# One\n\n![](a.svg)\n"), file("a.svg", drawn("red")), file("b.svg", drawn("blue")))
      assert.deepStrictEqual([made.status, made.json.kind], [201, "markdown"], made.text)
      const redrawn = yield* change({ name: "base_version", value: "1" }, file("a.svg", drawn("green")))
      assert.deepInclude(redrawn.json, { kind: "markdown", version: 2, title: "One", file_count: 3 }, redrawn.text)
      assert.strictEqual((yield* shown("/a.svg")).text, drawn("green"))
      const rewritten = yield* change(file("brief.md", "# Two\n\n![](a.svg)\n"), gone("b.svg"))
      assert.deepInclude(rewritten.json, { kind: "markdown", version: 3, title: "Two", file_count: 2 }, rewritten.text)
      assert.include((yield* shown()).text, "Two")

      const stale = yield* change({ name: "base_version", value: "2" }, file("a.svg", drawn("late")))
      assert.deepStrictEqual([stale.status, stale.json.error.field, stale.json.error.details], [409, "base_version", { version: 3 }])
      for (const parts of [[gone("brief.md")], [file("index.html", "<h1>Page</h1>")], [file("other.md", "# Other")], [file("a.css", "a{}")], [gone("brief.md"), gone("a.svg")]]) {
        const { json, status } = yield* change(...parts)
        assert.deepStrictEqual([status, json.error.field, json.error.message], [422, "file", "This project holds one Markdown file with its images, and nothing else. Publish anything else as a new project."])
      }
      assert.deepStrictEqual(yield* left, ["a.svg", "brief.md"])
      // Under another name it is the entry still; and what replaces all of it is what it would be if it were new.
      assert.deepInclude((yield* change(gone("brief.md"), file("report.md", "# Three"))).json, { kind: "markdown", version: 4, title: "Three" })
      assert.include((yield* shown()).text, "Three")
      assert.deepInclude((yield* change(gone("report.md"), gone("a.svg"), file("index.html", "<title>Four</title>"))).json, { kind: "site", version: 5, title: "Four" })

      const lone = yield* service.ask("/v1/projects/lone", { method: "PUT", body: "# Lone", headers: { ...ada.bearer, "content-type": "text/markdown" } })
      assert.strictEqual(lone.status, 201)
      assert.deepInclude((yield* send("/lone/files", file("a.svg", drawn("red")))).json, { kind: "markdown", version: 2, title: "Lone", file_count: 2 })

      // A single file takes none beside it, but gives way to others.
      yield* service.ask("/v1/projects/lone-table", { method: "PUT", body: "a,b\n1,2\n", headers: { ...ada.bearer, "content-type": "text/csv", "x-filename": "t.csv" } })
      const table = (...parts: ReadonlyArray<FormPart>) => send("/lone-table/files", ...parts)
      const beside = [yield* table(file("brief.md", "# Brief")), yield* table(gone("t.csv"))]
      assert.deepStrictEqual(beside.map(({ json, status }) => [status, json.error.message]), beside.map(() => [422, "This project is a single file. Publish it anew with PUT."]))
      assert.deepInclude((yield* table(gone("t.csv"), file("brief.md", "# Brief\n![](a.svg)"), file("a.svg", drawn("red")))).json, { kind: "markdown", version: 2, title: "Brief", file_count: 2 })
    }))

  it.effect("of a page that came alone are replaced and removed by the name that it came under, until a page has that name", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const send = sending(ada)
      const held = (slug: string) => Effect.map(files(ada, slug), ({ json }) => json.files.map(({ path }: { path: string }) => path).join(" "))
      const shown = (slug: string) => Effect.map(service.ask("/", { host: `${slug}.svc.localhost` }), ({ text }) => /<p>([^<]*)/.exec(text)?.[1])

      assert.strictEqual((yield* send("", { name: "slug", value: "lone-page" }, file("report.html", "<p>one"))).json.title, "report")
      for (const [version, sent, expected, first] of [
        [2, [file("report.html", "<p>two")], "index.html", "two"],
        [3, [file("chart.svg", "<svg/>")], "chart.svg index.html", "two"],
        [4, [file("report.html", "<p>four"), file("a.css", "a{}")], "a.css chart.svg index.html", "four"],
        [5, [file("other.html", "<title>Other</title>")], "a.css chart.svg index.html other.html", "four"],
        [6, [gone("report.html"), file("index.html", "<p>six")], "a.css chart.svg index.html other.html", "six"],
        [7, [file("report.html", "<p>beside")], "a.css chart.svg index.html other.html report.html", "six"]
      ] as const) {
        const { json, text } = yield* send("/lone-page/files", ...sent)
        assert.deepStrictEqual([json.version, json.kind, yield* held("lone-page"), yield* shown("lone-page")], [version, "site", expected, first], text)
        // Nothing that is served says more than the name of the first page.
        assert.strictEqual(json.title, "report")
      }

      // Without the page nothing is left to show; and in its place another one is alone again.
      yield* service.ask("/v1/projects/lone-put", { method: "PUT", body: "<p>put", headers: { ...ada.bearer, "x-filename": "a.html" } })
      assert.strictEqual((yield* send("/lone-put/files", gone("a.html"))).json.error.message, "A site needs its first page, index.html.")
      assert.strictEqual((yield* send("/lone-put/files", gone("a.html"), file("b.html", "<p>b"))).status, 200)
      yield* service.ask("/v1/projects/lone-put/versions/1/restore", { method: "POST", headers: ada.bearer })
      assert.strictEqual((yield* send("/lone-put/files", file("b.html", "<p>beside"))).status, 200)
      assert.strictEqual((yield* send("/lone-put/files", file("a.html", "<p>restored"))).status, 200)
      assert.deepStrictEqual([yield* held("lone-put"), yield* shown("lone-put")], ["b.html index.html", "restored"])
    }))

  it.effect("sent alone where nothing else is left become what they would be as a new project", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const send = sending(ada)
      const zip = yield* Effect.promise(() => zipOf({ "index.html": "<title>Zipped</title>", "a.css": "a{}" }))
      const [page, brief, site] = [[file("report.html", "<p>")], [file("a.md", "# A")], [file("index.html", "<p>"), file("report.html", "<p>")]]
      for (const [at, [before, sent, kind, expected]] of ([
        [[], page, "site", ["index.html"]], [[], [file("rows.csv", "a,b\n")], "data", ["rows.csv"]], [[], [file("in/a.md", "# A")], "markdown", ["a.md"]], [[], [file("site.zip", zip)], "site", ["a.css", "index.html"]],
        [site, [gone("index.html"), gone("report.html"), file("b.html", "<p>")], "site", ["index.html"]],
        [brief, [gone("a.md"), file("b.csv", "a,b\n")], "data", ["b.csv"]], [page, [gone("index.html"), file("b.pdf", "%PDF-1.4")], "pdf", ["b.pdf"]]
      ] as const).entries()) {
        const slug = `emptied-${at}`
        yield* send("", { name: "slug", value: slug }, ...before)
        const { json, status, text } = yield* send(`/${slug}/files`, ...sent)
        assert.deepStrictEqual([status, json.kind], [200, kind], text)
        assert.deepStrictEqual((yield* files(ada, slug)).json.files.map(({ path }: { path: string }) => path), expected)
      }
      yield* send("", { name: "slug", value: "emptied" })
      const { error } = (yield* send("/emptied/files", file("a.bin", new Uint8Array(9)))).json
      assert.deepStrictEqual([error.field, error.message.slice(0, 41)], ["Content-Type", "svc cannot show .bin files. Publish HTML,"])
      // Each of them would be the first page: one is, and the others are told to look again.
      const statuses = (yield* Effect.forEach(["a", "b", "c"], (name) => send("/emptied/files", file(`${name}.html`, `<p>${name}`)), { concurrency: "unbounded" })).map(({ status }) => status)
      assert.isTrue(statuses.includes(200) && statuses.every((status) => status === 200 || status === 409), statuses.join())
      assert.include((yield* files(ada, "emptied")).json.files.map(({ path }: { path: string }) => path), "index.html")
    }))

  it.effect("come with fields of 4 MB at most: what no form has is let go as it comes", () =>
    Effect.gen(function*() {
      const send = sending(yield* (yield* Service).account())
      const long = "x".repeat(63 * 1024)
      const many = (name: (n: number) => string) => Array.from({ length: 80 }, (_, n) => ({ name: name(n), value: long }))
      const made = yield* send("", { name: "slug", value: "bounded" }, ...many((n) => `note-${n}`), file("index.html", "<p>x"))
      assert.strictEqual(made.status, 201, made.text)
      const refused = yield* send("/bounded/files", ...many(() => "delete"))
      assert.deepStrictEqual([refused.status, refused.json.error.message], [422, "The fields of the form are longer than 4 MB together."])
      const noted = (length: number) => send("", { name: "note", value: "x".repeat(length) }, file("index.html", "<p>x"))
      assert.strictEqual((yield* noted(64 * 1024)).status, 201)
      const single = yield* noted(64 * 1024 + 1)
      assert.deepStrictEqual([single.status, single.json.error?.message], [422, "A field of the form is longer than 64 KB."])
      const parts = 2 * MAX_FILES + 100
      const crowded = yield* send("", ...Array.from({ length: parts + 1 }, (_, n) => ({ name: `note-${n}`, value: "x" })))
      assert.deepStrictEqual([crowded.status, crowded.json.error.message], [422, `A form may have ${parts} parts.`])
      const paths = Array.from({ length: 3_000 }, (_, n) => `${"p/".repeat(400)}${n}`)
      assert.strictEqual((yield* send("/bounded/files", ...paths.map(gone))).json.error.message, `There is no file named ${paths[0]}.`)
    }))
})
