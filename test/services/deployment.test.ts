/** Packs and their database: which belong together, who may claim unclaimed ones, and the start that is refused. And the secret beside them. */
import { assert, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Logger, Option, Result, Stream } from "effect"
import type { Scope } from "effect"
import { SqlClient } from "effect/sql"
import { Packs } from "../../src/domain/ports/packs.ts"
import { packsReady } from "../../src/domain/projects/packs/belonging.ts"
import { Publishing } from "../../src/domain/projects/publishing.ts"
import { loadConfig } from "../../src/services/config.ts"
import { Jobs } from "../../src/services/live.ts"
import { House } from "../../src/serving.ts"
import { bucketDouble, withBucketKeys } from "../support/bucket.ts"
import { freshDatabaseFacts, patientClient } from "../support/database.ts"
import type { ConnectionFacts } from "../support/database.ts"
import { somebody } from "../support/somebody.ts"

withBucketKeys()

type Everything = Layer.Success<ReturnType<typeof House>> | SqlClient.SqlClient

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "svc-deployment-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** A database as a first start makes one: all clones of the template have the same deployment id. */
const database = Effect.gen(function*() {
  const facts = yield* freshDatabaseFacts
  yield* SqlClient.SqlClient.use((sql) => sql`UPDATE deployment SET id = gen_random_uuid()`).pipe(Effect.provide(patientClient(facts)))
  return facts
})

/** Starts all services on this database, and ends them when the program is done. */
const started = <A, E>(facts: ConnectionFacts, given: Readonly<Record<string, string>>, program: Effect.Effect<A, E, Everything | Scope.Scope>, lines: Array<string> = []) =>
  Effect.gen(function*() {
    const settings = yield* loadConfig(given)
    const context = yield* Layer.build(House(settings, patientClient(facts), Jobs(settings)))
    return yield* Effect.provideContext(program, context as never) as Effect.Effect<A, E, Scope.Scope>
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])))

const publish = Effect.gen(function*() {
  const user = yield* somebody()
  const bytes = async function*() {
    yield Buffer.from(randomUUID())
  }
  yield* (yield* Publishing).put(user, `page-${randomUUID()}`, { path: undefined, contentType: "text/plain", length: undefined, bytes: bytes() }, {})
})

const packs = Effect.flatMap(Packs, ({ list }) => Effect.map(Stream.runCollect(list), (all) => all.length))
const own = SqlClient.SqlClient.use((sql) => Effect.map(sql<{ id: string }>`SELECT id::text FROM deployment`, ([row]) => row!.id))
const said = Effect.flatMap(Packs, ({ deployment }) => deployment)

/** A store of packs that can forget its deployment's id, as before stores had one. */
interface Store {
  readonly environment: Readonly<Record<string, string>>
  readonly forget: Effect.Effect<void>
}

const onDisk = Effect.map(folder, (dataDir): Store => ({
  environment: { SVC_DATA_DIR: dataDir },
  forget: Effect.sync(() => rmSync(join(dataDir, "blobs/deployment")))
}))

const inBucket = Effect.gen(function*() {
  const double = yield* bucketDouble("packs")
  const endpoint = `http://127.0.0.1:${double.port}`
  const store: Store = {
    environment: { SVC_DATA_DIR: yield* folder, SVC_S3_BUCKET: "packs", SVC_S3_ENDPOINT: endpoint, SVC_S3_FORCE_PATH_STYLE: "true" },
    forget: Effect.promise(() => fetch(`${endpoint}/packs/deployment`, { method: "DELETE" }))
  }
  return store
})

