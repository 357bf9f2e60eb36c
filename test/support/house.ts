/** The programs on real parts, with the test's own clock: a fresh database, a temporary data folder, no listener. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Logger } from "effect"
import type { SqlClient } from "effect/sql"
import { WorkflowEngine } from "effect/workflow"
import { loadConfig } from "../../src/services/config.ts"
import { HashCost } from "../../src/services/crypto/passwords.ts"
import { EndDouble, ReadSubscription } from "../../src/services/database/billing.ts"
import { EraseTarget, SettleRenewal } from "../../src/services/database/erasure.ts"
import { BuildExport } from "../../src/services/database/exports.ts"
import { House } from "../../src/serving.ts"
import { freshDatabase } from "./database.ts"

/** The jobs begun that end what is paid for twice. */
export const endings: Array<(typeof EndDouble.payloadSchema)["Type"]> = []

/** Jobs are accepted and never run: what waits can be inspected, and no poll races the test's clock. */
const JobsHeld = Layer.mergeAll(ReadSubscription.toLayer(() => Effect.void), BuildExport.toLayer(() => Effect.void), EraseTarget.toLayer(() => Effect.void), SettleRenewal.toLayer(() => Effect.void), EndDouble.toLayer((job) => Effect.sync(() => void endings.push(job)))).pipe(Layer.provideMerge(WorkflowEngine.layerMemory))

/** A hash costs much on purpose: the tests of passwords and those of whole programs have the real one, and all others this. */
export const cheapHashes = Layer.succeed(HashCost, { memoryCost: 64, timeCost: 1, parallelism: 1 })

/** On a fresh database, or on one that is there, as another start. */
export const houseWith = (environment: Readonly<Record<string, string>> = {}, database: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient> = freshDatabase) =>
  Layer.unwrap(Effect.gen(function*() {
    const dataDir = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "svc-house-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
    const settings = yield* loadConfig({ SVC_DATA_DIR: dataDir, ...environment })
    return House(settings, database, JobsHeld)
  })).pipe(Layer.provide(cheapHashes), Layer.provide(Logger.layer([])), Layer.orDie)
