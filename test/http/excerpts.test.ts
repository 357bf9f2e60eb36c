/** Excerpts over the wire: with every publish, in the list and the project on request, and for nobody else. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { form } from "../support/ask.ts"
import type { FormPart } from "../support/ask.ts"
import { PIXEL } from "../support/pngs.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { joins } from "../support/team.ts"
import { zipOf } from "../support/zips.ts"

const put = Effect.fnUntraced(function*({ bearer }: Account, slug: string, type: string, body: string | Buffer, query = "") {
  const answer = yield* (yield* Service).ask(`/v1/projects/${slug}${query}`, { method: "PUT", body, headers: { ...bearer, "content-type": type } })
  assert.include([200, 201], answer.status, answer.text)
})

const read = ({ bearer }: Account, path: string) => Service.use((service) => service.ask(`/v1/projects${path}`, { headers: bearer }))

const excerptOf = (account: Account, slug: string) => Effect.map(read(account, `/${slug}?include=excerpt`), ({ json }) => json.excerpt)

layer(serviceWith(), { excludeTestServices: true })("excerpts", (it) => {
  it.effect("come with every kind, only where they are asked for", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const long = `<!doctype html><style>${"p{margin:0}".repeat(2_000)}</style><h1>Behind its styles</h1>`
      const kinds: ReadonlyArray<readonly [slug: string, type: string, body: string | Buffer, excerpt: string | null]> = [
        ["page", "text/html", "<title>Tab</title><h1>Report</h1><p>It went <b>well</b>.", "Report\nIt went well."],
        ["styled", "text/html", long, "Behind its styles"],
        ["zipped", "application/zip", yield* Effect.promise(() => zipOf({ "index.html": long.replace("its", "zipped"), "a.css": "" })), "Behind zipped styles"],
        ["brief", "text/markdown", "# Brief\n\n**Autumn**", "Brief\nAutumn"],
        ["log", "text/plain", "one\ntwo", "one\ntwo"],
        ["table", "text/csv", "a,b\n1,2\n", "a\tb\n1\t2"],
        ["json", "application/json", "{\"a\":1}", "{\n  \"a\": 1\n}"],
        ["picture", "image/png", PIXEL, null],
        ["paper", "application/pdf", "%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF", null]
      ]
      for (const [slug, type, body] of kinds) yield* put(ada, slug, type, body)
      const sent = form({ name: "slug", value: "illustrated" }, { name: "file", file: "a.md", content: "# Two files" }, { name: "file", file: "b.png", content: PIXEL })
      assert.strictEqual((yield* service.ask("/v1/projects", { ...sent, headers: { ...sent.headers, ...ada.bearer } })).status, 201)
      const empty = form({ name: "slug", value: "empty-one" })
      assert.strictEqual((yield* service.ask("/v1/projects", { ...empty, headers: { ...empty.headers, ...ada.bearer } })).status, 201)
      const wanted: Record<string, string | null> = { ...Object.fromEntries(kinds.map(([slug, , , excerpt]) => [slug, excerpt])), illustrated: "Two files", "empty-one": null }

      const { projects } = (yield* read(ada, "?include=excerpt&limit=50")).json as { readonly projects: ReadonlyArray<{ readonly slug: string; readonly excerpt: string | null }> }
      assert.deepStrictEqual(Object.fromEntries(projects.map(({ excerpt, slug }) => [slug, excerpt])), wanted)
      for (const [slug, excerpt] of Object.entries(wanted)) assert.strictEqual(yield* excerptOf(ada, slug), excerpt, slug)
      for (const path of ["", "?limit=50", "/page"]) assert.notInclude((yield* read(ada, path)).text, "excerpt", path)
      for (const path of ["?include=everything", "/page?include=versions"]) assert.strictEqual((yield* read(ada, path)).status, 422, path)
      const whole = (yield* read(ada, "/page?include=excerpt")).json
      const back = yield* service.ask("/v1/projects/page", { method: "PATCH", headers: ada.bearer, json: whole })
      assert.deepStrictEqual([back.status, "excerpt" in back.json], [200, false])
    }))

  it.effect("are of what is served: after a change of files, a restored version, and where none was kept", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const files = (...parts: ReadonlyArray<FormPart>) => {
        const sent = form(...parts)
        return service.ask("/v1/projects/changing/files", { ...sent, headers: { ...sent.headers, ...ada.bearer } })
      }
      yield* put(ada, "changing", "text/html", "<h1>First</h1>")
      assert.strictEqual((yield* files({ name: "file", file: "other.html", content: "<h1>Other</h1>" })).status, 200)
      assert.strictEqual(yield* excerptOf(ada, "changing"), "First")
      yield* files({ name: "file", file: "index.html", content: `<style>${"p{margin:0}".repeat(40_000)}</style>` }, { name: "file", file: "b.css", content: "b".repeat(900_000) })
      assert.isNull(yield* excerptOf(ada, "changing"))
      yield* files({ name: "file", file: "index.html", content: `<style>${"p{margin:0}".repeat(2_000)}</style><h1>Second</h1>` }, { name: "file", file: "b.css", content: "c".repeat(900_000) })
      assert.strictEqual(yield* excerptOf(ada, "changing"), "Second")
      yield* files({ name: "file", file: "index.html", content: "<img src=a.png>" })
      assert.isNull(yield* excerptOf(ada, "changing"))
      yield* service.ask("/v1/projects/changing/versions/2/restore", { method: "POST", headers: ada.bearer })
      assert.strictEqual(yield* excerptOf(ada, "changing"), "First")
      yield* service.inside(SqlClient.SqlClient.use((sql) => sql`UPDATE versions SET excerpt = NULL`))
      assert.isNull(yield* excerptOf(ada, "changing"))
      yield* service.ask("/v1/projects/changing/versions/2/restore", { method: "POST", headers: ada.bearer })
      assert.isNull(yield* excerptOf(ada, "changing"))
    }))

  it.effect("are for those who see the project, and go with it", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [ada, member, stranger] = [yield* service.account(), yield* service.account(), yield* service.account()]
      yield* joins(member, ada, "member")
      const made = yield* service.ask("/v1/folders", { headers: ada.bearer, json: { name: "Mine", sharing: "private", workspace: ada.workspaceId } })
      assert.strictEqual(made.status, 201, made.text)
      yield* put(ada, "seen-by-team", "text/markdown", "# Words of the team")
      yield* put(ada, "kept-to-ada", "text/markdown", "# Words of Ada", `?folder_id=${made.json.id}`)
      const list = `?include=excerpt&workspace=${ada.workspaceId}`
      assert.include((yield* read(ada, list)).text, "Words of Ada")
      const members = yield* read(member, list)
      assert.deepStrictEqual([members.text.includes("Words of the team"), members.text.includes("Words of Ada")], [true, false])
      assert.strictEqual(yield* excerptOf(member, "seen-by-team"), "Words of the team")
      for (const [who, path] of [[member, "/kept-to-ada?include=excerpt"], [stranger, "/seen-by-team?include=excerpt"], [stranger, list]] as const) {
        const refused = yield* read(who, path)
        assert.deepStrictEqual([refused.status, refused.text.includes("Words")], [404, false], path)
      }
      assert.strictEqual((yield* service.ask("/v1/projects/seen-by-team?include=excerpt")).status, 401)

      const kept = service.inside(SqlClient.SqlClient.use((sql) => sql`SELECT 1 FROM versions WHERE excerpt = 'Words of the team'`))
      assert.lengthOf(yield* kept, 1)
      yield* service.ask("/v1/projects/seen-by-team", { method: "DELETE", headers: ada.bearer })
      assert.lengthOf(yield* kept, 0)
    }))
})