for (const [where, open, variable] of [["on disk", onDisk, "SVC_DATA_DIR"], ["in a bucket", inBucket, "SVC_S3_BUCKET"]] as const) {
  describe(`packs ${where}`, () => {
    it.live("are their database's from its first start on, and no other starts on them", () =>
      Effect.gen(function*() {
        const [{ environment }, ours, theirs] = [yield* open, yield* database, yield* database]
        const id = yield* started(ours, environment, Effect.gen(function*() {
          assert.deepStrictEqual(yield* said, Option.some(yield* own))
          yield* publish
          return yield* own
        }))
        const refused = yield* Effect.flip(started(theirs, environment, Effect.void))
        assert.strictEqual(refused._tag, "StartRefused")
        assert.notInclude(refused.message, "\n")
        assert.include(refused.message, `the packs of deployment ${id}`)
        assert.include(refused.message, yield* own.pipe(Effect.provide(patientClient(theirs))))
        assert.include(refused.message, variable)
        assert.strictEqual(yield* started(ours, environment, packs), 1)
      }).pipe(Effect.scoped))

    it.live("that say nothing are taken by a database that knows some of them, and by none that does not", () =>
      Effect.gen(function*() {
        const [{ environment, forget }, ours, theirs] = [yield* open, yield* database, yield* database]
        yield* started(ours, environment, publish)
        yield* forget
        const refused = yield* Effect.flip(started(theirs, environment, Effect.void))
        assert.match(refused.message, /holds packs, and the database \(deployment [\w-]+\) knows none of them; .*\.$/)
        yield* started(ours, environment, Effect.gen(function*() {
          assert.deepStrictEqual(yield* said, Option.some(yield* own))
          assert.strictEqual(yield* packs, 1)
        }))
      }).pipe(Effect.scoped))

    it.live("are not looked for in an empty place, which only a database without packs takes", () =>
      Effect.gen(function*() {
        const [{ environment }, elsewhere, ours] = [yield* open, yield* open, yield* database]
        yield* started(ours, environment, publish)
        for (const refused of [1, 2].map(() => Effect.flip(started(ours, elsewhere.environment, Effect.void)))) {
          const { message } = yield* refused
          assert.match(message, /holds no packs, and the database \(deployment [\w-]+\) knows 1; mount or copy them there first, or .*\.$/)
          assert.include(message, variable)
        }
        yield* started(yield* database, elsewhere.environment, publish)
      }).pipe(Effect.scoped))

    it.live("are ready while they are their database's, and not once their place is empty or another's", () =>
      Effect.gen(function*() {
        const [{ environment, forget }, ours] = [yield* open, yield* database]
        yield* started(ours, environment, Effect.gen(function*() {
          const { claim, list, remove } = yield* Packs
          const ready = yield* packsReady
          yield* publish
          yield* ready
          yield* forget
          yield* ready
          assert.deepStrictEqual(yield* said, Option.some(yield* own))
          yield* Stream.runForEach(list, ({ id }) => remove(id))
          yield* ready
          yield* forget
          assert.strictEqual((yield* Effect.flip(ready))._tag, "unavailable")
          assert.deepStrictEqual(yield* said, Option.none())
          yield* claim(randomUUID())
          assert.strictEqual((yield* Effect.flip(ready))._tag, "unavailable")
        }))
      }).pipe(Effect.scoped))
  })
}

describe("packs and their database", () => {
  it.live("of two databases that start at once on one empty folder, one is refused", () =>
    Effect.gen(function*() {
      const [{ environment }, one, other] = [yield* onDisk, yield* database, yield* database]
      const both = yield* Effect.all([one, other].map((facts) => Effect.result(started(facts, environment, own))), { concurrency: 2 })
      assert.strictEqual(both.filter(Result.isSuccess).length, 1)
    }).pipe(Effect.scoped))

  it.live("instances of one database start at once on one empty folder, and agree", () =>
    Effect.gen(function*() {
      const [{ environment }, facts] = [yield* onDisk, yield* database]
      const all = yield* Effect.all(Array.from({ length: 4 }, () => started(facts, environment, Effect.all([own, said]))), { concurrency: 4 })
      for (const [id, there] of all) assert.deepStrictEqual(there, Option.some(id))
      assert.strictEqual(readFileSync(join(environment["SVC_DATA_DIR"]!, "blobs/deployment"), "utf8"), `${all[0]![0]}\n`)
    }).pipe(Effect.scoped))

  it.live("a bucket that cannot be asked is no reason not to start, and the log says which, and what to correct", () =>
    Effect.gen(function*() {
      const [{ environment }, facts] = [yield* inBucket, yield* database]
      for (const wrong of [{ SVC_S3_ENDPOINT: "http://127.0.0.1:1" }, { SVC_S3_BUCKET: "another" }]) {
        const lines: Array<string> = []
        const given = { ...environment, ...wrong }
        yield* started(facts, given, own, lines)
        const [line] = lines.filter((one) => one.startsWith(`The bucket ${given.SVC_S3_BUCKET} could not be asked `))
        assert.match(line ?? lines.join(), /^[^\n]+ correct the variables SVC_S3_\* and AWS_\*, and start again\.$/)
      }
    }).pipe(Effect.scoped))
})

describe("a secret and its database", () => {
  it.live("a start that misses the secret says what that costs, once, and a first start says nothing", () =>
    Effect.gen(function*() {
      const [{ environment }, facts] = [yield* onDisk, yield* database]
      const file = join(environment["SVC_DATA_DIR"]!, "secret")
      const lines: Array<string> = []
      yield* started(facts, environment, publish, lines)
      yield* started(facts, environment, own, lines)
      assert.notInclude(lines.join(), file)
      rmSync(file)
      yield* started(facts, environment, own, lines)
      yield* started(facts, environment, own, lines)
      const [line, ...more] = lines.filter((one) => one.startsWith(file))
      assert.include(line, "was missing and is made anew: everybody signs in again, and mails that wait are lost. If it is in a backup,")
      assert.deepStrictEqual(more, [])
    }).pipe(Effect.scoped))
})
