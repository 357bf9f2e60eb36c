/** Markdown over the wire: rendered once for each version, by the first request, and removed with it. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { HostingStore } from "../../src/domain/hosting/store.ts"
import { Packs } from "../../src/domain/ports/packs.ts"
import { Renderer } from "../../src/domain/ports/renderer.ts"
import type { Rendered } from "../../src/domain/ports/renderer.ts"
import { Patience, Renderings } from "../../src/domain/renderings/renderings.ts"
import { keptUntil } from "../../src/domain/renderings/rules.ts"
import { RenderingStore } from "../../src/domain/renderings/store.ts"
import { VersionId } from "../../src/domain/projects/model.ts"
import { ProjectStore } from "../../src/domain/projects/store.ts"
import { form } from "../support/ask.ts"
import { slow } from "../support/hostile-markdown.ts"
import { PIXEL } from "../support/pngs.ts"
import { eventually } from "../support/program.ts"
import { Service, serviceWith } from "../support/service.ts"

interface Row {
  readonly id: VersionId
  readonly version: number
  readonly renderer: number
  readonly made: string
}

const rows = (slug: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return yield* sql<Row>`
      SELECT v.id, v.version, r.renderer, r.made_at::text AS made FROM renderings r JOIN versions v ON v.id = r.version_id
        JOIN projects p ON p.id = v.project_id WHERE p.slug = ${slug} ORDER BY v.version`
  })

layer(serviceWith(), { excludeTestServices: true })("markdown", (it) => {
  const reading = Effect.gen(function*() {
    const service = yield* Service
    const account = yield* service.account()
    const put = (slug: string, body: string) =>
      service.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...account.bearer, "content-type": "text/markdown" } })
    const open = (slug: string, path = "/") => service.ask(path, { host: `${slug}.svc.localhost` })
    const kept = (slug: string, count: number) =>
      Effect.promise(() => eventually(`${count} renderings of ${slug}`, async () => {
        const found = await Effect.runPromise(service.inside(rows(slug)))
        return found.length === count && found
      }))
    return { service, account, put, open, kept }
  })

  it.effect("is rendered by its publish, before anybody opens it; anew by the next one, and by a restore", () =>
    Effect.gen(function*() {
      const { account, kept, open, put, service } = yield* reading
      assert.strictEqual((yield* put("notes", "---\nsecret: 1\n---\n# First\n\n```js\nlet a\n```")).status, 201)
      yield* kept("notes", 1)
      const first = yield* open("notes")
      assert.strictEqual(first.status, 200)
      assert.include(first.text, "<h1 id=\"md-first\">First")
      assert.include(first.text, "<span class=\"t-keyword\">let</span>")
      assert.notInclude(first.text, "secret")
      assert.notMatch(String(first.headers["content-security-policy"]), /unsafe/)
      assert.strictEqual((yield* put("notes", "# Second")).status, 200)
      const second = yield* open("notes")
      assert.include(second.text, "<h1 id=\"md-second\">")
      assert.notInclude(second.text, "md-first")
      const restored = yield* service.ask("/v1/projects/notes/versions/1/restore", { method: "POST", headers: account.bearer })
      assert.strictEqual(restored.status, 200, restored.text)
      assert.include((yield* open("notes")).text, "<h1 id=\"md-first\">")
      assert.deepStrictEqual((yield* kept("notes", 3)).map(({ version }) => version), [1, 2, 3])
      assert.strictEqual((yield* service.ask("/v1/projects/notes", { method: "DELETE", headers: account.bearer })).status, 200)
      yield* kept("notes", 0)
    }))

  it.effect("shows the images of its own publish, and asks nobody else for theirs", () =>
    Effect.gen(function*() {
      const { account, open, service } = yield* reading
      const sent = form(
        { name: "slug", value: "drawn" },
        { name: "file", file: "brief.md", type: "text/markdown", content: "# Drawn\n![own](pic.png) ![other](https://example.com/x.png) ![gone](none.png)" },
        { name: "file", file: "pic.png", type: "image/png", content: PIXEL }
      )
      assert.strictEqual((yield* service.ask("/v1/projects", { ...sent, headers: { ...sent.headers, ...account.bearer } })).status, 201)
      const page = yield* open("drawn")
      assert.deepStrictEqual(page.text.match(/<img [^>]*src="[^"]*"/g), ["<img src=\"/pic.png\""])
      assert.deepStrictEqual([...(yield* open("drawn", "/pic.png")).bytes], [...PIXEL])
    }))

  it.effect("with megabytes of pictures is formatted, and each comes from an address of its own, to those who may read the document", () =>
    Effect.gen(function*() {
      const { account, kept, open, put, service } = yield* reading
      const large = Buffer.concat([PIXEL, Buffer.alloc(1_900_000, 7)])
      const text = `# Pictured\n\n![one][image1] ![two](data:image/png;base64,${Buffer.concat([PIXEL, Buffer.alloc(4_000)]).toString("base64")}) <img src="data:image/png;base64,${large.toString("base64").slice(0, 8_000)}">\n\n[image1]: <data:image/png;base64,${large.toString("base64")}>\n`
      assert.isAbove(text.length, 2 * 1024 * 1024)
      yield* put("pictured", text)
      yield* kept("pictured", 1)
      const page = yield* open("pictured")
      assert.include(page.text, "<h1 id=\"md-pictured\">")
      const images = [...page.text.matchAll(/<img src="(\/_svc\/raw\/[^"]+)" alt="[^"]*" decoding="async">/g)].map(([, src]) => src!.replaceAll("&#x26;", "&"))
      assert.strictEqual(images.length, 3)
      const one = yield* open("pictured", images[0]!)
      assert.deepStrictEqual([one.status, one.headers["content-type"], one.headers["x-content-type-options"], one.bytes.equals(large)], [200, "image/png", "nosniff", true])
      const again = yield* service.ask(images[0]!, { host: "pictured.svc.localhost", headers: { "if-none-match": String(one.headers["etag"]) } })
      assert.strictEqual(again.status, 304)
      const part = yield* service.ask(images[0]!, { host: "pictured.svc.localhost", headers: { range: "bytes=1000001-1000004", "if-range": String(one.headers["etag"]) } })
      assert.deepStrictEqual([part.status, part.bytes.equals(large.subarray(1_000_001, 1_000_005))], [206, true])
      // No other place of the document is a picture, and a text that looks like base64 is none.
      for (const place of ["0-40", "1-9999999", "x", "", "3-0", "-1-5"]) {
        assert.strictEqual((yield* open("pictured", `${images[0]!.replace(/picture=.*/, "")}picture=${place}`)).status, 404, place)
      }
      yield* service.ask("/v1/projects/pictured", { method: "PATCH", json: { visibility: "private" }, headers: account.bearer })
      assert.notStrictEqual((yield* open("pictured", images[0]!)).status, 200)
    }))

  it.effect("shows a picture's own text in code, as long as that is", () =>
    Effect.gen(function*() {
      const { kept, open, put } = yield* reading
      const data = `data:image/png;base64,${Buffer.concat([PIXEL, Buffer.alloc(6_000)]).toString("base64")}`
      yield* put("coded", `![one](${data})\n\n\`\`\`\n${data}\n\`\`\`\n\n![${data}](none.png)\n`)
      yield* kept("coded", 1)
      const { text } = yield* open("coded")
      assert.include(text, `<code>${data}\n</code>`)
      assert.include(text, `<span class="image-missing">${data}</span>`)
      assert.strictEqual(text.split("picture=").length, 2)
      // What would be too long with it is shown as its text.
      const much = `data:image/png;base64,${"A".repeat(2_200_000)}`
      yield* put("coded", `\`${much}\``)
      assert.include((yield* open("coded")).text, "This document is too long to be formatted")
    }))

  it.effect("is made once however many come at once, here or elsewhere, and anew by a newer renderer alone", () =>
    Effect.gen(function*() {
      const { kept, open, put, service } = yield* reading
      yield* put("many", "# Many")
      const [before] = yield* kept("many", 1)
      const answers = yield* Effect.all(Array.from({ length: 50 }, () => open("many")), { concurrency: "unbounded" })
      assert.strictEqual(new Set(answers.map(({ text }) => text)).size, 1)
      const { renderer } = before!
      yield* service.inside(Effect.gen(function*() {
        const store = yield* RenderingStore
        const { edition } = yield* Renderer
        assert.strictEqual(edition, renderer)
        const moment = yield* DateTime.now
        const kept = { now: moment, until: null }
        const made = (html: string) => ({ html, headings: [], title: null })
        // A slower process gets the stored rendering; a newer process replaces it, and an older one reads the replacement.
        const slow = yield* store.keep(before!.id, edition, made("<p>slow"), kept)
        assert.include(slow.html, "md-many")
        const racing = yield* Effect.all(
          Array.from({ length: 50 }, (_, one) => store.keep(before!.id, edition + 1, made(`<p>${one}`), kept)), { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(racing.map(({ html }) => html)).size, 1)
        assert.strictEqual((yield* store.keep(before!.id, edition, made("<p>old"), kept)).html, racing[0]!.html)
        const gone = VersionId.make("01a1fd6a-0000-7000-8000-000000000000")
        assert.strictEqual((yield* store.keep(gone, edition, made("<p>gone"), kept)).html, "<p>gone")
        assert.strictEqual((yield* store.find(gone, edition, moment))._tag, "None")
        assert.strictEqual((yield* (yield* HostingStore).manifest(gone))._tag, "None")
      }))
      assert.deepStrictEqual((yield* kept("many", 1)).map((row) => row.renderer), [renderer + 1])
    }))

  it.effect("that took too long is kept for a day, and makes way for what is whole", () =>
    Effect.gen(function*() {
      const { kept, put, service } = yield* reading
      yield* put("tardy", "# Tardy")
      const { id } = (yield* kept("tardy", 1))[0]!
      yield* service.inside(Effect.gen(function*() {
        const store = yield* RenderingStore
        const edition = (yield* Renderer).edition + 1
        const now = yield* DateTime.now
        const late = (html: string): Rendered => ({ html, headings: [], title: null, short: "late" })
        const until = keptUntil(late(""), now)!
        assert.deepStrictEqual(until, DateTime.add(now, { days: 1 }))
        const at = (moment: DateTime.Utc) => Effect.map(store.find(id, edition, moment), Option.getOrNull)
        yield* store.keep(id, edition, late("<p>short"), { now, until })
        assert.deepStrictEqual(yield* at(DateTime.subtract(until, { milliseconds: 1 })), late("<p>short"))
        assert.isNull(yield* at(until))
        // Late again, once before its time is up and once after.
        assert.strictEqual((yield* store.keep(id, edition, late("<p>again"), { now, until })).html, "<p>short")
        assert.strictEqual((yield* store.keep(id, edition, late("<p>next"), { now: until, until: DateTime.add(until, { days: 1 }) })).html, "<p>next")
        const whole: Rendered = { html: "<p>whole", headings: [], title: null }
        assert.deepStrictEqual(yield* store.keep(id, edition, whole, { now: until, until: null }), whole)
        assert.strictEqual((yield* store.keep(id, edition, late("<p>late"), { now: until, until: DateTime.add(until, { days: 1 }) })).html, "<p>whole")
        assert.deepStrictEqual(yield* at(DateTime.add(until, { days: 400 })), whole)
      }))
    }))

  it.effect("that nothing was there to render is asked for again, and kept once it is whole", () =>
    Effect.gen(function*() {
      const { account, kept, put, service } = yield* reading
      yield* put("unbegun", "# Unbegun")
      const { id } = (yield* kept("unbegun", 1))[0]!
      const asked: Array<string> = []
      yield* service.inside(Effect.scoped(Effect.gen(function*() {
        const files = Option.getOrThrow(yield* (yield* HostingStore).manifest(id))
        const [entry] = Object.keys(files)
        const { edition } = yield* Renderer
        const renderings = yield* Effect.provideService(Renderings.make, Renderer, Renderer.of({
          edition: edition + 1,
          render: ({ text }) => Effect.sync((): Rendered => {
            asked.push(text)
            return { html: `<p>${asked.length}`, headings: [], title: null, ...(asked.length < 3 && { short: "unbegun" }) }
          })
        }))
        const html = Effect.map(renderings.of(account.workspaceId, { id, kind: "markdown", entry: entry! }, files), (rendered) => typeof rendered === "object" && rendered.html)
        assert.deepStrictEqual([yield* html, yield* html, yield* html, yield* html], ["<p>1", "<p>2", "<p>3", "<p>3"])
      })))
      assert.strictEqual(asked.length, 3)
    }))

  it.effect("of one workspace keeps nobody else’s waiting, however long it takes", () =>
    Effect.gen(function*() {
      const eve = yield* reading
      const bob = yield* reading
      const hostile = Array.from({ length: 6 }, (_, one) => `eve-${one}`)
      for (const slug of hostile) assert.strictEqual((yield* eve.put(slug, `${slug} ${slow}`)).status, 201)
      yield* bob.put("victim", "# Victim")
      const { text } = yield* bob.open("victim")
      assert.include(text, "<h1 id=\"md-victim\">")
      for (const slug of hostile) assert.deepStrictEqual(yield* eve.service.inside(rows(slug)), [], slug)
    }))

  it.effect("that another version followed is not rendered ahead any more, unless somebody waits for it", () =>
    Effect.gen(function*() {
      const { account, kept, put, service } = yield* reading
      const other = yield* reading
      for (const [before, words] of ["v1", "v2", "v3"].entries()) {
        yield* put("followed", words)
        // One that the next publish overtakes before its turn is skipped.
        yield* kept("followed", before + 1)
      }
      yield* put("begun", "begun")
      yield* other.put("elsewhere", "elsewhere")
      const versions = yield* kept("followed", 3)
      const { id: elsewhere } = (yield* other.kept("elsewhere", 1))[0]!
      const asked: Array<string> = []
      yield* service.inside(Effect.scoped(Effect.gen(function*() {
        const gate = yield* Deferred.make<void>()
        const { edition } = yield* Renderer
        const made = Effect.provideService(Renderings.make, Patience, "100 millis")
        const renderings = yield* Effect.provideService(made, Renderer, Renderer.of({
          edition: edition + 1,
          render: ({ text }) =>
            Effect.gen(function*() {
              asked.push(text)
              if (text === "begun") yield* Deferred.await(gate)
              return { html: `<p>${text}`, headings: [], title: null }
            })
        }))
        const store = yield* ProjectStore
        const projectOf = (slug: string) => Effect.map(store.reach(slug, account.id), (reach) => Option.getOrThrow(reach).project)
        const of = Effect.fnUntraced(function*(workspaceId: typeof account.workspaceId, id: VersionId) {
          const files = Option.getOrThrow(yield* (yield* HostingStore).manifest(id))
          return yield* renderings.of(workspaceId, { id, kind: "markdown", entry: Object.keys(files)[0]! }, files)
        })
        yield* renderings.begin(yield* projectOf("begun"))
        const project = yield* projectOf("followed")
        for (const { id, version } of versions) yield* renderings.begin({ ...project, version, currentVersionId: id })
        yield* Effect.promise(() => eventually("its turn", () => asked.length === 1))
        yield* of(other.account.workspaceId, elsewhere)
        yield* Effect.promise(() => eventually("another's turn", () => asked.length === 2))
        assert.strictEqual(yield* of(account.workspaceId, versions[1]!.id), "coming")
        assert.deepStrictEqual(asked, ["begun", "elsewhere"])
        yield* Deferred.succeed(gate, undefined)
        yield* Effect.promise(() => eventually("what was waited for, and the latest", () => asked.length === 4))
        assert.deepStrictEqual(asked, ["begun", "elsewhere", "v2", "v3"])
      })))
    }))

  it.effect("of many megabytes is read no further than until it is too long, and once", () =>
    Effect.gen(function*() {
      const { account, put, service } = yield* reading
      yield* put("endless", "words and words \n".repeat(480_000))
      yield* service.inside(Effect.scoped(Effect.gen(function*() {
        const { project } = Option.getOrThrow(yield* (yield* ProjectStore).reach("endless", account.id))
        const id = project.currentVersionId!
        const files = Option.getOrThrow(yield* (yield* HostingStore).manifest(id))
        const packs = yield* Packs
        const read: Array<number> = []
        const slice: typeof packs.slice = (pack, offset, length) => (read.push(length), packs.slice(pack, offset, length))
        const renderings = yield* Effect.provideService(Renderings.make, Packs, Packs.of({ ...packs, slice }))
        for (let n = 0; n < 3; n++) {
          assert.isUndefined(yield* renderings.of(account.workspaceId, { id, kind: "markdown", entry: Object.keys(files)[0]! }, files))
        }
        assert.deepStrictEqual(read, Array(3).fill(1024 * 1024))
      })))
    }))

  it.effect("of more than two megabytes is shown as the text that it is", () =>
    Effect.gen(function*() {
      const { open, put, service } = yield* reading
      yield* put("long", "# Long\n\n" + "words and words \n".repeat(130_000))
      const { text } = yield* open("long")
      assert.include(text, "id=\"text\"")
      assert.deepStrictEqual(yield* service.inside(rows("long")), [])
      yield* put("none", "")
      assert.strictEqual((yield* open("none")).status, 200)
      yield* put("late", "\ufeff# Grüße")
      assert.include((yield* open("late")).text, "<h1 id=\"md-grüße\">Grüße")
    }))

  it.effect("opens with a heading whose two hundredth sign is a pictogram", () =>
    Effect.gen(function*() {
      const { kept, open, put } = yield* reading
      yield* put("pictogram", `# ${"a".repeat(199)}😀 text`)
      const page = yield* open("pictogram")
      assert.deepStrictEqual([page.status, page.text.includes("😀 text")], [200, true])
      yield* kept("pictogram", 1)
    }))
})
