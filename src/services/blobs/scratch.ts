/** A folder for files that must not outlive their process: their names say whose they are, and those of dead processes are swept. */
import { createHash } from "node:crypto"
import { readFileSync, readlinkSync } from "node:fs"
import { readdir, rm, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { makeFolder } from "../make-folder.ts"

const FORGOTTEN = 24 * 60 * 60 * 1000

const read = (from: () => string): string => {
  try {
    return from()
  } catch {
    return ""
  }
}

/** When a process started, in ticks since boot: a process id alone may soon be reused. Empty where /proc is absent. */
const began = (pid: number): string =>
  read(() => readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" ")[19] ?? "")

/** Where process ids are unique: this boot of this host, inside this container. */
const neighbourhood = createHash("sha256")
  .update([hostname(), read(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")), read(() => readlinkSync("/proc/self/ns/pid"))].join())
  .digest("hex")
  .slice(0, 12)

const owner = `${neighbourhood}-${process.pid}-${began(process.pid)}`
let made = 0

const isAlive = (pid: number, since: string): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
  return since === began(pid)
}

/** Spares the files of this process and of any that may still live: other servers can share the folder. */
const isLeftover = async (folder: string, name: string): Promise<boolean> => {
  const [, place, pid, since] = /^([0-9a-f]+)-(\d+)-(\d*)\./.exec(name) ?? []
  if (place === neighbourhood) return !isAlive(Number(pid), since ?? "")
  return Date.now() - (await stat(join(folder, name))).mtimeMs > FORGOTTEN
}

export class Scratch {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** A path that was never used before. */
  fresh(): string {
    return join(this.folder, `${owner}.${(made++).toString(36)}`)
  }

  /** Makes the folder and removes what killed processes left in it. */
  async prepare(): Promise<void> {
    await makeFolder(this.folder)
    for (const name of await readdir(this.folder)) {
      // Another server may be sweeping the same folder, so a file may be gone already.
      if (await isLeftover(this.folder, name).catch(() => false)) await rm(join(this.folder, name), { recursive: true, force: true })
    }
  }
}
