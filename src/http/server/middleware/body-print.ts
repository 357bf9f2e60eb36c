/**
 * A fingerprint of a request: its query, content type, file name and body, which is hashed while the handler reads it. Only a
 * short JSON body is kept. A form's boundary does not count: clients make up a new one each time they send it.
 */
import { createHash } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import type { Readable } from "node:stream"
import { Effect, Option } from "effect"
import type { Print } from "../../../domain/idempotency/model.ts"

const LINE = "\r\n--"

/**
 * Passes bytes on without the boundary at the beginning of a line, which may be split across chunks. Anywhere else one of a single
 * character would be looked for, and found, at every byte.
 */
const without = (boundary: string, take: (bytes: Buffer) => void) => {
  const mark = Buffer.from(`${LINE}${boundary}`)
  // The first one begins the body: the break before it never came.
  let [held, unsent] = [Buffer.from("\r\n"), 2]
  const pass = (parts: ReadonlyArray<Buffer>) => {
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    const sent = bytes.subarray(unsent)
    unsent -= bytes.length - sent.length
    take(sent)
  }
  return {
    add: (chunk: Buffer) => {
      const all = Buffer.concat([held, chunk])
      const parts: Array<Buffer> = []
      let from = 0
      for (let at = all.indexOf(mark); at !== -1; at = all.indexOf(mark, from)) {
        parts.push(all.subarray(from, at + LINE.length))
        from = at + mark.length
      }
      const end = Math.max(from, all.length - mark.length + 1)
      parts.push(all.subarray(from, end))
      pass(parts)
      held = Buffer.from(all.subarray(end))
    },
    end: () => pass([held])
  }
}

/** At most 70 characters (RFC 2046 §5.1.1). */
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70})(?![^\s;]))/i

/** How much of a body is read beyond what its handler read. */
const MAX_UNREAD = 1024 * 1024

/** How much of a JSON body is kept: a longer one holds nothing that a repeat needs. */
const MAX_HEARD = 64 * 1024

export interface Overheard {
  /** The JSON body, as far as it was kept. */
  readonly given: () => string
  /** Of the whole request; none where much of it is left unread, or the sender disconnected midway. */
  readonly printed: Effect.Effect<Option.Option<Print>>
  /** Reads a body that no handler reads; none where it is longer than `length`. */
  readonly print: (length: number) => Effect.Effect<Option.Option<Print>>
}

export const overheard = (request: Readable & { readonly headers: IncomingHttpHeaders; readonly complete: boolean }, query: string): Overheard => {
  const hash = createHash("sha256")
  const type = request.headers["content-type"] ?? ""
  const isJson = /^application\/json\b/i.test(type)
  const heard: Array<Buffer> = []
  let length = 0
  const take = (bytes: Buffer) => {
    length += bytes.length
    hash.update(bytes)
    if (isJson && length <= MAX_HEARD) heard.push(bytes)
  }
  const [, quoted, plain] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? plain
  const named = [query, type.replace(BOUNDARY, ""), request.headers["x-filename"] ?? ""]
  const condition = request.headers["if-none-match"]
  hash.update(JSON.stringify(condition === undefined ? named : [...named, condition]))
  const body = boundary === undefined ? { add: take, end: () => {} } : without(boundary, take)
  // However a stream is read, it emits each chunk once; a `data` listener would start it flowing.
  const emit = request.emit
  request.emit = function(this: Readable, event: string, ...given: Array<unknown>) {
    if (event === "data") body.add(given[0] as Buffer)
    return (emit as (...all: Array<unknown>) => boolean).call(this, event, ...given)
  } as typeof emit

  const { "content-length": declared = "0", "transfer-encoding": chunked } = request.headers
  const isEmpty = declared === "0" && chunked === undefined

  const rest = async (most: number): Promise<boolean> => {
    // All of it arrived and was read, even if its sender is gone by now.
    if (isEmpty || request.readableEnded || (request.complete && request.readableLength === 0)) return true
    try {
      for await (const _ of request.iterator({ destroyOnReturn: false })) if (length > most) return false
      return true
    } catch {
      return false
    }
  }

  const print = (most: number) =>
    Effect.map(Effect.promise(() => rest(most)), (whole) => {
      if (!whole) return Option.none()
      body.end()
      return length > most ? Option.none() : Option.some({ hash: hash.digest("hex"), length })
    })
  return { given: () => Buffer.concat(heard).toString("utf8"), print, printed: Effect.suspend(() => print(length + MAX_UNREAD)) }
}
