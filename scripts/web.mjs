/** Whether dist/web and dist/app are up to date with their sources, and how to build them. */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The lock file stands for the packages that are built in, and for the builder. */
export const SOURCES = ["web", "src/look", "src/domain/projects/delimited.ts", "src/domain/projects/terminal-codes.ts", "src/http/contract/sizes.ts", "package-lock.json"]

/** For both folders: it is not beside the app, which others upload as it is. */
const stampOf = (root) => join(root, "dist", "web", ".built")
const appOf = (root) => join(root, "dist", "app", "manifest.json")

const filesOf = (root, name) => {
  try {
    const entries = readdirSync(join(root, name), { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort()
  } catch {
    return [join(root, name)]
  }
}

const digest = (root) => {
  const hash = createHash("sha256")
  for (const file of SOURCES.flatMap((name) => filesOf(root, name))) {
    hash.update(`${file.slice(root.length)} `).update(createHash("sha256").update(readFileSync(file)).digest())
  }
  return hash.digest("hex")
}

export const built = (root) => existsSync(appOf(root)) && existsSync(stampOf(root)) && readFileSync(stampOf(root), "utf8") === digest(root)

/** With this Node, which must be new enough. False if the build failed or the install left the builder out. */
export const build = (root, node) => {
  const stamp = digest(root)
  const vite = join(root, "node_modules", "vite", "bin", "vite.js")
  const worked = ["web", "web/app"].every((folder) => {
    const args = [vite, "build", "--config", join(root, folder, "vite.config.ts"), "--configLoader", "native", "--logLevel", "warn"]
    return spawnSync(node, args, { cwd: root, stdio: ["ignore", 2, 2] }).status === 0
  })
  // Written last: a build that was cut short has no stamp.
  if (worked) writeFileSync(stampOf(root), stamp)
  return worked
}
