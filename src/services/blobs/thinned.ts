/** What is copied of a pack whose dead bytes go, compared with its hashes on the way. */
import { createHash } from "node:crypto"
import { endOf } from "../../domain/projects/packs/ranges.ts"
import type { Piece } from "../../domain/projects/packs/ranges.ts"

/** Read at once: small bodies that lie beside each other cost one read, and a large one little memory. */
const WINDOW = 4 * 1024 * 1024

export interface Run {
  readonly offset: number
  readonly bytes: Buffer
}

/** A body is not what a manifest says: nothing may be put in place of its pack. */
export class Differs extends Error {}

/** The pieces' bytes, in order. It fails at the end of the first one that has another hash than it should. */
export const runsOf = async function*(pieces: ReadonlyArray<Piece>, read: (offset: number, length: number) => Promise<Buffer>): AsyncGenerator<Run> {
  let hash = createHash("sha256")
  let position = 0
  for (let at = 0; at < pieces.length;) {
    position = Math.max(position, pieces[at]!.offset)
    let last = at
    while (last + 1 < pieces.length && endOf(pieces[last + 1]!) <= position + WINDOW) last++
    const end = Math.min(endOf(pieces[last]!), position + WINDOW)
    const window = await read(position, end - position)
    for (; at <= last; at++) {
      const piece = pieces[at]!
      const offset = Math.max(piece.offset, position)
      const bytes = window.subarray(offset - position, Math.min(endOf(piece), end) - position)
      if (piece.hash !== undefined) hash.update(bytes)
      yield { offset, bytes }
      if (endOf(piece) > end) break
      if (piece.hash !== undefined) {
        if (hash.digest("hex") !== piece.hash) throw new Differs("a body has another hash than a manifest says")
        hash = createHash("sha256")
      }
    }
    position = end
  }
}

const zeros = Buffer.alloc(256 * 1024)

/** The same with zeros between them, up to `length`. */
export const filled = async function*(runs: AsyncIterable<Run>, length: number): AsyncGenerator<Buffer> {
  let at = 0
  const upTo = function*(offset: number) {
    for (; at < offset; at += Math.min(zeros.length, offset - at)) yield zeros.subarray(0, offset - at)
  }
  for await (const { bytes, offset } of runs) {
    yield* upTo(offset)
    yield bytes
    at += bytes.length
  }
  yield* upTo(length)
}
