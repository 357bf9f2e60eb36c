/** The files of a site with their hashes, page by page, and changes that name the version they are meant for. */
import { createHash } from "node:crypto"
import { PassThrough } from "node:stream"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { form } from "../support/ask.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { zipOf } from "../support/zips.ts"

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

layer(serviceWith(), { timeout: "60 seconds", excludeTestServices: true })("files of a project", (it) => {
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
      assert.strictEqual((yield* change(ada, "raced", "soon", "x.txt")).status, 422)
    }))

  it.effect("that took their time go into the site they were meant for, or nowhere", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      /** Files on their way while something else happens to their address. */
      const meanwhile = Effect.fnUntraced(function*<A, E, R>(slug: string, happens: Effect.Effect<A, E, R>) {
        const { body, headers } = form({ name: "file", file: "index.html", content: "<h1>Slow</h1>" })
        const sent = new PassThrough()
        const answer = yield* Effect.forkScoped(service.ask(`/v1/projects/${slug}/files`, { method: "POST", body: sent, headers: { ...headers, ...ada.bearer } }))
        sent.write(body.subarray(0, body.length - 20))
        yield* Effect.sleep("500 millis")
        yield* happens
        sent.end(body.subarray(body.length - 20))
        return yield* Fiber.join(answer)
      })
      const markdown = (slug: string) => service.ask(`/v1/projects/${slug}`, { method: "PUT", body: "# Words", headers: { ...ada.bearer, "content-type": "text/markdown" } })

      yield* publish(ada, "slow-kind", { "index.html": "<h1>One</h1>" })
      const became = yield* meanwhile("slow-kind", markdown("slow-kind"))
      assert.deepStrictEqual([became.status, became.json.error.field, became.json.error.message], [422, "file", "This project is not a site. Publish it anew with PUT."])
      assert.deepInclude((yield* service.ask("/v1/projects/slow-kind", { headers: ada.bearer })).json, { kind: "markdown", version: 2 })

      yield* publish(ada, "slow-other", { "index.html": "<h1>One</h1>", "old.txt": "old" })
      const other = yield* meanwhile("slow-other", Effect.gen(function*() {
        yield* service.ask("/v1/projects/slow-other", { method: "DELETE", headers: ada.bearer })
        yield* publish(ada, "slow-other", { "index.html": "<h1>Another</h1>", "new.txt": "new" })
      }))
      assert.deepStrictEqual([other.status, other.json.error.code], [404, "not_found"])
      assert.deepInclude((yield* service.ask("/v1/projects/slow-other", { headers: ada.bearer })).json, { version: 1 })
      assert.include((yield* service.ask("/", { host: "slow-other.svc.localhost" })).text, "Another")

      yield* publish(ada, "slow-same", { "index.html": "<h1>One</h1>" })
      assert.strictEqual((yield* meanwhile("slow-same", publish(ada, "slow-same", { "index.html": "<h1>Two</h1>", "two.txt": "2" }))).status, 200)
    }).pipe(Effect.scoped))
})
