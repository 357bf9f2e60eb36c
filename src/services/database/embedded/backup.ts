/**
 * A copy of the embedded service, taken while it works: its database, its packs and its secret.
 *
 * A lock of the database lets one at a time, from the first step to the last.
 *
 * 1. Keep the log: a replication slot of this session holds every segment from here on.
 * 2. Say that a backup begins, and copy the cluster as it is, changing under our hands.
 * 3. Say that it ends, and copy the log: the copy mends from it what was torn, when it first starts.
 * 4. Copy the packs last: bytes are durable before their rows and collected a day after, so none that a row names is missing.
 * 5. Make all of it durable, see that a start would find its way in, and give it its name: a backup that is there is whole.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { constants, existsSync, readFileSync } from "node:fs"
import type { Stats } from "node:fs"
import { copyFile, lchown, lstat, mkdir, mkdtemp, readdir, readlink, rename, rm, stat, symlink, writeFile } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { DATABASE, USERNAME } from "./cluster.ts"
import { StartRefused, step } from "../../start-refused.ts"
import { synced } from "../../written-once.ts"
import { LOCKS } from "../locks.ts"

/** What PostgreSQL makes anew, and what belongs to the running server alone (its manual, "Low-Level Base Backup"). */
const EMPTIED = new Set(["pg_wal", "pg_replslot", "pg_dynshmem", "pg_notify", "pg_serial", "pg_snapshots", "pg_stat_tmp", "pg_subtrans"])
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)|pgsql_tmp.*|pg_internal\.init.*)$/

const KEPT = ["blobs/packs", "blobs/deployment", "secret"]

const missing = (cause: unknown): boolean => (cause as { code?: string }).code === "ENOENT"

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
    const copied = await copyFile(from, to, constants.COPYFILE_FICLONE).then(() => true, async (cause: unknown) => {
      // Gone at this end, and not at the other.
      if (missing(cause) && await lstat(from).then(() => false, missing)) return false
      throw cause
    })
    if (!copied) return
  } else {
    await mkdir(to, { recursive: true, mode: facts.mode })
    for (const name of await readdir(from)) {
      if (wanted(name, from)) await copy(join(from, name), join(to, name), wanted)
    }
  }
  await own(to, facts)
  await synced(to)
}

const socketFolderOf = (cluster: string): string => {
  const pid = join(cluster, "postmaster.pid")
  if (existsSync(pid)) return readFileSync(pid, "utf8").split("\n")[4] ?? ""
  throw new StartRefused({ message: `Nothing runs in ${dirname(cluster)}: start the service, or copy that folder as it is.` })
}

const doing = <A>(run: () => A | PromiseLike<A>) => step(run, "The backup was not taken", "its folder")

type Ask = (statement: string) => Effect.Effect<ReadonlyArray<any>, SqlError.SqlError>

const copyCluster = Effect.fn("backup.copyCluster")(function*(ask: Ask, from: string, to: string) {
  yield* ask("SELECT slot_name::text FROM pg_create_physical_replication_slot('svc_backup', true, true)")
  yield* ask("SELECT pg_backup_start('svc', true)::text")
  yield* doing(() => copy(from, to, (name, within) => !LEFT_OUT.test(name) && !(dirname(within) === from && EMPTIED.has(within.slice(from.length + 1)))))
  const [label] = yield* ask("SELECT labelfile FROM pg_backup_stop(false)")
  yield* doing(async () => {
    const said = join(to, "backup_label")
    await writeFile(said, String(label.labelfile), { mode: 0o600 })
    await own(said, await lstat(to))
    await synced(said)
    await copy(join(from, "pg_wal"), join(to, "pg_wal"))
  })
  // The packs may take hours, and the log would grow meanwhile.
  yield* ask("SELECT pg_drop_replication_slot('svc_backup')::text")
})

const refuse = (message: string) => Effect.fail(new StartRefused({ message }))

/** What a start from it reads first: without any of these it is no copy, whatever became of the rest. */
const NEEDED = ["PG_VERSION", "global/pg_control", "backup_label"]

/** Folders of backups to the same name that were cut off, or that are still being taken elsewhere. */
const partsBeside = async (into: string): Promise<ReadonlyArray<string>> =>
  (await readdir(dirname(into))).filter((name) => name.startsWith(`${basename(into)}.part`)).map((name) => join(dirname(into), name))

/**
 * `into`: a folder that is not there yet; afterwards it is a data folder to start from. Answers what earlier ones to that
 * name left behind: whether nobody writes there any more is for whoever ran them to say.
 */
export const backup = Effect.fn("backup")(function*(options: { readonly dataDir: string; readonly into: string }) {
  const [dataDir, into] = [resolve(options.dataDir), resolve(options.into)]
  const cluster = join(dataDir, "postgres")
  const host = yield* doing(() => socketFolderOf(cluster))
  return yield* Effect.gen(function*() {
    const session = yield* (yield* SqlClient.SqlClient).reserve
    const ask: Ask = (statement) => session.executeUnprepared(statement, [], undefined)
    // This session's until its end: one backup at a time, its packs included.
    const [lock] = yield* ask(`SELECT pg_try_advisory_lock(${LOCKS.backup}) AS taken`)
    if (!lock.taken) return yield* refuse(`Another backup of ${dataDir} is being taken: wait for it to end.`)
    if (existsSync(into)) return yield* refuse(`${into} is there already: name a folder that is not.`)
    const [left, aside] = yield* doing(async () => {
      await mkdir(dirname(into), { recursive: true, mode: 0o700 })
      return [await partsBeside(into), await mkdtemp(`${into}.part-`)] as const
    })
    yield* Effect.gen(function*() {
      yield* copyCluster(ask, cluster, join(aside, "postgres"))
      yield* doing(async () => {
        await mkdir(join(aside, "blobs"), { mode: 0o700 })
        for (const name of KEPT) await copy(join(dataDir, name), join(aside, name))
        for (const name of NEEDED) {
          if ((await stat(join(aside, "postgres", name))).size === 0) throw new Error(`${name} of the copy is empty`)
        }
        await synced(join(aside, "blobs"))
        await synced(aside)
        await rename(aside, into)
        await synced(dirname(into))
      })
    }).pipe(Effect.ensuring(Effect.ignore(Effect.tryPromise(() => rm(aside, { recursive: true, force: true })))))
    return left
  }).pipe(
    Effect.scoped,
    Effect.provide(PgClient.layer({ host, username: USERNAME, database: DATABASE, maxConnections: 1, applicationName: "svc backup" })),
    Effect.catchTag("SqlError", () => refuse(`The database of ${dataDir} did not finish the backup; is it being stopped?`))
  )
})
