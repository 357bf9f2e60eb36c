/**
 * A copy of the embedded service, taken while it works: its database, its packs and its secret.
 *
 * 1. Keep the log: a replication slot of this session holds every segment from here on.
 * 2. Say that a backup begins, and copy the cluster as it is, changing under our hands.
 * 3. Say that it ends, and copy the log: the copy mends from it what was torn, when it first starts.
 * 4. Copy the packs last: bytes are durable before their rows and collected a day after, so none that a row names is missing.
 * 5. Make all of it durable, and give it its name: a backup that is there is whole.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { constants, existsSync, readFileSync } from "node:fs"
import type { Stats } from "node:fs"
import { copyFile, lchown, lstat, mkdir, open, readdir, readlink, rename, rm, symlink, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { DATABASE, USERNAME } from "./cluster.ts"
import { StartRefused, step } from "./start-refused.ts"

/** What PostgreSQL makes anew, and what belongs to the running server alone (its manual, "Low-Level Base Backup"). */
const EMPTIED = new Set(["pg_wal", "pg_replslot", "pg_dynshmem", "pg_notify", "pg_serial", "pg_snapshots", "pg_stat_tmp", "pg_subtrans"])
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)|pgsql_tmp.*|pg_internal\.init.*)$/

const KEPT = ["blobs/packs", "blobs/deployment", "secret"]

const missing = (cause: unknown): boolean => (cause as { code?: string }).code === "ENOENT"

const durable = async (path: string): Promise<void> => {
  const handle = await open(path, "r")
  await handle.sync().finally(() => handle.close())
}

/** PostgreSQL insists on owning its files, and root made these. */
const own = async (path: string, { gid, uid }: Stats): Promise<void> => {
  if (process.getuid?.() === 0) await lchown(path, uid, gid)
}

/** A file, or a folder with all in it that `wanted` wants; what is removed meanwhile was not wanted. */
const copy = async (from: string, to: string, wanted: (name: string, within: string) => boolean = () => true): Promise<void> => {
  const facts = await lstat(from).catch((cause: unknown) => {
    if (missing(cause)) return undefined
    throw cause
  })
  if (facts === undefined) return
  if (facts.isSymbolicLink()) return symlink(await readlink(from), to)
  if (!facts.isDirectory()) {
    await copyFile(from, to, constants.COPYFILE_FICLONE).catch((cause: unknown) => {
      if (!missing(cause)) throw cause
    })
    if (!existsSync(to)) return
  } else {
    await mkdir(to, { recursive: true, mode: facts.mode })
    for (const name of await readdir(from)) {
      if (wanted(name, from)) await copy(join(from, name), join(to, name), wanted)
    }
  }
  await own(to, facts)
  await durable(to)
}

const socketFolderOf = (cluster: string): string => {
  const pid = join(cluster, "postmaster.pid")
  if (existsSync(pid)) return readFileSync(pid, "utf8").split("\n")[4] ?? ""
  throw new StartRefused({ message: `Nothing runs in ${dirname(cluster)}: start the service, or copy that folder as it is.` })
}

const copyCluster = Effect.fn("backup.copyCluster")(function*(from: string, to: string) {
  const sql = yield* SqlClient.SqlClient
  const session = yield* sql.reserve
  const ask = (statement: string) => session.executeUnprepared(statement, [], undefined)
  yield* ask("SELECT slot_name::text FROM pg_create_physical_replication_slot('svc_backup', true, true)")
  yield* ask("SELECT pg_backup_start('svc', true)::text")
  yield* step(() => copy(from, to, (name, within) => !LEFT_OUT.test(name) && !(dirname(within) === from && EMPTIED.has(within.slice(from.length + 1)))))
  const [label] = yield* ask("SELECT labelfile FROM pg_backup_stop(false)")
  yield* step(async () => {
    const said = join(to, "backup_label")
    await writeFile(said, String(label.labelfile), { mode: 0o600 })
    await own(said, await lstat(to))
    await durable(said)
    await copy(join(from, "pg_wal"), join(to, "pg_wal"))
  })
}, Effect.scoped)

/** `into`: a folder that is not there yet; afterwards it is a data folder to start from. */
export const backup = Effect.fn("backup")(function*(options: { readonly dataDir: string; readonly into: string }) {
  const [dataDir, into] = [resolve(options.dataDir), resolve(options.into)]
  const cluster = join(dataDir, "postgres")
  const aside = `${into}.part`
  const host = yield* step(() => socketFolderOf(cluster))
  yield* step(async () => {
    if (existsSync(into)) throw new StartRefused({ message: `${into} is there already: name a folder that is not.` })
    await rm(aside, { recursive: true, force: true })
    await mkdir(join(aside, "blobs"), { recursive: true, mode: 0o700 })
  })
  yield* copyCluster(cluster, join(aside, "postgres")).pipe(
    Effect.provide(PgClient.layer({ host, username: USERNAME, database: DATABASE, maxConnections: 1, applicationName: "svc backup" })),
    Effect.catchTag("SqlError", () => new StartRefused({ message: `The database of ${dataDir} did not finish the backup; is another one being taken?` }))
  )
  yield* step(async () => {
    for (const name of KEPT) await copy(join(dataDir, name), join(aside, name))
    await durable(aside)
    await rename(aside, into)
    await durable(dirname(into))
  })
})
