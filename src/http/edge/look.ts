/** The service's own files on every project's host, for its pages there: `/_svc/assets/<name>`. */
import { lookAssets } from "../../look/assets.ts"
import { keeping } from "./caching.ts"
import { answeredByTag } from "./conditional.ts"
import type { Exchange } from "./exchange.ts"
import { everyAnswer } from "./headers.ts"

const { cacheControl } = keeping({ content: "look" })

/** False where there is no such file. The same for every slug, so it reveals nothing about one. */
export const sendLook = (x: Exchange, name: string): boolean => {
  const asset = lookAssets.get(name)
  if (asset === undefined) return false
  const lines = [...everyAnswer(), "Cache-Control", cacheControl, "X-Robots-Tag", "noindex"]
  if (answeredByTag(x, lines, [asset.etag], "look")) return true
  x.send(200, [
    ...lines, "ETag", asset.etag, "Content-Type", asset.type, "Content-Length", String(asset.bytes.length)
  ], asset.bytes, "look")
  return true
}
