/** Reads a file range by range, the next one requested while one is read; converts it to UTF-8. */

import { fetchRange } from "../../ranges.ts"

const FIRST = 256 * 1024
const NEXT = 4 * 1024 * 1024
/** In order, each range as it came. */
export async function* ranges(src: string, total: number): AsyncGenerator<Uint8Array> {
  const ask = (start: number): Promise<Uint8Array> | undefined => {
    if (start >= total) return undefined
    const part = fetchRange(src, start, Math.min(total, start + (start === 0 ? FIRST : NEXT)))
    // A failure is reported when its range is awaited.
    part.catch(() => {})
    return part
  }
  let [start, part] = [0, ask(0)]
  while (part !== undefined) {
    const bytes = await part
    if (bytes.length === 0) return
    start += bytes.length
    part = ask(start)
    yield bytes
  }
}

const encodingOf = (head: Uint8Array, type: string): string => {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le"
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be"
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8"
  return /charset="?([^\s;"]+)/i.exec(type)?.[1] ?? "utf-8"
}

const decoderOf = (label: string): TextDecoder => {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}

/** Strips the byte order mark. UTF-8 passes through untouched. */
export async function* inUtf8(parts: AsyncIterable<Uint8Array>, type: string): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | undefined
  const encoder = new TextEncoder()
  for await (const part of parts) {
    const first = decoder === undefined
    decoder ??= decoderOf(encodingOf(part, type))
    if (decoder.encoding !== "utf-8") yield encoder.encode(decoder.decode(part, { stream: true }))
    else yield first && part[0] === 0xef && part[1] === 0xbb && part[2] === 0xbf ? part.subarray(3) : part
  }
  if (decoder !== undefined && decoder.encoding !== "utf-8") yield encoder.encode(decoder.decode())
}

/** One buffer, which grows where a file turns out longer than announced. */
export class Bytes {
  data: Uint8Array<ArrayBuffer>
  length = 0

  constructor(expected: number) {
    this.data = new Uint8Array(Math.max(expected, 1024))
  }

  append(part: Uint8Array): void {
    if (this.length + part.length > this.data.length) {
      const more = new Uint8Array(Math.max(this.data.length * 1.5, this.length + part.length) | 0)
      more.set(this.data.subarray(0, this.length))
      this.data = more
    }
    this.data.set(part, this.length)
    this.length += part.length
  }
}
