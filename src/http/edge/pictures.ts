/** `?picture=<offset>-<length>` of a document: the picture whose base64 is there, as a file of its own. */
import type { Asset } from "../../domain/hosting/model.ts"
import type { Body, Holdings } from "./holdings.ts"

/** As long as those that are taken out of a document (domain/renderings/pictures.ts). */
const LONGEST = 12 * 1024 * 1024

/** Characters that the signs need. */
const HEAD = 24

const SIGNS: ReadonlyArray<readonly [type: string, sign: RegExp]> = [
  ["image/png", /^\x89PNG\r\n\x1a\n/], ["image/jpeg", /^\xff\xd8\xff/], ["image/gif", /^GIF8[79]a/], ["image/webp", /^RIFF.{4}WEBP/s], ["image/avif", /^.{4}ftypavi[fs]/s]
]

/** Undefined where there is none. The type is what the bytes say, whatever the document does. */
export const pictureIn = async (holdings: Holdings, asset: Asset, place: string): Promise<Body | undefined> => {
  const [, offset = "", long = ""] = /^(\d{1,9})-(\d{1,9})$/.exec(place) ?? []
  const [start, length] = [Number(offset), Number(long)]
  if (length === 0 || length > LONGEST || start + length > asset.length) return undefined
  const between = async (end: number) => (await holdings.part(asset, start, end)).toString("latin1")
  // What only claims to be a picture costs one look at its beginning.
  const head = Buffer.from(await between(start + Math.min(length, HEAD)), "base64").toString("latin1")
  const type = SIGNS.find(([, sign]) => sign.test(head))?.[0]
  if (type === undefined) return undefined
  const text = await between(start + length)
  if (/[^A-Za-z0-9+/=]/.test(text)) return undefined
  const tail = Buffer.from(text, "base64")
  return { ...asset, type, length: tail.length, hash: `${asset.hash} ${start}-${length}`, tail }
}
