/** One at a time: two first starts of one checkout take turns. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/** Longer than any install takes; after it a lock counts as abandoned, since pids are reused. */
const ABANDONED_MS = 15 * 60_000

const alive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}

const abandoned = (lock) => {
  try {
    return !alive(Number(readFileSync(lock, "utf8"))) || Date.now() - statSync(lock).mtimeMs > ABANDONED_MS
  } catch {
    return false
  }
}

/** Linking a finished file makes a lock that never exists without its holder's pid. */
const take = (lock) => {
  const mine = `${lock}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  try {
    linkSync(mine, lock)
    return true
  } catch (error) {
    if (error.code !== "EEXIST") throw error
    return false
  } finally {
    rmSync(mine, { force: true })
  }
}

export const inTurn = async (lock, work) => {
  mkdirSync(dirname(lock), { recursive: true })
  let told = false
  while (!take(lock)) {
    if (abandoned(lock)) {
      // Renamed rather than removed: of two that see it, one moves it and the other finds nothing.
      const aside = `${lock}.abandoned.${process.pid}`
      try {
        renameSync(lock, aside)
      } catch {}
      rmSync(aside, { force: true })
      continue
    }
    if (!told) console.error("Waiting for another start that is preparing this checkout …")
    told = true
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}
