/** `?picture=<offset>-<length>` of a document: the picture whose base64 is there, as a file of its own. */
import type { Asset } from "../../domain/hosting/model.ts"
import { isBetween, isLiftable, OPENING } from "../../domain/renderings/pictures.ts"
import type { Body, Holdings } from "./memory/holdings.ts"

/** Characters that the signs need. */
const HEAD = 24

const SIGNS: ReadonlyArray<readonly [type: string, sign: RegExp]> = [
  ["image/png", /^\x89PNG\r\n\x1a\n/], ["image/jpeg", /^\xff\xd8\xff/], ["image/gif", /^GIF8[79]a/], ["image/webp", /^RIFF.{4}WEBP/s], ["image/avif", /^.{4}ftypavi[fs]/s]
]

/** Undefined where there is none. The type is what the bytes say, whatever the document does. Reads its beginning and its end alone. */
export const pictureIn = async (holdings: Holdings, asset: Asset, place: string): Promise<Body | undefined> => {
  const [, offset = "", long = ""] = /^(\d{1,9})-(\d{1,9})$/.exec(place) ?? []
  const [start, length] = [Number(offset), Number(long)]
  const end = start + length
  if (!isLiftable(length) || end > asset.length) return undefined
  const text = async (from: number, to: number) => (await holdings.few(asset, Math.max(0, from), Math.min(to, asset.length))).toString("latin1")
  const [opening, closing] = await Promise.all([text(start - OPENING, start + HEAD), text(end - 2, end + 1)])
  if (!isBetween(opening.slice(0, -HEAD), closing.slice(2))) return undefined
  const head = Buffer.from(opening.slice(-HEAD), "base64").toString("latin1")
  const type = SIGNS.find(([, sign]) => sign.test(head))?.[0]
  if (type === undefined) return undefined
  const [padding] = /=*$/.exec(closing.slice(0, 2))!
  return {
    ...asset, type, length: Math.floor((length - padding.length) * 3 / 4), hash: `${asset.hash} ${start}-${length}`,
    coded: { file: asset, start, length }
  }
}
