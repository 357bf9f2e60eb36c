/** Where the author's own bytes are, beside the page that shows them. */
import type { Asset } from "./model.ts"

export const RAW = "/_svc/raw/"

export const rawPath = (name: string): string => `${RAW}${name.split("/").map(encodeURIComponent).join("/")}`

/** Identifies the plain bytes: a reader who holds some of them asks for the rest by it. */
export const tagOf = ({ hash }: Pick<Asset, "hash">): string => hash.slice(0, 32)

/** For what is read in parts, so that parts of two versions never mix. */
export const pinnedPath = (name: string, asset: Pick<Asset, "hash">): string => `${rawPath(name)}?v=${tagOf(asset)}`
