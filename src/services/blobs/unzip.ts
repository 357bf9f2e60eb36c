/** Unpacks a zip into a spool, checking every entry against its header, its size and its checksum (CONTRACT §8). */
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { setImmediate } from "node:timers/promises"
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib"
import { Invalid } from "../../domain/failures.ts"
import type { Body, UnpackedFile, UnpackLimits } from "../../domain/ports/packs.ts"
import { refusedPath } from "../../domain/projects/file-paths.ts"
import { BodyWriter, writeWhole } from "./body-writer.ts"
import { isSystemError } from "./faults.ts"
import type { Spool } from "./spool.ts"
import { makeBreather } from "./zip-breathing.ts"
import type { ZipDirectory, ZipEntry } from "./zip-directory.ts"
import { readDirectory } from "./zip-directory.ts"
import { checkDistinct, stripped } from "./zip-names.ts"
import { ZipWindow } from "./zip-window.ts"
import type { ZipBytes } from "./zip-window.ts"

/** Entries up to this size are unpacked in one call; larger ones go through the thread pool. */
const SMALL = 1024 * 1024
const CHUNK = 256 * 1024
const LOCAL_HEADER = 0x04034b50
/** The sizes and the checksum follow the data, and the local header lacks them. */
const STREAMED = 0x8

export interface Target {
  readonly base: number
  readonly spool: Spool
}

/** Where an entry's data begins, if its local header agrees with the table of contents. */
const dataStart = async (zip: ZipWindow, entry: ZipEntry): Promise<number> => {
  const header = await zip.read(entry.offset, 30)
  const nameLength = header.readUInt16LE(26)
  const known = (at: number, value: number) => [value, 0xffffffff].includes(header.readUInt32LE(at))
  const agrees = header.readUInt32LE(0) === LOCAL_HEADER &&
    header.readUInt16LE(8) === (entry.deflated ? 8 : 0) &&
    nameLength === entry.rawName.length &&
    ((entry.flags & STREAMED) !== 0 || (header.readUInt32LE(14) === entry.crc && known(18, entry.packed) && known(22, entry.size)))
  const start = entry.offset + 30 + nameLength + header.readUInt16LE(28)
  if (!agrees || !(await zip.read(entry.offset + 30, nameLength)).equals(entry.rawName)) {
    throw refusedPath("An entry's header contradicts the zip's table of contents.", entry.name)
  }
  return start
}

const wrong = (entry: ZipEntry): Invalid => refusedPath("An entry is not what its size or checksum says.", entry.name)

const unpackSmall = async (raw: Buffer, entry: ZipEntry, { base, spool }: Target): Promise<Body> => {
  let bytes = raw
  if (entry.deflated) {
    try {
      const options = { maxOutputLength: Math.max(entry.size, 1), chunkSize: Math.max(entry.size, 64), info: true } as const
      const { buffer, engine } = inflateRawSync(raw, options) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
      if (engine.bytesWritten !== raw.length) throw wrong(entry)
      bytes = buffer
    } catch {
      throw wrong(entry)
    }
  }
  if (bytes.length !== entry.size || crc32(bytes) !== entry.crc) throw wrong(entry)
  return writeWhole(spool, base, bytes)
}

const unpackLarge = async (zip: ZipWindow, start: number, entry: ZipEntry, { base, spool }: Target, signal: AbortSignal): Promise<Body> => {
  const writer = new BodyWriter(spool, base)
  let crc = 0
  const take = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      if (writer.length + chunk.length > entry.size) throw wrong(entry)
      crc = crc32(chunk, crc)
      await writer.write(chunk)
    }
  }
  const packed = async function*() {
    for (let at = 0; at < entry.packed; at += CHUNK) yield await zip.read(start + at, Math.min(CHUNK, entry.packed - at))
  }
  if (!entry.deflated) await take(packed())
  else {
    const inflate = createInflateRaw({ chunkSize: CHUNK })
    try {
      await pipeline(Readable.from(packed()), inflate, take, { signal })
    } catch (error) {
      throw isSystemError(error) || error instanceof Invalid || signal.aborted ? error : wrong(entry)
    }
    if (inflate.bytesWritten !== entry.packed) throw wrong(entry)
  }
  if (writer.length !== entry.size || crc !== entry.crc) throw wrong(entry)
  return writer.end()
}

const unpackEach = async (zip: ZipWindow, { entries, start: limit }: ZipDirectory, target: Target, signal: AbortSignal): Promise<Array<Body>> => {
  const bodies: Array<Body> = []
  let free = 0
  const breathe = makeBreather()
  for (const entry of entries) {
    const start = await dataStart(zip, entry)
    if (entry.offset < free || start + entry.packed > limit) throw refusedPath("Entries of the zip overlap.", entry.name)
    free = start + entry.packed
    if (!entry.wanted) continue
    bodies.push(
      Math.max(entry.size, entry.packed) > SMALL
        ? await unpackLarge(zip, start, entry, target, signal)
        : await unpackSmall(await zip.read(start, entry.packed), entry, target)
    )
    signal.throwIfAborted()
    await breathe()
  }
  return bodies
}

export const unzip = async (
  source: ZipBytes,
  limits: UnpackLimits,
  target: Target,
  signal: AbortSignal
): Promise<ReadonlyArray<UnpackedFile>> => {
  const zip = new ZipWindow(source)
  const directory = await readDirectory(zip, limits, signal)
  const paths = stripped(directory.entries.filter((entry) => entry.wanted).map((entry) => entry.name))
  await setImmediate()
  await checkDistinct(paths)
  const bodies = await unpackEach(zip, directory, target, signal)
  return bodies.map((body, index) => ({ ...body, path: paths[index]! }))
}
