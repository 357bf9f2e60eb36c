/** What one connection, and all bodies that are on their way, may take of the memory. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { MAX_BODY_BYTES } from "../contract/request-shape.ts"

/** Requests of one connection whose answers are not sent yet. Browsers have one, and programs that pipeline a few; each holds what it is answered. */
export const UNANSWERED = 32
/** Of bodies that are read as a whole, in bytes. */
export const GATHERED = 128 * MAX_BODY_BYTES

/** A longer one is of an agent, which is known before it is read. */
const LONGEST = 16 * MAX_BODY_BYTES

/** Where files are published. */
const PUBLISHES = /^(?:https?:\/\/[^/?]*)?\/v1\/projects(?:\/[^/?]+(?:\/files)?)?\/?(?:\?|$)/

/** What goes to the disk as it comes: a file, or a form of files. */
const isOfFiles = ({ headers, method, url = "" }: IncomingMessage): boolean =>
  (method === "PUT" || /^multipart\/form-data\b/i.test(headers["content-type"] ?? "")) && PUBLISHES.test(url)

/** At most what it may have when it is read, of whatever type: some doors read what says that it is none of theirs. */
const gatheredOf = (request: IncomingMessage): number => {
  if (isOfFiles(request)) return 0
  const { headers } = request
  const length = headers["content-length"]
  return length !== undefined ? Math.min(Number(length), LONGEST) : headers["transfer-encoding"] === undefined ? 0 : MAX_BODY_BYTES
}

interface Coming {
  readonly request: IncomingMessage
  readonly bytes: number
}

export interface AdmissionOptions {
  /** Called with a request whose body gives way to others. */
  readonly giveWay: (request: IncomingMessage) => void
}

export const makeAdmission = ({ giveWay }: AdmissionOptions) => {
  /** Of each connection that is open: how many requests have no answer yet, and their bodies. */
  const held = new Map<Socket, { requests: number; readonly bodies: Set<Coming> }>()
  /** The bodies that are on their way, the oldest first. */
  const coming = new Set<Coming>()
  let gathered = 0

  const drop = (one: Coming): void => {
    if (coming.delete(one)) gathered -= one.bytes
  }

  /** A body of an honest sender is here soon: what has been on its way the longest gives way, not whoever comes next. */
  const makeRoom = (): void => {
    for (const one of coming) {
      if (gathered <= GATHERED) return
      drop(one)
      if (!one.request.complete && !one.request.socket.destroyed) giveWay(one.request)
    }
  }

  const of = (socket: Socket) => {
    const known = held.get(socket)
    if (known !== undefined) return known
    const here = { requests: 0, bodies: new Set<Coming>() }
    held.set(socket, here)
    // An answer that waits for its turn is never told that its connection has ended.
    socket.once("close", () => {
      held.delete(socket)
      here.bodies.forEach(drop)
    })
    return here
  }

  /** False where the connection has too many requests already. */
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const here = of(request.socket)
    if (here.requests >= UNANSWERED) return false
    here.requests++
    const bytes = gatheredOf(request)
    const one = bytes > 0 ? { request, bytes } : undefined
    if (one !== undefined) {
      coming.add(one)
      here.bodies.add(one)
      gathered += bytes
      makeRoom()
    }
    response.once("close", () => {
      here.requests--
      if (one === undefined) return
      here.bodies.delete(one)
      drop(one)
    })
    return true
  }
}
