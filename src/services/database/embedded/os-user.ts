/** The operating system user that PostgreSQL runs as: it refuses to run as root, so root runs it as another user. */
import { execFileSync } from "node:child_process"
import { chownSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { StartRefused } from "../../start-refused.ts"

export interface OsUser {
  readonly uid: number
  readonly gid: number
}

const OWN_USER = "svc-postgres"
const FOUND_ELSEWHERE = ["postgres", "_postgres"]
const environment = { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin:/usr/bin:/bin` }

const run = (file: string, ...args: ReadonlyArray<string>): string | undefined => {
  try {
    return execFileSync(file, args, { encoding: "utf8", env: environment, stdio: ["ignore", "pipe", "ignore"] }).trim()
  } catch {
    return undefined
  }
}

const find = (name: string): OsUser | undefined => {
  const [uid, gid] = [run("id", "-u", name), run("id", "-g", name)]
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

const make = (): OsUser | undefined => {
  run("useradd", "--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent", "--shell", "/bin/false", OWN_USER)
  // Looked up whatever useradd says: another first start may have made the user a moment ago.
  return find(OWN_USER)
}

const findOrMake = (): OsUser => {
  const user = find(OWN_USER) ?? make() ?? FOUND_ELSEWHERE.map(find).find((found) => found !== undefined)
  if (user !== undefined) return user
  throw new StartRefused({
    message: `PostgreSQL does not run as root and no user could be made for it; run "useradd --system ${OWN_USER}", ` +
      "start as an ordinary user, or set SVC_DATABASE_URL to a PostgreSQL server of your own."
  })
}

/** A cluster copied back by root belongs to root; PostgreSQL insists on owning its files. */
const giveFolder = (folder: string, user: OsUser): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), user.uid, user.gid)
  }
  chownSync(folder, user.uid, user.gid)
}

/** `undefined` means the user that this process runs as. An existing cluster keeps its owner. */
export const serverUser = (cluster: string): OsUser | undefined => {
  const own = process.getuid?.() ?? 0
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (own === 0) {
    if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
    const user = findOrMake()
    if (owner !== undefined) giveFolder(cluster, user)
    return user
  }
  if (owner === undefined || owner.uid === own) return undefined
  throw new StartRefused({
    message: `${cluster} belongs to user id ${owner.uid} and this process runs as ${own}; ` +
      "start as that user or as root, or choose another folder with SVC_DATA_DIR."
  })
}
