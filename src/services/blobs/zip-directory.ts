/** A zip's table of contents, which is not trusted: what it claims is checked before a byte is unpacked. */
import type { Entry, ZipFile } from "yauzl"
import { fromRandomAccessReaderPromise, RandomAccessReader } from "yauzl"
import { UploadTooLarge } from "../../domain/failures.ts"
import type { UnpackLimits } from "../../domain/ports/packs.ts"
import { isSystemError } from "./faults.ts"
import { isLitter, refusedPath } from "../../domain/projects/file-paths.ts"
import { makeBreather } from "./zip-breathing.ts"
import { codePageOf, nameOf, writtenName } from "./zip-names.ts"
import { damaged, locked } from "./zip-refusal.ts"
import type { ZipWindow } from "./zip-window.ts"

/** Folders, and the twin that macOS adds for every file, are entries too. */
const ENTRIES_PER_FILE = 4
const MAX_RAW_NAME = 4096
const EXPANSION = 100
const EXPANSION_FROM = 10 * 1024 * 1024

export interface ZipEntry {
  readonly name: string
  /** The name's bytes, to compare with the local header's. */
  readonly rawName: Buffer
  /** False for folders and litter. */
  readonly wanted: boolean
  readonly deflated: boolean
  readonly flags: number
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

export interface ZipDirectory {
  /** In the order of their offsets in the file. */
  readonly entries: ReadonlyArray<ZipEntry>
  /** Where the entries end and the table begins. */
  readonly start: number
}

class Reader extends RandomAccessReader {
  readonly #zip: ZipWindow
  constructor(zip: ZipWindow) {
    super()
    this.#zip = zip
  }
  override read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void): void {
    const take = (bytes: Buffer): void => {
      bytes.copy(buffer, offset)
      callback(null)
    }
    const here = this.#zip.held(position, length)
    // Synchronous where possible: a table has many small pieces, and a turn of the event loop for each would cost more than reading them.
    if (here === undefined) this.#zip.read(position, length).then(take, callback)
    else take(here)
  }
}

/** What yauzl rejects is the zip's fault; a failing disk is not. */
const parsed = <A>(promise: Promise<A>): Promise<A> =>
  promise.catch((error: unknown) => {
    if (isSystemError(error)) throw error
    throw error instanceof Error && error.message === "strong encryption is not supported" ? locked() : damaged()
  })

/** What is kept of an entry until its name is read: all of it may take 64 KB. */
type Listed = Pick<
  Entry,
  "compressedSize" | "compressionMethod" | "crc32" | "externalFileAttributes" | "fileNameRaw" | "generalPurposeBitFlag" | "relativeOffsetOfLocalHeader" | "uncompressedSize" | "versionMadeBy"
>

const listed = (entry: Entry): Listed => ({
  compressedSize: entry.compressedSize,
  compressionMethod: entry.compressionMethod,
  crc32: entry.crc32,
  externalFileAttributes: entry.externalFileAttributes,
  fileNameRaw: Buffer.from(entry.fileNameRaw),
  generalPurposeBitFlag: entry.generalPurposeBitFlag,
  relativeOffsetOfLocalHeader: entry.relativeOffsetOfLocalHeader,
  uncompressedSize: entry.uncompressedSize,
  versionMadeBy: entry.versionMadeBy
})

const checkedKind = (entry: Listed, name: string): void => {
  if ((entry.generalPurposeBitFlag & 0x2041) !== 0) throw locked(name)
  const [kind, isFolder] = [entry.externalFileAttributes >>> 28, name === "" || name.endsWith("/")]
  if (kind === 0o12) throw refusedPath("An entry is a link. Put what it leads to in its place.", name)
  if (kind !== 0 && kind !== 0o10 && !(isFolder && kind === 0o4)) throw refusedPath("An entry is not an ordinary file.", name)
  if (isFolder && entry.uncompressedSize !== 0) throw refusedPath("An entry is both a file and a folder.", name)
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) throw refusedPath("An entry is packed in a way that is not supported. Pack it again with Deflate, as most programs do.", name)
}

const toEntry = (entry: Listed, written: string): ZipEntry => {
  const name = nameOf(entry, written)
  checkedKind(entry, name)
  return {
    name,
    rawName: Buffer.from(entry.fileNameRaw),
    wanted: name !== "" && !name.endsWith("/") && !isLitter(name),
    deflated: entry.compressionMethod === 8,
    flags: entry.generalPurposeBitFlag,
    crc: entry.crc32,
    packed: entry.compressedSize,
    size: entry.uncompressedSize,
    offset: entry.relativeOffsetOfLocalHeader
  }
}

