/**
 * Pictures that a document brings along as base64. They cost the parser nothing but room: it gets a short name in the place of each, and
 * browsers get them from an address of their own. Linear in the document, whatever is in it.
 */

export interface Lifted {
  /** The document without them, in its own encoding. */
  readonly bytes: Uint8Array
  /** How the names of this document begin. None of its own words do: they would have to contain a hash of themselves. */
  readonly mark: string
}

const BEGINS = "data:image/"
const PICTURE = /data:image\/(?:png|jpeg|gif|webp|avif);base64,/y
const BEYOND = /[^A-Za-z0-9+/=]/g

/** Shorter ones stay where they are: a request would cost more. */
const SHORTEST = 4 * 1024
/** Longer ones stay too, and count. */
const LONGEST = 12 * 1024 * 1024

/** `staying`: where those begin that are to stay. */
export const withoutPictures = (bytes: Uint8Array, hash: string, staying: ReadonlySet<number>): Lifted => {
  // A character for every byte, so that places in it are places in the file.
  const text = new TextDecoder("latin1").decode(bytes)
  const mark = `picture-${hash.slice(0, 16)}`
  const parts: Array<Uint8Array> = []
  let kept = 0
  for (let at = text.indexOf(BEGINS); at !== -1;) {
    PICTURE.lastIndex = at
    const from = at + (PICTURE.exec(text)?.[0].length ?? 0)
    let to = at + BEGINS.length
    if (from > at) {
      BEYOND.lastIndex = from
      to = BEYOND.exec(text)?.index ?? text.length
      if (to - from >= SHORTEST && to - from <= LONGEST && !staying.has(from)) {
        parts.push(bytes.subarray(kept, from), new TextEncoder().encode(`${mark}-${from}-${to - from}`))
        kept = to
      }
    }
    at = text.indexOf(BEGINS, to)
  }
  const all = [...parts, bytes.subarray(kept)]
  const rest = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0))
  let written = 0
  for (const part of all) {
    rest.set(part, written)
    written += part.length
  }
  return { bytes: rest, mark }
}
