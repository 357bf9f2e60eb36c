/** One PostgreSQL for the whole test run, with a migrated template that each test file clones. */
import { Effect, Exit, Scope } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { DatabaseEmbedded } from "../../src/services/database/client.ts"
import { embeddedPostgres } from "../../src/services/database/embedded.ts"
import { lockDataDir } from "../../src/services/database/embedded/data-dir-lock.ts"
import { stopLeftover } from "../../src/services/database/embedded/leftover.ts"
import { migrate } from "../../src/services/database/migrate.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** How to connect to the run's cluster; `database` is the migrated template. */
    readonly cluster: { readonly host: string; readonly username: string; readonly database: string }
  }
}

const PREFIX = "svc-test-"

/** A run that was killed leaves its server and folder behind; the next run removes them. */
const clearKilledRuns = async () => {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name)
    // An orderly end removes this file, and a server that is still starting has not written it yet.
    if (!existsSync(join(folder, "postgres.owner"))) continue
    try {
      const lock = lockDataDir(folder)
      await stopLeftover(join(folder, "postgres"))
      rmSync(folder, { recursive: true, force: true })
      lock.release()
    } catch {
      // A run that is still going holds it.
    }
  }
}

export default async function setup(project: TestProject) {
  // The programs that tests start are built from the sources as they are now.
  if (spawnSync(process.execPath, ["scripts/prepare.mjs"], { stdio: ["ignore", 2, 2] }).status !== 0) throw new Error("The service could not be built")
  await clearKilledRuns()
  const dataDir = mkdtempSync(join(tmpdir(), PREFIX))
  const scope = Scope.makeUnsafe()
  const teardown = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const cluster = await Effect.runPromise(Scope.provide(scope)(embeddedPostgres({ dataDir, durable: false })))
    await Effect.runPromise(migrate.pipe(Effect.provide(DatabaseEmbedded(cluster))))
    project.provide("cluster", cluster)
  } catch (cause) {
    await teardown()
    throw cause
  }
  return teardown
}
