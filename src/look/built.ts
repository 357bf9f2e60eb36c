/** What a build of web/ made, in dist/: its files with their compressed forms, and which source needs which. */
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export interface BuiltFile {
  readonly type: string
  /** The strong ETag of the plain bytes, quotes included. */
  readonly etag: string
  readonly bytes: { readonly identity: Buffer; readonly br?: Buffer; readonly gzip?: Buffer }
}

/** What was made of one source. */
export interface Made {
  readonly file: string
  readonly css?: ReadonlyArray<string>
  readonly imports?: ReadonlyArray<string>
  readonly assets?: ReadonlyArray<string>
}

export type Manifest = Readonly<Record<string, Made>>

export const SCRIPT = "text/javascript; charset=utf-8"

const TYPES: Readonly<Record<string, string>> = {
  js: SCRIPT,
  mjs: SCRIPT,
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  wasm: "application/wasm",
  woff2: "font/woff2"
}

export const builtFolder = (name: "app" | "web"): string => fileURLToPath(new URL(`../../dist/${name}`, import.meta.url))

/** The strong tag of these bytes, quotes included. */
export const etagOf = (bytes: string | Uint8Array): string => `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`

export const builtFile = (folder: string, name: string): BuiltFile => {
  const path = join(folder, name)
  const identity = readFileSync(path)
  return {
    type: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    etag: etagOf(identity),
    bytes: {
      identity,
      ...(existsSync(`${path}.br`) && { br: readFileSync(`${path}.br`) }),
      ...(existsSync(`${path}.gz`) && { gzip: readFileSync(`${path}.gz`) })
    }
  }
}

export const manifestIn = (folder: string): Manifest => {
  try {
    return JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"))
  } catch {
    throw new Error(`There is nothing built in ${folder}: run "npm run build" once.`)
  }
}

/** These sources and all that they cannot start without, each before what it imports. */
export const reachedIn = (manifest: Manifest, sources: ReadonlyArray<string>, before = new Set<string>()): ReadonlySet<string> => {
  for (const source of sources) {
    if (before.has(source)) continue
    before.add(source)
    reachedIn(manifest, manifest[source]?.imports ?? [], before)
  }
  return before
}
