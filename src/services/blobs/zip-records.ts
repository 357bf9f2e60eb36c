/**
 * The records of a zip that is written as a stream (APPNOTE 6.3.10): sizes and checksums follow their entry, so nothing
 * needs to be known beforehand. Zip64 where an offset or the table needs it; one entry is under 4 GB.
 */

export interface EntryHead {
  readonly name: Buffer
  readonly deflated: boolean
  readonly modifiedAt: Date
}

export interface EntryFacts extends EntryHead {
  readonly crc: number
  readonly packedSize: number
  readonly size: number
  /** Where its head begins. */
  readonly offset: number
}

const FULL = 0xffff_ffff
/** Sizes come after the bytes; names are UTF-8. */
const FLAGS = 0x0808
/** A regular file that its owner may write and everyone read, made on Unix. */
const MODE = 0o100644 * 0x10000
const MADE_BY = 0x033f
const PLAIN = 20
const ZIP64 = 45

/** Local time is what the format means and nobody knows; UTC at least is the same everywhere. */
const dosTime = (at: Date): number => (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
const dosDate = (at: Date): number =>
  (Math.min(Math.max(at.getUTCFullYear() - 1980, 0), 127) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()

/** The fields that both heads share, from the version to the name's length. */
const shared = (out: Buffer, at: number, { deflated, modifiedAt, name }: EntryHead, version: number, sums?: EntryFacts): void => {
  out.writeUInt16LE(version, at)
  out.writeUInt16LE(FLAGS, at + 2)
  out.writeUInt16LE(deflated ? 8 : 0, at + 4)
  out.writeUInt16LE(dosTime(modifiedAt), at + 6)
  out.writeUInt16LE(dosDate(modifiedAt), at + 8)
  out.writeUInt32LE(sums?.crc ?? 0, at + 10)
  out.writeUInt32LE(sums?.packedSize ?? 0, at + 14)
  out.writeUInt32LE(sums?.size ?? 0, at + 18)
  out.writeUInt16LE(name.length, at + 22)
}

export const localHead = (head: EntryHead): Buffer => {
  const out = Buffer.alloc(30 + head.name.length)
  out.writeUInt32LE(0x04034b50, 0)
  shared(out, 4, head, PLAIN)
  head.name.copy(out, 30)
  return out
}

export const descriptor = ({ crc, packedSize, size }: Pick<EntryFacts, "crc" | "packedSize" | "size">): Buffer => {
  const out = Buffer.alloc(16)
  out.writeUInt32LE(0x08074b50, 0)
  out.writeUInt32LE(crc, 4)
  out.writeUInt32LE(packedSize, 8)
  out.writeUInt32LE(size, 12)
  return out
}

export const tableRow = (facts: EntryFacts): Buffer => {
  const { name, offset } = facts
  const far = offset >= FULL
  const out = Buffer.alloc(46 + name.length + (far ? 12 : 0))
  out.writeUInt32LE(0x02014b50, 0)
  out.writeUInt16LE(MADE_BY, 4)
  shared(out, 6, facts, far ? ZIP64 : PLAIN, facts)
  out.writeUInt16LE(far ? 12 : 0, 30)
  out.writeUInt32LE(MODE, 38)
  out.writeUInt32LE(far ? FULL : offset, 42)
  name.copy(out, 46)
  if (far) {
    out.writeUInt16LE(1, 46 + name.length)
    out.writeUInt16LE(8, 48 + name.length)
    out.writeBigUInt64LE(BigInt(offset), 50 + name.length)
  }
  return out
}

export const tableEnd = (count: number, start: number, size: number): Buffer => {
  const large = count >= 0xffff || start >= FULL || size >= FULL
  const out = Buffer.alloc(large ? 98 : 22)
  if (large) {
    out.writeUInt32LE(0x06064b50, 0)
    out.writeBigUInt64LE(44n, 4)
    out.writeUInt16LE(MADE_BY, 12)
    out.writeUInt16LE(ZIP64, 14)
    out.writeBigUInt64LE(BigInt(count), 24)
    out.writeBigUInt64LE(BigInt(count), 32)
    out.writeBigUInt64LE(BigInt(size), 40)
    out.writeBigUInt64LE(BigInt(start), 48)
    out.writeUInt32LE(0x07064b50, 56)
    out.writeBigUInt64LE(BigInt(start + size), 64)
    out.writeUInt32LE(1, 72)
  }
  const at = large ? 76 : 0
  out.writeUInt32LE(0x06054b50, at)
  out.writeUInt16LE(Math.min(count, 0xffff), at + 8)
  out.writeUInt16LE(Math.min(count, 0xffff), at + 10)
  out.writeUInt32LE(Math.min(size, FULL), at + 12)
  out.writeUInt32LE(Math.min(start, FULL), at + 16)
  return out
}
