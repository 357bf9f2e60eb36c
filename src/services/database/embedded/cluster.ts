/** Makes the database cluster: beside its final place and then renamed, so that a kill leaves none half made. */
import { chownSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import type { OsUser } from "./os-user.ts"
import { finished, spawnAs, withFolder } from "./spawn.ts"
import { StartRefused } from "../../start-refused.ts"
import { synced } from "../../written-once.ts"

/** PostgreSQL's major version: a cluster of another one cannot be read. */
const MAJOR = "18"

export const USERNAME = "svc"
export const DATABASE = "svc"

export interface ClusterPlan {
  /** Where the cluster lives once it is whole. */
  readonly cluster: string
  readonly bin: string
  readonly user: OsUser | undefined
  readonly durable: boolean
}

const mustSucceed = (what: string, { code, output }: { readonly code: number; readonly output: string }): void => {
  if (code === 0 && !/^.*\b(ERROR|FATAL|PANIC):/m.test(output)) return
  const nameless = /could not look up effective user ID (\d+)/.exec(output)?.[1]
  if (nameless !== undefined) {
    throw new StartRefused({
      message: `PostgreSQL makes its folder only as a user that has a name here, and user id ${nameless} has none; ` +
        "start as one that has (in a container without --user), or set SVC_DATABASE_URL to a PostgreSQL server of your own."
    })
  }
  const reason = /(?:error|ERROR|FATAL|PANIC): *(.+)/.exec(output)?.[1] ?? output.trim().split("\n").at(-1) ?? ""
  throw new StartRefused({
    message: `PostgreSQL could not ${what} (${reason}); check that the disk has room and that this user may write to SVC_DATA_DIR.`
  })
}

/** The built-in C.UTF-8 sorts and folds case alike on every machine, whatever locales it has. */
const LOCALE = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]

const fill = async (folder: string, { bin, durable, user }: ClusterPlan): Promise<void> => {
  const made = withFolder(folder, (path, handles) =>
    spawnAs(user, join(bin, "initdb"), [
      `--pgdata=${path}`,
      `--username=${USERNAME}`,
      "--auth=trust",
      "--no-instructions",
      ...LOCALE,
      ...(durable ? [] : ["--no-sync"])
    ], ["pipe", "pipe", "pipe", ...handles]))
  mustSucceed("make its folder", await finished(made))

  const single = withFolder(folder, (path, handles) =>
    spawnAs(user, join(bin, "postgres"), ["--single", "-D", path, ...(durable ? [] : ["-F"]), "postgres"],
      ["pipe", "pipe", "pipe", ...handles]))
  mustSucceed("make its database", await finished(single, `CREATE DATABASE ${DATABASE}\n`))
}

export const ensureCluster = async (plan: ClusterPlan): Promise<void> => {
  const { cluster, durable, user } = plan
  const parent = dirname(cluster)
  if (existsSync(cluster)) {
    const version = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim()
    if (version === MAJOR) return
    throw new StartRefused({
      message: `${cluster} was made by PostgreSQL ${version} and this is ${MAJOR}; ` +
        "carry the data over with pg_dump and pg_restore, or choose another folder with SVC_DATA_DIR."
    })
  }
  for (const name of readdirSync(parent)) {
    if (name.startsWith("postgres.new-")) rmSync(join(parent, name), { recursive: true, force: true })
  }
  const aside = join(parent, `postgres.new-${process.pid}`)
  mkdirSync(aside, { mode: 0o700 })
  if (user !== undefined) chownSync(aside, user.uid, user.gid)
  await fill(aside, plan)
  renameSync(aside, cluster)
  if (durable) await synced(parent)
}