const END = Buffer.from("PK\x05\x06")
const END_BYTES = 22
/** A zip's comment may have this many bytes. */
const COMMENT = 0xffff

/** Where the zip ends. Programs that write archives in blocks, such as bsdtar into a pipe, fill the last one with zeros. */
const lengthOf = async (bytes: ZipWindow): Promise<number> => {
  const from = Math.max(0, bytes.length - END_BYTES - COMMENT)
  const tail = await bytes.read(from, bytes.length - from)
  const filled = tail.findLastIndex((byte) => byte !== 0) + 1
  for (let at = tail.lastIndexOf(END); at !== -1; at = at === 0 ? -1 : tail.lastIndexOf(END, at - 1)) {
    const end = at + END_BYTES <= tail.length ? at + END_BYTES + tail.readUInt16LE(at + END_BYTES - 2) : Infinity
    if (filled <= end && end <= tail.length) return from + end
  }
  return bytes.length
}

/** The table must end where the end records begin: whatever lies between would be seen by some readers only. */
const checkEnd = async (zip: ZipFile, bytes: ZipWindow, start: number, length: number): Promise<void> => {
  const tableEnd = zip.readEntryCursor as unknown as number
  const end = length - END_BYTES - zip.comment.length
  const record = await bytes.read(end, END_BYTES)
  const small = (at: number, value: number) => record.readUInt32LE(at) === 0xffffffff || record.readUInt32LE(at) === value
  if (!small(12, tableEnd - start) || !small(16, start)) throw damaged()
  if (tableEnd === end) return
  const locator = end - 20
  if (tableEnd + 56 > locator || (await bytes.read(locator, 4)).readUInt32LE() !== 0x07064b50) throw damaged()
  const zip64 = await bytes.read(tableEnd, 56)
  if (zip64.readUInt32LE() !== 0x06064b50 || tableEnd + 12 + Number(zip64.readBigUInt64LE(4)) !== locator) throw damaged()
  if (Number((await bytes.read(locator, 20)).readBigUInt64LE(8)) !== tableEnd) throw damaged()
}

export const readDirectory = async (bytes: ZipWindow, limits: UnpackLimits, signal: AbortSignal): Promise<ZipDirectory> => {
  const length = await lengthOf(bytes)
  const zip = await parsed(
    fromRandomAccessReaderPromise(new Reader(bytes), length, { autoClose: false, decodeStrings: false, validateEntrySizes: true })
  )
  const start = zip.readEntryCursor as unknown as number
  const tooMany = refusedPath(`A site may hold ${limits.files} files.`)
  if (zip.entryCount > ENTRIES_PER_FILE * limits.files) throw tooMany

  const entries: Array<ZipEntry> = []
  /** Those whose names are read once all of them are here. */
  const inCodePage: Array<Listed> = []
  const all = zip.eachEntry()
  const breathe = makeBreather()
  for (;;) {
    const next = await parsed(all.next())
    if (next.done === true) break
    if (next.value.fileNameLength > MAX_RAW_NAME) throw refusedPath("A name in the zip is too long. Shorten it, and pack it again.")
    const written = writtenName(next.value)
    if (written === undefined) inCodePage.push(listed(next.value))
    else entries.push(toEntry(next.value, written))
    signal.throwIfAborted()
    await breathe()
  }
  const read = codePageOf(inCodePage.map(({ fileNameRaw }) => fileNameRaw))
  for (const entry of inCodePage) {
    entries.push(toEntry(entry, read(entry.fileNameRaw)))
    signal.throwIfAborted()
    await breathe()
  }
  await checkEnd(zip, bytes, start, length)

  const wanted = entries.filter((entry) => entry.wanted)
  if (wanted.length > limits.files) throw tooMany
  if (wanted.length === 0) throw refusedPath("The zip holds no files.")
  const size = wanted.reduce((sum, entry) => sum + entry.size, 0)
  const packed = wanted.reduce((sum, entry) => sum + entry.packed, 0)
  if (size > limits.bytes) {
    throw new UploadTooLarge({
      message: `The zip unpacks to more than the ${limits.bytes} bytes it may have.`,
      field: "file",
      details: { limit_bytes: limits.bytes }
    })
  }
  if (size > EXPANSION_FROM && size > EXPANSION * packed) throw refusedPath("The zip expands to more than a hundred times its size.")
  return { entries: entries.sort((a, b) => a.offset - b.offset), start }
}
