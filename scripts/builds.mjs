/** What is built into dist for the service: whether it is up to date with its sources, and how to build it. */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The lock file stands for the packages that are built in, and for the builder. */
const LOCK = "package-lock.json"

/** What the web files are built from. */
export const WEB_SOURCES = ["web", "src/look", "src/domain/projects/documents/delimited.ts", "src/domain/projects/documents/terminal-codes.ts", "src/http/contract/sizes.ts", LOCK]

const SERVICE_CONFIG = "scripts/service.config.mjs"

const BUILDS = [
  // One stamp for both folders: it is not beside the app, which others upload as it is.
  { sources: WEB_SOURCES, configs: ["web/vite.config.ts", "web/app/vite.config.ts"], stamp: "dist/web/.built", made: "dist/app/manifest.json" },
  { sources: ["src", SERVICE_CONFIG, LOCK], configs: [SERVICE_CONFIG], stamp: "dist/service/.built", made: "dist/service/main.js" }
]

const filesOf = (root, name) => {
  try {
    const entries = readdirSync(join(root, name), { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort()
  } catch {
    return [join(root, name)]
  }
}

const digest = (root, { sources }) => {
  const hash = createHash("sha256")
  for (const file of sources.flatMap((name) => filesOf(root, name))) {
    hash.update(`${file.slice(root.length)} `).update(createHash("sha256").update(readFileSync(file)).digest())
  }
  return hash.digest("hex")
}

const current = (root, one) =>
  existsSync(join(root, one.made)) && existsSync(join(root, one.stamp)) && readFileSync(join(root, one.stamp), "utf8") === digest(root, one)

export const built = (root) => BUILDS.every((one) => current(root, one))

/** Builds what is not up to date, with this Node, which must be new enough. False if a build failed or the install left the builder out. */
export const build = (root, node) =>
  BUILDS.filter((one) => !current(root, one)).every((one) => {
    const stamp = digest(root, one)
    const vite = join(root, "node_modules", "vite", "bin", "vite.js")
    const worked = one.configs.every((config) => {
      const args = [vite, "build", "--config", join(root, config), "--configLoader", "native", "--logLevel", "warn"]
      // Whatever the caller is: under a test runner React's development build would be taken, slower and with other errors.
      const env = { ...process.env, NODE_ENV: "production" }
      return spawnSync(node, args, { cwd: root, env, stdio: ["ignore", 2, 2] }).status === 0
    })
    // Written last: a build that was cut short has no stamp.
    if (worked) writeFileSync(join(root, one.stamp), stamp)
    return worked
  })
