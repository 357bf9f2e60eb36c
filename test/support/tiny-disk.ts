/** File systems of a few megabytes, which only root can mount. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Of so many megabytes; undefined if this process may not mount one. */
export const tinyDisk = (megabytes: number): string | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const path = mkdtempSync(join(tmpdir(), "tiny-"))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path], { stdio: "ignore" })
    return path
  } catch {
    rmSync(path, { recursive: true })
    return undefined
  }
}

export const unmount = (disk: string): void => {
  execFileSync("umount", ["--lazy", disk])
  rmSync(disk, { recursive: true })
}
