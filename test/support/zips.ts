/** Zips for tests: honest ones by yazl, and raw ones whose every field can lie. */
import { buffer } from "node:stream/consumers"
import { crc32, deflateRawSync } from "node:zlib"
import { fromBufferPromise } from "yauzl"
import { ZipFile } from "yazl"

export const zipOf = (files: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content as Uint8Array), path)
  zip.end()
  return buffer(zip.outputStream)
}

/** The fields of an entry; those left out tell the truth. */
export interface RawEntry {
  readonly name: string | Buffer
  readonly data?: Buffer | string
  readonly stored?: boolean
  /** The bytes in the archive, if they are not `data` compressed. */
  readonly packed?: Buffer
  readonly method?: number
  readonly flags?: number
  readonly crc?: number
  readonly size?: number
  readonly packedSize?: number
  /** Where it was made: 3 is Unix, 0 is DOS and Windows. */
  readonly system?: number
  /** Unix mode, which marks links and devices. */
  readonly mode?: number
  readonly extra?: Buffer
  /** Where the central directory says that the entry begins. */
  readonly offset?: number
  readonly local?: { readonly name?: string | Buffer; readonly size?: number; readonly crc?: number; readonly method?: number }
}

export interface RawArchive {
  readonly count?: number
  /** Bytes between the directory and its end record. */
  readonly gap?: Buffer
  readonly comment?: Buffer
  readonly tail?: Buffer
}

const headerFields = (entry: RawEntry) => {
  const data = Buffer.from(entry.data ?? "")
  const packed = entry.packed ?? (entry.stored === true ? data : deflateRawSync(data))
  return {
    packed,
    name: Buffer.from(entry.name as string),
    flags: entry.flags ?? 0x800,
    method: entry.method ?? (entry.stored === true ? 0 : 8),
    crc: entry.crc ?? crc32(data),
    size: entry.size ?? data.length,
    packedSize: entry.packedSize ?? packed.length,
    extra: entry.extra ?? Buffer.alloc(0)
  }
}

/** The fields that both headers share, from the flags to the lengths. */
const shared = (fields: { flags: number; method: number; crc: number; packedSize: number; size: number }, name: Buffer, extra: number): Buffer => {
  const out = Buffer.alloc(24)
  out.writeUInt16LE(fields.flags, 0)
  out.writeUInt16LE(fields.method, 2)
  out.writeUInt32LE(0x21_0000, 4)
  out.writeUInt32LE(fields.crc, 8)
  out.writeUInt32LE(fields.packedSize, 12)
  out.writeUInt32LE(fields.size, 16)
  out.writeUInt16LE(name.length, 20)
  out.writeUInt16LE(extra, 22)
  return out
}

export const rawZip = (entries: ReadonlyArray<RawEntry>, archive: RawArchive = {}): Buffer => {
  const body: Array<Buffer> = []
  const table: Array<Buffer> = []
  let at = 0
  for (const entry of entries) {
    const fields = headerFields(entry)
    const localName = entry.local?.name === undefined ? fields.name : Buffer.from(entry.local.name as string)
    const local = [Buffer.from([0x50, 0x4b, 3, 4, 20, 0]), shared({ ...fields, ...entry.local }, localName, 0), localName, fields.packed]
    const [rest, head] = [Buffer.alloc(14), Buffer.from([0x50, 0x4b, 1, 2, 20, entry.system ?? 3, 20, 0])]
    rest.writeUInt32LE(((entry.mode ?? 0o100644) * 0x10000) >>> 0, 6)
    rest.writeUInt32LE(entry.offset ?? at, 10)
    table.push(head, shared(fields, fields.name, fields.extra.length), rest, fields.name, fields.extra)
    body.push(...local)
    at += local.reduce((sum, part) => sum + part.length, 0)
  }
  const directory = Buffer.concat(table)
  const comment = archive.comment ?? Buffer.alloc(0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(archive.count ?? entries.length, 8)
  end.writeUInt16LE(archive.count ?? entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...body, directory, archive.gap ?? Buffer.alloc(0), end, comment, archive.tail ?? Buffer.alloc(0)])
}

/** The end record for more entries than 16 bits can count. */
export const zip64End = (count: number, tableStart: number, tableSize: number): Buffer => {
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(45, 12)
  record.writeUInt16LE(45, 14)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(tableSize), 40)
  record.writeBigUInt64LE(BigInt(tableStart), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(tableStart + tableSize), 8)
  locator.writeUInt32LE(1, 16)
  const end = Buffer.alloc(22, 0xff)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(0, 4)
  end.writeUInt16LE(0, 20)
  return Buffer.concat([record, locator, end])
}

/** What another reader finds in a zip: every entry by its path, its bytes checked against their checksum. */
export const filesIn = async (zip: Buffer): Promise<Map<string, Buffer>> => {
  const opened = await fromBufferPromise(zip)
  const files = new Map<string, Buffer>()
  for await (const entry of opened.eachEntry()) {
    if (files.has(entry.fileName)) throw new Error(`${entry.fileName} is there twice`)
    const bytes = await buffer(await opened.openReadStreamPromise(entry))
    if (crc32(bytes) !== entry.crc32) throw new Error(`${entry.fileName} is not what its sum says`)
    files.set(entry.fileName, bytes)
  }
  return files
}
