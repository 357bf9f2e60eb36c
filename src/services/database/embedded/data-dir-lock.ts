/** One process per data folder: a lock that the kernel drops when its holder dies, however it dies. */
import { accessSync, constants, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { StartRefused } from "../../start-refused.ts"

const SQLITE_BUSY = 5

/** Never reads the lock file itself: closing another handle on it would drop this process's POSIX lock. */
const holderOf = (ownerFile: string): string => {
  try {
    const { pid, since } = JSON.parse(readFileSync(ownerFile, "utf8")) as { pid: number; since: string }
    return `process ${pid} since ${since}`
  } catch {
    return "another process"
  }
}

export interface DataDirLock {
  readonly release: () => void
}

/** SQLite's exclusive lock is the only kernel file lock that Node ships. */
export const lockDataDir = (dataDir: string): DataDirLock => {
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  const ownerFile = join(dataDir, "postgres.owner")
  const lock = new DatabaseSync(join(dataDir, "postgres.lock"), { timeout: 0 })
  try {
    lock.exec("BEGIN EXCLUSIVE")
  } catch (cause) {
    lock.close()
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw cause
    throw new StartRefused({
      message: `The data folder ${dataDir} is in use by ${holderOf(ownerFile)}; ` +
        "stop that process first, or choose another folder with SVC_DATA_DIR."
    })
  }
  const release = () => {
    rmSync(ownerFile, { force: true })
    lock.close()
  }
  try {
    writeFileSync(ownerFile, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }))
  } catch (cause) {
    lock.close()
    throw cause
  }
  return { release }
}
