/** Thumbnails over the wire: drawn after a publish, told of where excerpts are, seen by whoever sees the project, gone with their version. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { form } from "../support/ask.ts"
import { pdfOf } from "../support/pdfs.ts"
import { pngOf } from "../support/pngs.ts"
import { eventually } from "../support/program.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { member } from "../support/team.ts"

const PNG = pngOf(1600, 800, [220, 20, 20], [20, 20, 220])
const PDF = pdfOf([{ lines: ["Quarterly report"] }])

const put = Effect.fnUntraced(function*({ bearer }: Account, slug: string, type: string, body: string | Buffer) {
  const answer = yield* (yield* Service).ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...bearer, "content-type": type } })
  assert.include([200, 201], answer.status, answer.text)
})

const read = ({ bearer }: Pick<Account, "bearer">, path: string, headers: Readonly<Record<string, string>> = {}) =>
  Service.use((service) => service.ask(`/v1/projects${path}`, { headers: { ...bearer, ...headers } }))

const sizeOf = (account: Account, slug: string) => Effect.map(read(account, `/${slug}?include=excerpt`), ({ json }) => json.thumbnail)

const drawn = Effect.fnUntraced(function*(account: Account, slug: string) {
  const { ask } = yield* Service
  return yield* Effect.promise(() =>
    eventually(`a thumbnail of ${slug}`, async () => {
      const { json } = await Effect.runPromise(ask(`/v1/projects/${slug}?include=excerpt`, { headers: account.bearer }))
      return json.thumbnail ?? undefined
    }))
})

/** How many versions of the project were tried, and the sizes that came of it. */
const rows = Effect.fnUntraced(function*(slug: string) {
  const { inside } = yield* Service
  return yield* inside(Effect.orDie(SqlClient.SqlClient.use((sql) => sql<{ version: number; width: number | null }>`
    SELECT v.version, t.width::int FROM thumbnails t JOIN versions v ON v.id = t.version_id JOIN projects p ON p.id = v.project_id
    WHERE p.slug = ${slug} ORDER BY v.version`)))
})

const tried = (slug: string) =>
  Effect.flatMap(Effect.context<Service>(), (context) =>
    Effect.promise(() => eventually(`${slug} was tried`, async () => (await Effect.runPromise(Effect.provideContext(rows(slug), context))).length > 0)))

