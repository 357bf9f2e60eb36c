/** Versions in memory: a manifest never changes, and neither does how each of its files is presented. */
import { Effect, Option } from "effect"
import type { Asset, Manifest, Site } from "../../domain/hosting/model.ts"
import { HostingStore } from "../../domain/hosting/store.ts"
import type { VersionId } from "../../domain/projects/model.ts"
import { isCompressible } from "./compression.ts"
import { Memory, Shared } from "./memory.ts"
import type { Encoding } from "./negotiation.ts"

type Version = NonNullable<Site["version"]>

/** A file as this version presents it. */
export interface Presented {
  readonly asset: Asset
  readonly page: boolean
  /** Would run as a document, on a project that is not a site: never with the host's origin. */
  readonly sandboxed: boolean
  /** The encodings it may be sent in. */
  readonly encodings: ReadonlyArray<Encoding>
  readonly tags: Readonly<Record<Encoding, string>>
  /** What holdings know its compressed variants by. */
  readonly keys: Readonly<Record<Encoding, string>>
  /** Header lines made once per combination (headers.ts). */
  readonly heads: Array<Array<string> | undefined>
}

const EVERY: ReadonlyArray<Encoding> = ["br", "gzip", "identity"]
const PLAIN: ReadonlyArray<Encoding> = ["identity"]

const PAGE = /^(?:text\/html|application\/xhtml\+xml)\b/i
/** Whatever a browser parses into a document that may hold script. */
const DOCUMENT = /^(?:text\/html|multipart\/|message\/)|\bsvg\b|xml\b|xsl/i

const present = (asset: Asset, kind: Version["kind"]): Presented => {
  const tag = asset.hash.slice(0, 32)
  return {
    asset,
    page: PAGE.test(asset.type),
    sandboxed: kind !== "site" && DOCUMENT.test(asset.type),
    encodings: isCompressible(asset.type, asset.length) ? EVERY : PLAIN,
    tags: { identity: `"${tag}"`, gzip: `"${tag}-gz"`, br: `"${tag}-br"` },
    keys: { identity: asset.hash, gzip: `${asset.hash}-gz`, br: `${asset.hash}-br` },
    heads: []
  }
}

export class Edition {
  readonly files: Manifest
  readonly #kind: Version["kind"]
  readonly #presented = new Map<string, Presented>()

  constructor(kind: Version["kind"], files: Manifest) {
    this.#kind = kind
    this.files = files
  }

  presented(path: string, asset: Asset): Presented {
    const before = this.#presented.get(path)
    if (before !== undefined) return before
    const made = present(asset, this.#kind)
    this.#presented.set(path, made)
    return made
  }
}

export interface Editions {
  readonly held: (version: Version) => Edition | undefined
  /** Undefined once the version was pruned. */
  readonly load: (version: Version) => Promise<Edition | undefined>
}

/** About what one file costs here, its header lines included. */
const FILE_WEIGHT = 1_000
const MANIFEST_MS = 5_000

export const makeEditions = Effect.fnUntraced(function*(bytes: number) {
  const store = yield* HostingStore
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const memory = new Memory<Edition>(bytes)
  const shared = new Shared<Edition | undefined>()

  const read = (id: VersionId) => run(store.manifest(id).pipe(Effect.timeout(MANIFEST_MS)))

  const editions: Editions = {
    held: (version) => memory.get(version.id),
    load: (version) =>
      shared.load(version.id, async () => {
        const manifest = Option.getOrUndefined(await read(version.id))
        if (manifest === undefined) return undefined
        const edition = new Edition(version.kind, manifest)
        memory.put(version.id, edition, (Object.keys(manifest).length + 1) * FILE_WEIGHT)
        return edition
      })
  }
  return editions
})
