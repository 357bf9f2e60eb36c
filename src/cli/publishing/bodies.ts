/** Bodies as they travel: a file, a form around files, a zip made on the way. Each can be made again for another try. */
import { extname } from "node:path"
import { Readable } from "node:stream"
import type { Transform } from "node:stream"
import { ZipFile } from "yazl"
import { bytesOf } from "./folder.ts"
import type { LocalFile, Readable as Source } from "./folder.ts"

export interface Body {
  readonly type: string | undefined
  /** Bytes on the wire, where they are known before. */
  readonly length: number | undefined
  /** Bytes that are read here, which is what progress counts. */
  readonly size: number
  /** `read` hears of every piece that is read. */
  readonly open: (read: (bytes: number) => void) => AsyncIterable<Uint8Array>
}

const counted = async function*(bytes: AsyncIterable<Uint8Array>, read: (bytes: number) => void) {
  for await (const chunk of bytes) {
    read(chunk.length)
    yield chunk
  }
}

export const fileBody = (file: Source, type: string | undefined): Body => ({
  type,
  length: file.size,
  size: file.size,
  open: (read) => counted(bytesOf(file), read)
})

/** Formats that are compressed already. */
const DENSE = new Set([".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".mp4", ".webm", ".mov", ".mp3", ".ogg", ".woff", ".woff2", ".zip", ".gz", ".br", ".pdf"])

/** The same bytes every time: a try again is recognised by them. */
const MTIME = new Date(Date.UTC(2000, 0, 1))

export const zipBody = (files: ReadonlyArray<LocalFile>): Body => ({
  type: "application/zip",
  length: undefined,
  size: files.reduce((sum, { size }) => sum + size, 0),
  open: (read) => {
    const zip = new ZipFile()
    for (const file of files) {
      zip.addReadStreamLazy(file.path, { mtime: MTIME, mode: 0o100644, compress: !DENSE.has(extname(file.path).toLowerCase()) }, (opened) => {
        // The zip only pipes it on: of what breaks there it has to be told.
        opened(null, Readable.from(counted(bytesOf(file), read), { objectMode: false }).on("error", (error) => zip.emit("error", error)))
      })
    }
    // A file that cannot be read breaks the zip, and with it the upload.
    zip.on("error", (error) => (zip.outputStream as Transform).destroy(error as Error))
    zip.end()
    return zip.outputStream as AsyncIterable<Uint8Array>
  }
})

export interface Part {
  readonly name: string
  /** A part with a file name is a file. */
  readonly file?: string
  readonly body: Body | string
}

const quoted = (text: string): string => text.replaceAll("\"", "%22").replaceAll(/[\r\n]/g, " ")

/** What a quoted name cannot hold as it is travels beside it (RFC 8187). */
const exact = (text: string): string =>
  quoted(text) === text ? "" : `; filename*=UTF-8''${encodeURIComponent(text.toWellFormed()).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`

/** multipart/form-data (RFC 7578), its length known where each part's is. */
export const formBody = (boundary: string, parts: ReadonlyArray<Part>): Body => {
  const framed = parts.map(({ body, file, name }) => {
    const named = `form-data; name="${quoted(name)}"${file === undefined ? "" : `; filename="${quoted(file)}"${exact(file)}`}`
    const type = typeof body === "string" ? "" : `Content-Type: ${body.type ?? "application/octet-stream"}\r\n`
    return { head: Buffer.from(`--${boundary}\r\nContent-Disposition: ${named}\r\n${type}\r\n`), body: typeof body === "string" ? Buffer.from(body) : body }
  })
  const end = Buffer.from(`--${boundary}--\r\n`)
  const lengths = framed.map(({ body, head }) => head.length + (body.length ?? NaN) + 2)
  const total = lengths.reduce((sum, length) => sum + length, end.length)
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    length: Number.isNaN(total) ? undefined : total,
    size: framed.reduce((sum, { body }) => sum + (Buffer.isBuffer(body) ? 0 : body.size), 0),
    open: async function*(read) {
      for (const { body, head } of framed) {
        yield head
        if (Buffer.isBuffer(body)) yield body
        else yield* body.open(read)
        yield Buffer.from("\r\n")
      }
      yield end
    }
  }
}
