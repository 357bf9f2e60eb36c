/** What the web build made, read once at start and served on every project's host: `/_svc/assets/<name>`. */
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assetsPath } from "../../look/assets.ts"
import { encodingsFor } from "../contract/negotiation.ts"
import type { Encoding } from "../contract/negotiation.ts"
import { precondition } from "../contract/preconditions.ts"
import { keeping } from "./caching.ts"
import type { Exchange } from "./exchange.ts"
import { everyAnswer } from "./headers.ts"

const BUILT = fileURLToPath(new URL("../../../dist/web", import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  wasm: "application/wasm",
  woff2: "font/woff2"
}

/** For a script that runs as a worker: it reads strangers' documents, and needs nothing but bytes of this host. */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

interface WebFile {
  readonly type: string
  readonly bytes: Partial<Record<Encoding, Buffer>> & { readonly identity: Buffer }
  readonly tags: Readonly<Record<Encoding, string>>
}

interface Made {
  readonly file: string
  readonly css?: ReadonlyArray<string>
  readonly imports?: ReadonlyArray<string>
  readonly assets?: ReadonlyArray<string>
}

const read = (name: string): WebFile => {
  const path = join(BUILT, name)
  const identity = readFileSync(path)
  const tag = createHash("sha256").update(identity).digest("hex").slice(0, 32)
  return {
    type: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    bytes: {
      identity,
      ...(existsSync(`${path}.br`) && { br: readFileSync(`${path}.br`) }),
      ...(existsSync(`${path}.gz`) && { gzip: readFileSync(`${path}.gz`) })
    },
    tags: { identity: `"${tag}"`, gzip: `"${tag}-gz"`, br: `"${tag}-br"` }
  }
}

const readManifest = (): Readonly<Record<string, Made>> => {
  try {
    return JSON.parse(readFileSync(join(BUILT, "manifest.json"), "utf8"))
  } catch {
    throw new Error("The web files are not built: run \"npm run build\" once.")
  }
}

const { cacheControl } = keeping({ content: "look" })

export interface WebAssets {
  /** The address of the file built from this source, on any host. */
  readonly url: (source: string) => string
  /** A script's address, and those of the scripts that it cannot start without. */
  readonly modules: (source: string) => ReadonlyArray<string>
  /** The addresses of the styles that a source imports. */
  readonly styles: (source: string) => ReadonlyArray<string>
  /** False where there is no such file. The same for every host, so it reveals nothing about one. */
  readonly send: (x: Exchange, name: string) => boolean
}

const load = (): WebAssets => {
  const manifest = readManifest()
  const names = Object.values(manifest).flatMap(({ assets = [], css = [], file }) => [file, ...css, ...assets])
  const files = new Map([...new Set(names)].map((name) => [name, read(name)]))

  const madeOf = (source: string): Made => {
    const made = manifest[source]
    if (made === undefined) throw new Error(`The web build made nothing of ${source}: run "npm run build" again.`)
    return made
  }

  const reached = (source: string, before = new Set<string>()): Set<string> => {
    if (before.has(source)) return before
    before.add(source)
    for (const one of madeOf(source).imports ?? []) reached(one, before)
    return before
  }

  return {
    url: (source) => assetsPath + madeOf(source).file,
    modules: (source) => [...reached(source)].map((one) => assetsPath + madeOf(one).file),
    // Shared styles come first, in the order of imports.
    styles: (source) => [...reached(source)].toReversed().flatMap((one) => madeOf(one).css ?? []).map((name) => assetsPath + name),
    send: (x, name) => {
      const file = files.get(name)
      if (file === undefined) return false
      const encodings = encodingsFor(file.bytes, x.req.headers["accept-encoding"])
      const lines = [...everyAnswer(), "Cache-Control", cacheControl, "X-Robots-Tag", "noindex", "Vary", "Accept-Encoding"]
      const verdict = precondition(x.req.headers, encodings.map((encoding) => file.tags[encoding]))
      if (verdict === "failed") x.send(412, [...lines, "Content-Length", "0"], undefined, "look")
      else if (verdict !== "go") x.send(304, [...lines, "ETag", verdict.unchanged], undefined, "look")
      else {
        const encoding = encodings[0]!
        const bytes = file.bytes[encoding]!
        if (file.type === TYPES["js"]) lines.push("Content-Security-Policy", WORKER_POLICY)
        lines.push("ETag", file.tags[encoding], "Content-Type", file.type, "Content-Length", String(bytes.length))
        if (encoding !== "identity") lines.push("Content-Encoding", encoding)
        x.send(200, lines, bytes, "look")
      }
      return true
    }
  }
}

let loaded: WebAssets | undefined

export const webAssets = (): WebAssets => loaded ??= load()
