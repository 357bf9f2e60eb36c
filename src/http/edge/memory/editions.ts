/** Versions in memory: a manifest never changes, and neither does how each of its files is presented. */
import { Effect, Option } from "effect"
import { createHash } from "node:crypto"
import type { Asset, Manifest, ServedVersion } from "../../../domain/hosting/model.ts"
import { HostingStore } from "../../../domain/hosting/store.ts"
import type { VersionId } from "../../../domain/projects/model.ts"
import { IDENTITY } from "../../contract/negotiation.ts"
import type { Encoding } from "../../contract/negotiation.ts"
import { isCompressible } from "./compression.ts"
import type { Body } from "./holdings.ts"
import { Lanes, Shared } from "./lanes.ts"
import { Memory } from "./memory.ts"

type Version = Pick<ServedVersion, "id">

/** How the files of a version are presented: the same version has another face in a frame. */
export interface Face {
  /** Tells this face from every other. */
  readonly key: string
  /** The Content-Security-Policy of whatever a browser opens as a document. */
  readonly policy: string | undefined
  /** Whether only pages of its own host may frame any of it, whatever a browser opens it as. */
  readonly alone?: boolean
  /** Whether it is shown inside a shell: never indexed, and its address never sent to another host. */
  readonly framed: boolean
  /** Appended to HTML. */
  readonly tail?: Buffer
}

interface Faces {
  /** A raw site: the author's files unchanged, with the host's origin. */
  readonly bare: Face
  /** Where our own pages live: nothing of the author's runs with the host's origin. */
  readonly sandboxed: Face
}

export const OPEN: Faces = {
  bare: { key: "", policy: undefined, framed: false },
  sandboxed: { key: "sandboxed", policy: "sandbox", framed: false }
}

/** Projects are same-site to each other: a page of another one would frame what this reader's pass opens, or see in an object whether it loads. */
export const GATED: Faces = {
  bare: { ...OPEN.bare, key: "gated", alone: true },
  sandboxed: { ...OPEN.sandboxed, key: "gated sandboxed", alone: true }
}

/** A file as this version presents it. */
export interface Presented {
  readonly asset: Body
  readonly page: boolean
  /** Whether a browser parses it into a document that may hold script. */
  readonly document: boolean
  readonly policy: string | undefined
  readonly framed: boolean
  /** How its author packed what a browser is to unpack. */
  readonly packing: Packing | undefined
  /** The encodings it may be sent in. */
  readonly encodings: ReadonlyArray<Encoding>
  readonly tags: Readonly<Record<Encoding, string>>
  /** The keys of its compressed variants in the holdings. */
  readonly keys: Readonly<Record<Encoding, string>>
  /** Header lines made once per combination (headers.ts). */
  readonly heads: Array<Array<string> | undefined>
}

type Packing = Exclude<Encoding, "identity">

const UNITY = /^(.*)\.(framework\.js|wasm|data|symbols\.json)\.(br|gz)$/
const TYPES: Readonly<Record<string, string>> = { "framework.js": "text/javascript; charset=utf-8", wasm: "application/wasm", "symbols.json": "application/json" }

/** A part of a Unity build, whose loader leaves it to the browser to unpack it. Pages unpack other such files themselves. */
const partOf = (path: string, files: Manifest): { readonly packing: Packing; readonly type: string } | undefined => {
  const [, build, part, ending] = UNITY.exec(path) ?? []
  return part === undefined || !Object.hasOwn(files, `${build}.loader.js`)
    ? undefined
    : { packing: ending === "br" ? "br" : "gzip", type: TYPES[part] ?? "application/octet-stream" }
}

const EVERY: ReadonlyArray<Encoding> = ["br", "gzip", "identity"]

const PAGE = /^(?:text\/html|application\/xhtml\+xml)\b/i
const DOCUMENT = /^(?:text\/html|multipart\/|message\/)|\bsvg\b|xml\b|xsl/i
/** HTML to which a tail can be appended: it declares no charset that is not ASCII-compatible. */
const OPEN_ENDED = /^text\/html\b(?!.*charset=(?:utf-16|iso-2022))/i