layer(serviceWith(), { excludeTestServices: true })("thumbnails", (it) => {
  it.effect("are drawn of images and PDFs, and told of only where they are asked for", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account()
      yield* put(ada, "picture", "image/png", PNG)
      yield* put(ada, "paper", "application/pdf", PDF)
      yield* put(ada, "vector", "image/svg+xml", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><script>alert(1)</script></svg>")
      yield* put(ada, "words", "text/markdown", "# Words")
      assert.deepStrictEqual(yield* drawn(ada, "picture"), { width: 640, height: 320 })
      assert.deepStrictEqual(yield* drawn(ada, "paper"), { width: 495, height: 640 })
      yield* tried("vector")
      const { projects } = (yield* read(ada, "?include=excerpt")).json as { readonly projects: ReadonlyArray<{ readonly slug: string; readonly thumbnail: unknown }> }
      assert.deepStrictEqual(Object.fromEntries(projects.map(({ slug, thumbnail }) => [slug, thumbnail])), {
        picture: { width: 640, height: 320 }, paper: { width: 495, height: 640 }, vector: null, words: null
      })
      assert.deepStrictEqual([yield* rows("vector"), yield* rows("words")], [[{ version: 1, width: null }], []])
      for (const path of ["", "/picture"]) assert.notInclude((yield* read(ada, path)).text, "thumbnail", path)
      for (const slug of ["vector", "words"]) assert.strictEqual((yield* read(ada, `/${slug}/versions/1/thumbnail`)).status, 404, slug)
      const whole = (yield* read(ada, "/picture?include=excerpt")).json
      assert.strictEqual((yield* (yield* Service).ask("/v1/projects/picture", { method: "PATCH", headers: ada.bearer, json: whole })).status, 200)
    }))

  it.effect("are our own WebP, asked for anew each time, and not sent again where nothing changed", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account()
      yield* put(ada, "seen", "image/png", PNG)
      yield* drawn(ada, "seen")
      const { headers, status, bytes } = yield* read(ada, "/seen/versions/1/thumbnail")
      assert.deepStrictEqual([status, headers["content-type"], headers["cache-control"], headers["x-content-type-options"]], [200, "image/webp", "private, no-cache", "nosniff"])
      assert.strictEqual(bytes.toString("latin1", 8, 12), "WEBP")
      const again = yield* read(ada, "/seen/versions/1/thumbnail", { "if-none-match": String(headers["etag"]) })
      assert.deepStrictEqual([again.status, again.text], [304, ""])
    }))

  it.effect("are seen by whoever sees the project in the API: others meet a missing project, whatever its visibility", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [ada, stranger] = [yield* service.account(), yield* service.account()]
      const colleague = yield* member(ada, "member")
      yield* put(ada, "shared-picture", "image/png", PNG)
      yield* drawn(ada, "shared-picture")
      assert.strictEqual((yield* read(colleague, "/shared-picture/versions/1/thumbnail")).status, 200)
      assert.strictEqual((yield* service.ask("/v1/projects/shared-picture/versions/1/thumbnail")).status, 401)
      const [foreign, missing] = [yield* read(stranger, "/shared-picture/versions/1/thumbnail"), yield* read(stranger, "/no-such-picture/versions/1/thumbnail")]
      assert.deepStrictEqual([foreign.status, foreign.json.error], [404, missing.json.error])
      const { id } = (yield* service.ask("/v1/folders", { method: "POST", headers: ada.bearer, json: { name: "Mine", sharing: "private" } })).json
      assert.strictEqual((yield* service.ask("/v1/projects/shared-picture", { method: "PATCH", headers: ada.bearer, json: { folder_id: id } })).status, 200)
      assert.strictEqual((yield* read(colleague, "/shared-picture/versions/1/thumbnail")).status, 404)
    }))

  it.effect("are of a version: a new one has its own, and what is deleted takes its own along", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      yield* put(ada, "changing-picture", "image/png", PNG)
      yield* drawn(ada, "changing-picture")
      const sent = form({ name: "file", file: "file.png", content: pngOf(300, 600, [1, 1, 1], [2, 2, 2]) }, { name: "delete", value: (yield* read(ada, "/changing-picture/files")).json.files[0].path })
      assert.strictEqual((yield* service.ask("/v1/projects/changing-picture/files", { ...sent, headers: { ...sent.headers, ...ada.bearer } })).status, 200)
      assert.deepStrictEqual(yield* drawn(ada, "changing-picture"), { width: 300, height: 600 })
      assert.deepStrictEqual(yield* rows("changing-picture"), [{ version: 1, width: 640 }, { version: 2, width: 300 }])
      for (const version of [1, 2]) assert.strictEqual((yield* read(ada, `/changing-picture/versions/${version}/thumbnail`)).status, 200)
      assert.strictEqual((yield* read(ada, "/changing-picture/versions/3/thumbnail")).status, 404)
      assert.strictEqual((yield* service.ask("/v1/projects/changing-picture", { method: "DELETE", headers: ada.bearer })).status, 200)
      assert.strictEqual((yield* read(ada, "/changing-picture/versions/1/thumbnail")).status, 404)
      assert.deepStrictEqual(yield* rows("changing-picture"), [])
    }))

  it.effect("that were not drawn, as of an earlier release, are drawn once somebody lists them; what cannot be drawn is tried again after a week", () =>
    Effect.gen(function*() {
      const { inside } = yield* Service
      const ada = yield* (yield* Service).account()
      yield* put(ada, "early-picture", "image/png", PNG)
      yield* put(ada, "broken-picture", "image/png", Buffer.concat([PNG.subarray(0, 60), Buffer.from("cut off")]))
      yield* drawn(ada, "early-picture")
      yield* tried("broken-picture")
      const forget = (sql: SqlClient.SqlClient) => sql`DELETE FROM thumbnails WHERE width IS NOT NULL`
      yield* inside(Effect.orDie(SqlClient.SqlClient.use(forget)))
      assert.strictEqual((yield* read(ada, "?include=excerpt")).status, 200)
      yield* tried("early-picture")
      assert.deepStrictEqual(yield* sizeOf(ada, "early-picture"), { width: 640, height: 320 })
      assert.isNull(yield* sizeOf(ada, "broken-picture"))

      // As if it had only come out so because the machine was busy.
      const blanked = (sql: SqlClient.SqlClient) => sql`
        UPDATE thumbnails SET (image, width, height, drawn_at) = (NULL, NULL, NULL, now() - interval '7 days')
        WHERE version_id = (SELECT current_version_id FROM projects WHERE slug = 'early-picture')`
      yield* inside(Effect.orDie(SqlClient.SqlClient.use(blanked)))
      assert.isNull(yield* sizeOf(ada, "early-picture"))
      assert.deepStrictEqual(yield* drawn(ada, "early-picture"), { width: 640, height: 320 })
    }))
})
