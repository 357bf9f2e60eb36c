/** Whether node_modules holds what package-lock.json asks for, judged by the record npm itself keeps there. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages

/** npm writes its record last, so an install cut short has none. */
export const installed = (root) => {
  const record = join(root, "node_modules", ".package-lock.json")
  if (!existsSync(record)) return false
  const present = packagesOf(record)
  const withoutDev = /(^|\s|,)dev($|\s|,)/.test(process.env.npm_config_omit ?? "")
  return Object.entries(packagesOf(join(root, "package-lock.json"))).every(([path, wanted]) => {
    if (path === "" || wanted.link === true) return true
    const found = present[path]
    if (found !== undefined) return found.version === wanted.version
    // Another system's binaries are optional and stay away here.
    return wanted.optional === true || wanted.devOptional === true || (withoutDev && wanted.dev === true)
  })
}
