/**
 * A copy of the embedded service, taken while it runs: its database, its packs and its secret.
 *
 * An advisory lock allows one backup at a time, from the first step to the last.
 *
 * 1. Keep the WAL: a temporary replication slot of this session retains every segment from here on.
 * 2. Begin the backup in PostgreSQL, and copy the cluster while it changes.
 * 3. End the backup in PostgreSQL, and copy the WAL: on its first start the copy replays it, which repairs torn pages.
 * 4. Copy the packs last: bytes are durable before their rows and collected a day after, so no pack that a row names is missing.
 * 5. Sync everything, check for the files that a start reads first, and rename the folder: a backup under its own name is whole.
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
import { SOCKET_NAME } from "./socket-folder.ts"
import { makeFolder } from "../../make-folder.ts"
import { StartRefused, step } from "../../start-refused.ts"
import { synced } from "../../written-once.ts"
import { LOCKS } from "../locks.ts"

/** Left out: what PostgreSQL makes anew, and what belongs only to the running server (its manual, "Low-Level Base Backup"). */
const EMPTIED = new Set(["pg_wal", "pg_replslot", "pg_dynshmem", "pg_notify", "pg_serial", "pg_snapshots", "pg_stat_tmp", "pg_subtrans"])
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)|pgsql_tmp.*|pg_internal\.init.*)$/

const KEPT = ["blobs/packs", "blobs/deployment", "secret"]

const missing = (cause: unknown): boolean => (cause as { code?: string }).code === "ENOENT"

/** PostgreSQL insists on owning its files, and files copied by root belong to root. */
const own = async (path: string, { gid, uid }: Stats): Promise<void> => {
  if (process.getuid?.() === 0) await lchown(path, uid, gid)
}

/** Copies a file, or a folder with everything in it that `wanted` accepts, until the signal; what is removed meanwhile is left out. */
const copy = async (from: string, to: string, signal: AbortSignal, wanted: (name: string, within: string) => boolean = () => true): Promise<void> => {
  signal.throwIfAborted()
  const facts = await lstat(from).catch((cause: unknown) => {
    if (missing(cause)) return undefined
    throw cause
  })
  if (facts === undefined) return
  if (facts.isSymbolicLink()) return symlink(await readlink(from), to)
  if (!facts.isDirectory()) {
    const copied = await copyFile(from, to, constants.COPYFILE_FICLONE).then(() => true, async (cause: unknown) => {
      // The source is gone, rather than the target's folder.
      if (missing(cause) && await lstat(from).then(() => false, missing)) return false
      throw cause
    })
    if (!copied) return
  } else {
    await mkdir(to, { recursive: true, mode: facts.mode })
    for (const name of await readdir(from)) {
      if (wanted(name, from)) await copy(join(from, name), join(to, name), signal, wanted)
    }
  }
  await own(to, facts)
  await synced(to)
}

const socketFolderOf = (cluster: string): string => {
  const pid = join(cluster, "postmaster.pid")
  if (!existsSync(pid)) throw new StartRefused({ message: `Nothing runs in ${dirname(cluster)}: start the service, or copy that folder as it is.` })
  const folder = readFileSync(pid, "utf8").split("\n")[4] ?? ""
  if (existsSync(join(folder, SOCKET_NAME))) return folder
  throw new StartRefused({
    message: `The database of ${dirname(cluster)} has its socket in ${folder}, which is not there from here. If the service runs, its /tmp is its own, ` +
      "as in a container or by PrivateTmp of systemd: take the backup in there, or start the service with TMPDIR set to a folder that both see."
  })
}

/** A stop ends it before its next file, and waits for that: a folder that is still being written would not go away. */
const doing = <A>(run: (signal: AbortSignal) => A | PromiseLike<A>) =>
  Effect.callback<A, StartRefused>((resume, signal) => {
    const over = Effect.runPromiseExit(step(() => run(signal), "The backup was not taken", "its folder")).then(resume)
    return Effect.promise(() => over)
  })

type Ask = (statement: string) => Effect.Effect<ReadonlyArray<any>, SqlError.SqlError>

const copyCluster = Effect.fn("backup.copyCluster")(function*(ask: Ask, from: string, to: string) {
  yield* ask("SELECT slot_name::text FROM pg_create_physical_replication_slot('svc_backup', true, true)")
  yield* ask("SELECT pg_backup_start('svc', true)::text")
  yield* doing((signal) => copy(from, to, signal, (name, within) => !LEFT_OUT.test(name) && !(dirname(within) === from && EMPTIED.has(within.slice(from.length + 1)))))
  const [label] = yield* ask("SELECT labelfile FROM pg_backup_stop(false)")
  yield* doing(async (signal) => {
    const said = join(to, "backup_label")
    await writeFile(said, String(label.labelfile), { mode: 0o600 })
    await own(said, await lstat(to))
    await synced(said)
    await copy(join(from, "pg_wal"), join(to, "pg_wal"), signal)
  })
  // Copying the packs may take hours, and the WAL would grow meanwhile.
  yield* ask("SELECT pg_drop_replication_slot('svc_backup')::text")
})

const refuse = (message: string) => Effect.fail(new StartRefused({ message }))

/** What a start from the copy reads first; a copy that lacks one of these is refused. */
const NEEDED = ["PG_VERSION", "global/pg_control", "backup_label"]

/** Folders of backups to the same name that were cut off, or that another process is still writing. */
const partsBeside = async (into: string): Promise<ReadonlyArray<string>> =>
  (await readdir(dirname(into))).filter((name) => name.startsWith(`${basename(into)}.part`)).map((name) => join(dirname(into), name))

/**
 * `into` must not exist yet; afterwards it is a data folder to start from. Answers the folders that earlier backups to that
 * name left behind: only whoever ran those knows whether one is still being written.
 */
export const backup = Effect.fn("backup")(function*(options: { readonly dataDir: string; readonly into: string }) {
  const [dataDir, into] = [resolve(options.dataDir), resolve(options.into)]
  const cluster = join(dataDir, "postgres")
  const host = yield* doing(() => socketFolderOf(cluster))
  return yield* Effect.gen(function*() {
    const session = yield* (yield* SqlClient.SqlClient).reserve
    const ask: Ask = (statement) => session.executeUnprepared(statement, [], undefined)
    // One backup at a time, its packs included.
    const [lock] = yield* ask(`SELECT pg_try_advisory_lock(${LOCKS.backup}) AS taken`)
    if (!lock.taken) return yield* refuse(`Another backup of ${dataDir} is being taken: wait for it to end.`)
    // The session's end gives it back too, but only a moment after this process has ended it: too late for a backup right after this one.
    yield* Effect.addFinalizer(() => Effect.ignore(ask(`SELECT pg_advisory_unlock(${LOCKS.backup})`)))
    if (existsSync(into)) return yield* refuse(`${into} is there already: name a folder that is not.`)
    const [left, aside] = yield* doing(async () => {
      await makeFolder(dirname(into), 0o700)
      return [await partsBeside(into), await mkdtemp(`${into}.part-`)] as const
    })
    yield* Effect.gen(function*() {
      yield* copyCluster(ask, cluster, join(aside, "postgres"))
      yield* doing(async (signal) => {
        await mkdir(join(aside, "blobs"), { mode: 0o700 })
        for (const name of KEPT) await copy(join(dataDir, name), join(aside, name), signal)
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
