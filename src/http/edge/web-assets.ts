/** What the web build made, and the typefaces: read once at start and served on every project's host, `/_svc/assets/<name>`. */
import { builtFile, builtFolder, manifestIn, reachedIn, SCRIPT } from "../../look/built.ts"
import type { BuiltFile, Made } from "../../look/built.ts"
import { assetsPath, faces } from "../../look/faces.ts"
import { encodingsFor } from "../contract/negotiation.ts"
import type { Encoding } from "../contract/negotiation.ts"
import { keeping } from "./caching.ts"
import { answeredByTag } from "./conditional.ts"
import type { Exchange } from "./exchange.ts"
import { everyAnswer } from "./headers.ts"

/** For a script that runs as a worker: it reads strangers' documents, and needs nothing but bytes of this host. */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

interface WebFile extends BuiltFile {
  readonly tags: Readonly<Record<Encoding, string>>
}

const tagged = (file: BuiltFile): WebFile => {
  const tagOf = (encoding: string) => `${file.etag.slice(0, -1)}-${encoding}"`
  return { ...file, tags: { identity: file.etag, gzip: tagOf("gz"), br: tagOf("br") } }
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
  const folder = builtFolder("web")
  const manifest = manifestIn(folder)
  const names = Object.values(manifest).flatMap(({ assets = [], css = [], file }) => [file, ...css, ...assets])
  const built = [...new Set(names)].map((name) => [name, builtFile(folder, name)] as const)
  const files = new Map([...built, ...faces].map(([name, file]) => [name, tagged(file)]))

  const madeOf = (source: string): Made => {
    const made = manifest[source]
    if (made === undefined) throw new Error(`The web build made nothing of ${source}: run "npm run build" again.`)
    return made
  }

  return {
    url: (source) => assetsPath + madeOf(source).file,
    modules: (source) => [...reachedIn(manifest, [source])].map((one) => assetsPath + madeOf(one).file),
    // Shared styles come first, in the order of imports: the manifest names a source's own before those.
    styles: (source) => [...reachedIn(manifest, [source])].toReversed().flatMap((one) => madeOf(one).css?.toReversed() ?? []).map((name) => assetsPath + name),
    send: (x, name) => {
      const file = files.get(name)
      if (file === undefined) return false
      const encodings = encodingsFor(file.bytes, x.req.headers["accept-encoding"])
      // The frame in which diagrams are drawn has no origin, so a script of ours is another origin's to it.
      const lines = [...everyAnswer(), "Cache-Control", cacheControl, "Access-Control-Allow-Origin", "*", "X-Robots-Tag", "noindex", "Vary", "Accept-Encoding"]
      if (answeredByTag(x, lines, encodings.map((encoding) => file.tags[encoding]), "look")) return true
      const encoding = encodings[0]!
      const bytes = file.bytes[encoding]!
      if (file.type === SCRIPT) lines.push("Content-Security-Policy", WORKER_POLICY)
      lines.push("ETag", file.tags[encoding], "Content-Type", file.type, "Content-Length", String(bytes.length))
      if (encoding !== "identity") lines.push("Content-Encoding", encoding)
      x.send(200, lines, bytes, "look")
      return true
    }
  }
}

let loaded: WebAssets | undefined

export const webAssets = (): WebAssets => loaded ??= load()
