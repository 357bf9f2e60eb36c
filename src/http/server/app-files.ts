/** What the web app's build made, read once at start: its one page, and the hashed files under `/assets/`. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { OwnFile } from "./answers.ts"

const BUILT = fileURLToPath(new URL("../../../dist/app", import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2"
}

const read = (name: string): OwnFile => {
  const path = join(BUILT, "assets", name)
  const identity = readFileSync(path)
  return {
    type: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(identity).digest("hex").slice(0, 32)}"`,
    bytes: {
      identity,
      ...(existsSync(`${path}.br`) && { br: readFileSync(`${path}.br`) }),
      ...(existsSync(`${path}.gz`) && { gzip: readFileSync(`${path}.gz`) })
    }
  }
}

interface Made {
  readonly file: string
  readonly imports?: ReadonlyArray<string>
}

/** The scripts of these screens, without those that the page loads itself. */
const scriptsIn = (manifest: Readonly<Record<string, Made>>, index: string) => (screens: ReadonlyArray<string>): ReadonlyArray<string> => {
  const reached = new Set<string>()
  const left = [...screens]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    left.push(...(manifest[next]?.imports ?? []))
  }
  return [...reached].flatMap((source) => manifest[source]?.file ?? []).filter((file) => !index.includes(file)).sort()
}

const load = () => {
  if (!existsSync(join(BUILT, "index.html"))) throw new Error("The web app is not built: run \"npm run build\" once.")
  const names = readdirSync(join(BUILT, "assets")).filter((name) => !/\.(?:br|gz)$/.test(name))
  const index = readFileSync(join(BUILT, "index.html"), "utf8")
  const scripts = scriptsIn(JSON.parse(readFileSync(join(BUILT, "manifest.json"), "utf8")), index)
  return { index, scripts, files: new Map(names.map((name) => [name, read(name)])) }
}

let loaded: ReturnType<typeof load> | undefined

export const appFiles = () => loaded ??= load()
