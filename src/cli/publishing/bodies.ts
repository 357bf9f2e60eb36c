/** Request bodies: a file, a form around files, a zip made while it is sent. Each can be opened again for a retry. */
import { Readable } from "node:stream"
import type { Transform } from "node:stream"
import { ZipFile } from "yazl"
import { namesDense } from "../../domain/projects/file-paths.ts"
import { bytesOf } from "./folder.ts"
import type { LocalFile, Readable as Source } from "./folder.ts"

export interface Body {
  readonly type: string | undefined
  /** Bytes on the wire, if they are known beforehand. */
  readonly length: number | undefined
  /** Bytes to read from files, which progress counts. */
  readonly size: number
  /** `read` is told the size of every chunk that is read. */
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

/** Constant, so that a retry sends the same bytes, by which the service recognises it. */
const MTIME = new Date(Date.UTC(2000, 0, 1))

export const zipBody = (files: ReadonlyArray<LocalFile>): Body => ({
  type: "application/zip",
  length: undefined,
  size: files.reduce((sum, { size }) => sum + size, 0),
  open: (read) => {
    const zip = new ZipFile()
    for (const file of files) {
      zip.addReadStreamLazy(file.path, { mtime: MTIME, mode: 0o100644, compress: !namesDense(file.path) }, (opened) => {
        // The zip only pipes the stream on, so errors in it have to be passed to the zip.
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

/** A name that a quoted string cannot hold is sent in a second parameter (RFC 8187). */
const exact = (text: string): string =>
  quoted(text) === text ? "" : `; filename*=UTF-8''${encodeURIComponent(text.toWellFormed()).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`

/** multipart/form-data (RFC 7578); its length is known if each part's is. */
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
