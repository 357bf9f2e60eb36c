/** Whether node_modules holds what package-lock.json asks for. */
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const lockOf = (root) => join(root, "package-lock.json")
const stampOf = (root) => join(root, "node_modules", ".installed")
/** npm's own record of what it installed, which it writes last. */
const recordOf = (root) => join(root, "node_modules", ".package-lock.json")

const digest = (root) =>
  createHash("sha256").update(`${process.platform} ${process.arch} `).update(readFileSync(lockOf(root))).digest("hex")

/** Undefined if there is no such file, or another start is still writing it. */
const packagesOf = (file) => {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages
  } catch {
    return undefined
  }
}

/** A plain "npm install" leaves no stamp; then npm's own record decides. */
const recorded = (root) => {
  const present = packagesOf(recordOf(root))
  if (present === undefined) return false
  const withoutDev = /\bdev\b/.test(process.env.npm_config_omit ?? "")
  return Object.entries(packagesOf(lockOf(root)) ?? {}).every(([path, wanted]) => {
    if (path === "" || wanted.link === true || wanted.extraneous === true) return true
    const found = present[path]
    if (found !== undefined) return found.version === wanted.version
    // Other systems' binaries are optional and are not installed here.
    return wanted.optional === true || wanted.devOptional === true || (withoutDev && wanted.dev === true)
  })
}

const finished = (root) => existsSync(recordOf(root))

export const installed = (root) =>
  (finished(root) && existsSync(stampOf(root)) && readFileSync(stampOf(root), "utf8") === digest(root)) || recorded(root)

/** After "npm ci"; false where that did not get to its end: npm has been seen to answer 0 when the registry could not be reached. */
export const stampInstalled = (root) => {
  if (!finished(root)) return false
  writeFileSync(stampOf(root), digest(root))
  return true
}
