/** Where the author's own bytes are, beside the page that shows them. */
import type { Asset } from "./model.ts"

export const RAW = "/_svc/raw/"

export const rawPath = (name: string): string => `${RAW}${name.split("/").map(encodeURIComponent).join("/")}`

/** Identifies the plain bytes: a reader who holds some of them asks for the rest by it. */
export const tagOf = ({ hash }: Pick<Asset, "hash">): string => hash.slice(0, 32)

/** In the query: asks for what was drawn of the document, small or in full. */
export const DRAWN = "drawn"
export type As = "small" | "whole"
export const asIn = (text: string | null | undefined): As | undefined => text === "small" || text === "whole" ? text : undefined

/** For what is read in parts, so that parts of two versions never mix. */
export const pinnedPath = (name: string, asset: Pick<Asset, "hash">): string => `${rawPath(name)}?v=${tagOf(asset)}`

export const drawnPath = (name: string, asset: Pick<Asset, "hash">, as: As): string => `${pinnedPath(name, asset)}&${DRAWN}=${as}`
