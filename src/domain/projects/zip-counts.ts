/** How many entries a zip says that it holds, at its very end (APPNOTE 4.3.16). Nothing is read that it does not say: a zip that lies is unpacked as it says. */

/** With a comment, if that is short. */
export const TAIL_BYTES = 1024

const SIGNATURE = 0x06054b50
const LENGTH = 22
const COUNT_AT = 10
/** The zip64 record has the real one. */
const UNCOUNTED = 0xffff

/** Infinity where its end does not say. */
export const entriesIn = (tail: Uint8Array): number => {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength)
  for (let at = tail.byteLength - LENGTH; at >= 0; at--) {
    if (view.getUint32(at, true) !== SIGNATURE) continue
    const count = view.getUint16(at + COUNT_AT, true)
    return count === UNCOUNTED ? Infinity : count
  }
  return Infinity
}
