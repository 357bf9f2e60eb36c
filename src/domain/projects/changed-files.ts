/** Which files differ between two versions, by their manifests, and which of them can be compared as text. */
import { assetAt, inPathOrder } from "../hosting/model.ts"
import type { Asset, Manifest } from "../hosting/model.ts"
import { charsetOf, decoded, encodingOfPage } from "./documents/text-encodings.ts"

export interface ChangedFile {
  readonly path: string
  readonly from: Asset
  readonly to: Asset
}

export interface ChangedFiles {
  readonly added: ReadonlyArray<{ readonly path: string; readonly to: Asset }>
  readonly changed: ReadonlyArray<ChangedFile>
  readonly removed: ReadonlyArray<{ readonly path: string; readonly from: Asset }>
  /** How many files have equal bytes in both. */
  readonly unchanged: number
}

/** In the order of their paths. */
export const changedFiles = (from: Manifest, to: Manifest): ChangedFiles => {
  const added: Array<{ path: string; to: Asset }> = []
  const changed: Array<ChangedFile> = []
  let unchanged = 0
  for (const [path, asset] of inPathOrder(to)) {
    const old = assetAt(from, path)
    if (old === undefined) added.push({ path, to: asset })
    else if (old.hash === asset.hash) unchanged++
    else changed.push({ path, from: old, to: asset })
  }
  const removed = inPathOrder(from).filter(([path]) => assetAt(to, path) === undefined).map(([path, asset]) => ({ path, from: asset }))
  return { added, changed, removed, unchanged }
}

const TEXT = /^(?:text\/.+|application\/(?:json|x-ndjson|javascript|ecmascript|xml|yaml|toml|sql|graphql|x-sh)|.+\+(?:json|xml))$/

/** Whether a file of this Content-Type is read as text. */
export const isTextType = (type: string): boolean => TEXT.test(type.split(";")[0]!.trim().toLowerCase())

/** Browsers look for a page's own word of its encoding in this many bytes. */
const HEAD = 1024

/**
 * The text as its reader sees it, invalid bytes as U+FFFD, if its type names the encoding or it is a page, which may do so itself.
 * Otherwise invalid bytes make it undefined.
 */
export const comparable = (bytes: Uint8Array, type: string): string | undefined => {
  try {
    return decoded(bytes, type, { fatal: charsetOf(type) === undefined })
  } catch {
    return /^text\/html\b/i.test(type) ? decoded(bytes, type, { otherwise: encodingOfPage(bytes.subarray(0, HEAD)) }) : undefined
  }
}