/** Whether a byte order mark makes browsers read it as UTF-16, whatever its type says: then nothing can be appended. */
export const isWide = (head: Uint8Array): boolean =>
  (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)

const tailed = (asset: Asset, tail: Buffer): Body => ({
  ...asset,
  length: asset.length + tail.length,
  hash: createHash("sha256").update(asset.hash).update(tail).digest("hex"),
  tail
})

/** The entity tag, of type and policy too: a 304 cannot replace those that a browser keeps with the same bytes (RFC 9110 §8.8.1, RFC 9111 §3.2). */
const keptTag = ({ hash, type }: Body, policy = ""): string =>
  createHash("sha256").update(`${hash}\n${type}\n${policy}`).digest("hex").slice(0, 32)

export const present = (bare: Body, { alone = false, framed, policy, tail }: Face, packing?: Packing): Presented => {
  const asset = tail !== undefined && OPEN_ENDED.test(bare.type) ? tailed(bare, tail) : bare
  const document = DOCUMENT.test(asset.type)
  const rules = [...(document && policy !== undefined ? [policy] : []), ...(alone ? ["frame-ancestors 'self'"] : [])]
  const ruled = rules.length === 0 ? undefined : rules.join("; ")
  const tag = keptTag(asset, ruled)
  return {
    asset,
    page: PAGE.test(asset.type),
    document,
    policy: ruled,
    framed,
    packing,
    encodings: packing === undefined && isCompressible(asset.type, asset.length) ? EVERY : IDENTITY,
    tags: { identity: `"${tag}"`, gzip: `"${tag}-gz"`, br: `"${tag}-br"` },
    keys: { identity: asset.hash, gzip: `${asset.hash}-gz`, br: `${asset.hash}-br` },
    heads: []
  }
}

export class Edition {
  readonly files: Manifest
  /** One map per face: publishers choose the paths, so a key made of face and path could collide. */
  readonly #faces = new Map<string, Map<string, Presented>>()

  constructor(files: Manifest) {
    this.files = files
  }

  held(path: string, face: Face): Presented | undefined {
    return this.#faces.get(face.key)?.get(path)
  }

  presented(path: string, asset: Asset, face: Face): Presented {
    let shown = this.#faces.get(face.key)
    if (shown === undefined) this.#faces.set(face.key, shown = new Map())
    let file = shown.get(path)
    if (file === undefined) {
      const part = partOf(path, this.files)
      shown.set(path, file = present(part === undefined ? asset : { ...asset, type: part.type }, face, part?.packing))
    }
    return file
  }
}

export interface Editions {
  readonly held: (version: Version) => Edition | undefined
  /** Undefined once the version was pruned. */
  readonly load: (version: Version) => Promise<Edition | undefined>
}

/** About what one file costs here, its header lines included and its path not. */
const FILE_WEIGHT = 1_000
const weightOf = (manifest: Manifest): number => {
  let weight = FILE_WEIGHT
  for (const path in manifest) weight += FILE_WEIGHT + 2 * path.length
  return weight
}

/** Manifests on their way from the database: one with ten thousand long paths takes tens of megabytes while it is read. */
const LOADS = 4
const MANIFEST_MS = 5_000

export const makeEditions = Effect.fnUntraced(function*(bytes: number) {
  const store = yield* HostingStore
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const memory = new Memory<Edition>(bytes)
  const shared = new Shared<Edition | undefined>()

  const lanes = new Lanes(LOADS)
  const read = (id: VersionId) => lanes.run(() => run(store.manifest(id).pipe(Effect.timeout(MANIFEST_MS))))

  const editions: Editions = {
    held: (version) => memory.get(version.id),
    load: (version) =>
      shared.load(version.id, async () => {
        const manifest = Option.getOrUndefined(await read(version.id))
        if (manifest === undefined) return undefined
        const edition = new Edition(manifest)
        memory.put(version.id, edition, weightOf(manifest))
        return edition
      })
  }
  return editions
})
