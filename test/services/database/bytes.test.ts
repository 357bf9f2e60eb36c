/** A database in SQL_ASCII, which takes bytes as they come, as a server without a locale makes them. */
import { afterAll, assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Projects } from "../../../src/domain/projects/projects.ts"
import { Publishing } from "../../../src/domain/projects/publishing.ts"
import { loadConfig } from "../../../src/services/config.ts"
import { Jobs } from "../../../src/services/live.ts"
import { House } from "../../../src/serving.ts"
import { freshDatabaseFacts, patientClient } from "../../support/database.ts"
import { clearAway, newFolder } from "../../support/program.ts"
import { somebody } from "../../support/somebody.ts"

afterAll(clearAway)

const fresh = Effect.gen(function*() {
  const facts = yield* freshDatabaseFacts
  const database = `${facts.database}_bytes`
  const does = (statement: string) => Effect.orDie(Effect.provide(SqlClient.SqlClient.use((sql) => sql.unsafe(statement)), patientClient(facts)))
  yield* Effect.acquireRelease(
    does(`CREATE DATABASE ${database} ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`),
    () => does(`DROP DATABASE ${database} WITH (FORCE)`)
  )
  return { ...facts, database }
})

it.live("is migrated, and words are found in it as they are written", () =>
  Effect.gen(function*() {
    const settings = yield* loadConfig({ SVC_DATA_DIR: newFolder() })
    const context = yield* Layer.build(House(settings, patientClient(yield* fresh), Jobs(settings)))
    const found = Effect.gen(function*() {
      const user = yield* somebody({ trialDays: 7 })
      const page = async function*() {
        yield Buffer.from("<title>Résumé</title>")
      }
      yield* (yield* Publishing).put(user, "about-me", { path: undefined, contentType: "text/html", length: undefined, bytes: page() }, {})
      const projects = yield* Projects
      return yield* Effect.forEach(["résumé", "about", "Bilanz"], (query) => Effect.map(projects.list(user, undefined, { query, folderId: undefined, after: undefined, limit: 10 }), ({ projects }) => projects.map(({ title }) => title)))
    })
    assert.deepStrictEqual(yield* Effect.provideContext(found, context as never), [["Résumé"], ["Résumé"], []])
  }).pipe(Effect.scoped))
