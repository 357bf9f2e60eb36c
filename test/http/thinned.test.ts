/** Deleted bytes are gone from the disk a day later, where what shares their pack is served on. */
import { assert, layer } from "@effect/vitest"
import { mkdirSync, readdirSync, readFileSync, rmdirSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { collectOnce } from "../../src/workers/collect-packs.ts"
import type { Account } from "../support/service.ts"
import { Service, serviceWith } from "../support/service.ts"
import { zipOf } from "../support/zips.ts"

/** Whether these bytes lie anywhere below a folder. */
const lies = (needle: string, folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(needle))

const wire = Effect.gen(function*() {
  const service = yield* Service
  const account: Account = yield* service.account({ plan: "starter" })
  const ask = (path: string, method: string, more: object = {}) =>
    service.ask(path, { method, ...more, headers: { ...account.bearer, ...(more as { headers?: object }).headers } })
  return {
    put: Effect.fnUntraced(function*(slug: string, files: Readonly<Record<string, string>>) {
      const body = yield* Effect.promise(() => zipOf({ "index.html": `<h1>${slug}</h1>`, ...files }))
      const answer = yield* ask(`/v1/projects/${slug}`, "PUT", { body, headers: { "content-type": "application/zip" } })
      assert.oneOf(answer.status, [200, 201], answer.text)
    }),
    remove: (slug: string) => Effect.map(ask(`/v1/projects/${slug}`, "DELETE"), ({ status }) => assert.strictEqual(status, 200)),
    used: Effect.map(ask(`/v1/workspace?workspace=${account.workspaceId}`, "GET"), ({ json }) => json.usage.storage_bytes as number),
    page: (slug: string, path: string) => Effect.map(service.ask(`/${path}`, { headers: { host: `${slug}.svc.localhost:${service.port}` } }), ({ status, text }) => [status, text]),
    lies: (needle: string) => lies(needle, join(service.dataDir, "blobs")),
    /** An hour's turn, and those of the next day. */
    turn: service.inside(Effect.gen(function*() {
      yield* collectOnce
      yield* SqlClient.SqlClient.use((sql) => sql`
        UPDATE packs SET thinning_since = thinning_since - interval '25 hours', unnamed_since = unnamed_since - interval '25 hours'`)
    }))
  }
})

const [logo, needle] = ["one logo for all ".repeat(100), "what nobody may find any more "]

layer(serviceWith(), { excludeTestServices: true })("a day after", (it) => {
  it.effect("a project is deleted, its document is not on the disk, though another project shares its pack", () =>
    Effect.gen(function*() {
      const { lies, page, put, remove, turn, used } = yield* wire
      const before = yield* used
      yield* put("secret-plan", { "logo.svg": logo, "plan.txt": needle.repeat(200) })
      yield* put("brochure", { "logo.svg": logo })
      yield* remove("secret-plan")
      assert.isTrue(lies(needle))
      yield* turn
      assert.strictEqual((yield* used) - before, logo.length + "<h1>brochure</h1>".length)
      assert.isTrue(lies(needle))
      yield* turn
      assert.isFalse(lies(needle))
      assert.strictEqual((yield* used) - before, logo.length + "<h1>brochure</h1>".length)
      assert.deepStrictEqual(yield* page("brochure", "logo.svg"), [200, logo])
      assert.include((yield* page("brochure", ""))[1], "<h1>brochure</h1>")
    }))

  it.effect("a project is deleted, what it alone had does not count, though the packs cannot be listed", () =>
    Effect.gen(function*() {
      const { put, remove, turn, used } = yield* wire
      const before = yield* used
      yield* put("secret-draft", { "logo.svg": logo, "plan.txt": needle.repeat(200) })
      yield* put("flyer", { "logo.svg": logo })
      yield* remove("secret-draft")
      const packs = join((yield* Service).dataDir, "blobs/packs")
      const empty = join(packs, readdirSync(packs).find((name) => readdirSync(join(packs, name)).length === 0)!)
      rmdirSync(empty)
      yield* Effect.ensuring(turn, Effect.sync(() => mkdirSync(empty)))
      assert.strictEqual((yield* used) - before, logo.length + "<h1>flyer</h1>".length)
    }))

  it.effect("a version is pruned, the file that it alone had is not on the disk, and every page of the others is served", () =>
    Effect.gen(function*() {
      const { lies, page, put, turn, used } = yield* wire
      yield* put("leaflet", { "logo.svg": logo, "price.txt": needle.repeat(100) })
      for (const edition of ["second", "third", "fourth"]) yield* put("leaflet", { "logo.svg": logo, "edition.txt": edition })
      yield* turn
      const living = logo.length + "<h1>leaflet</h1>".length + "secondthirdfourth".length
      assert.strictEqual(yield* used, living)
      assert.isTrue(lies(needle))
      yield* turn
      assert.isFalse(lies(needle))
      assert.strictEqual(yield* used, living)
      assert.deepStrictEqual(yield* page("leaflet", "logo.svg"), [200, logo])
      assert.deepStrictEqual(yield* page("leaflet", "edition.txt"), [200, "fourth"])
    }))
})
