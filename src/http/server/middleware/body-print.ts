/**
 * A fingerprint of a request: its query, content type, file name and body, which is hashed while the handler reads it. Only a
 * short JSON body is kept. A form's boundary does not count: clients make up a new one each time they send it.
 */
import { createHash } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import type { Readable } from "node:stream"
import { Effect, Option } from "effect"
import type { Print } from "../../../domain/idempotency/model.ts"

/** Passes bytes on without those of the boundary, which may be split across chunks. */
const without = (boundary: Buffer, take: (bytes: Buffer) => void) => {
  let held = Buffer.alloc(0)
  return {
    add: (chunk: Buffer) => {
      let rest = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      for (let at = rest.indexOf(boundary); at !== -1; at = rest.indexOf(boundary)) {
        take(rest.subarray(0, at))
        rest = rest.subarray(at + boundary.length)
      }
      const kept = Math.min(rest.length, boundary.length - 1)
      take(rest.subarray(0, rest.length - kept))
      held = Buffer.from(rest.subarray(rest.length - kept))
    },
    end: () => take(held)
  }
}

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i

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
  const body = boundary === undefined ? { add: take, end: () => {} } : without(Buffer.from(boundary), take)
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
