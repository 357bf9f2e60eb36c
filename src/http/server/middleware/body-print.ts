/**
 * What a request was given, as a hash: its query, its type, its file name and its body, which is heard as whoever reads
 * it takes it, and kept where it is a short JSON alone. A form's boundary does not count: clients make up a new one each time they send it.
 */
import { createHash } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import type { Readable } from "node:stream"
import { Effect, Option } from "effect"
import type { Print } from "../../../domain/idempotency/model.ts"

/** Bytes as they come, without those of the boundary, which may be cut anywhere. */
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

/** Past what its handler took, a body is not followed further than this. */
const MAX_UNREAD = 1024 * 1024

/** A longer JSON says nothing that is asked for again. */
const MAX_HEARD = 64 * 1024

export interface Overheard {
  /** A JSON body as far as it was heard. */
  readonly given: () => string
  /** Of all there is; none where much of it is left unread, or the sender went away in the middle. */
  readonly printed: Effect.Effect<Option.Option<Print>>
  /** Of a body that nobody reads otherwise; none where it is longer than this. */
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
  hash.update(JSON.stringify([query, type.replace(BOUNDARY, ""), request.headers["x-filename"] ?? ""]))
  const body = boundary === undefined ? { add: take, end: () => {} } : without(Buffer.from(boundary), take)
  // Whatever way a stream is read, each chunk is announced once; a listener would set it flowing.
  const emit = request.emit
  request.emit = function(this: Readable, event: string, ...given: Array<unknown>) {
    if (event === "data") body.add(given[0] as Buffer)
    return (emit as (...all: Array<unknown>) => boolean).call(this, event, ...given)
  } as typeof emit

  const { "content-length": declared = "0", "transfer-encoding": chunked } = request.headers
  const isEmpty = declared === "0" && chunked === undefined

  const rest = async (most: number): Promise<boolean> => {
    // All of it came and was taken, though its sender may be gone by now.
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
