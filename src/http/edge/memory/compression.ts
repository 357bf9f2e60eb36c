/** Which files are worth compressing, and how hard: once per content, off the event loop. */
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import type { Encoding } from "../../contract/negotiation.ts"
import { alone } from "./memory.ts"

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

const COMPRESSIBLE =
  /^(?:text\/|application\/(?:json|javascript|x-javascript|xml|wasm|manifest\+json|x-ndjson|rtf|vnd\.ms-fontobject)|[\w.-]+\/[\w.-]+\+(?:json|xml)|image\/(?:svg|bmp|x-icon|vnd\.microsoft\.icon)|font\/(?:ttf|otf))/i

/** Anything smaller fits one packet either way. */
const SMALLEST = 860
/** A larger file would occupy a core, and push others out of memory, for one visitor. */
const LARGEST = 8 * 1024 * 1024

export const isCompressible = (type: string, length: number): boolean =>
  length >= SMALLEST && length <= LARGEST && COMPRESSIBLE.test(type)

/** So small that a first visitor may wait for it: a millisecond or two. */
export const isQuick = (length: number): boolean => length <= 64 * 1024

/** Measured on source text: 9 costs 5 to 40 times as much as these and saves 1 to 3 % more. */
const quality = (length: number): number => length <= 256 * 1024 ? 6 : 5

/** In memory of its own. Undefined where the result is not worth the header. */
export const compress = async (
  bytes: Buffer,
  encoding: Exclude<Encoding, "identity">
): Promise<Buffer | undefined> => {
  const packed = encoding === "br"
    ? await brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality(bytes.length),
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length
      }
    })
    : await deflate(bytes)
  return packed.length < bytes.length * 0.95 ? alone(packed) : undefined
}
