/** PNGs for tests. */
import { crc32, deflateSync } from "node:zlib"

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** One pixel: the least that a picture can be. */
export const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64")

type Colour = readonly [red: number, green: number, blue: number]

/** Of two halves, side by side. `claims`: the size that its head names, if another than it has. */
export const pngOf = (width: number, height: number, left: Colour, right: Colour, claims: readonly [width: number, height: number] = [width, height]): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(claims[0])
  head.writeUInt32BE(claims[1], 4)
  head.set([8, 2], 8)
  const row = [0, ...Array.from({ length: width }, (_, x) => x < width / 2 ? left : right).flat()]
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => Buffer.from(row))))
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))])
}
