/** What one connection, and all bodies that are on their way, may take of the memory: beyond that, no request is let in. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { MAX_BODY_BYTES } from "../contract/request-shape.ts"

/** Requests of one connection whose answers are not sent yet. Browsers have one, and programs that pipeline a few; each holds what it is answered. */
export const UNANSWERED = 32
/** Of bodies that are read as a whole, in bytes. */
export const GATHERED = 128 * MAX_BODY_BYTES

/** A longer one is of an agent, which is known before it is read. */
const LONGEST = 16 * MAX_BODY_BYTES

const GATHERED_TYPES = /^(?:application\/(?:[\w.-]+\+)?json|application\/x-www-form-urlencoded)\b/i

/** At most what it may have when it is read. A PUT is a file's, which goes to the disk as it comes. */
const gatheredOf = ({ headers, method }: IncomingMessage): number => {
  if (method === "PUT" || !GATHERED_TYPES.test(headers["content-type"] ?? "")) return 0
  const length = headers["content-length"]
  return length !== undefined ? Math.min(Number(length), LONGEST) : headers["transfer-encoding"] === undefined ? 0 : MAX_BODY_BYTES
}

interface Held {
  requests: number
  bytes: number
}

export const makeAdmission = () => {
  /** Of each connection that is open. */
  const held = new Map<Socket, Held>()
  let gathered = 0

  const of = (socket: Socket): Held => {
    const known = held.get(socket)
    if (known !== undefined) return known
    const one = { requests: 0, bytes: 0 }
    held.set(socket, one)
    // Answers that wait for their turn are never told that their connection has ended.
    socket.once("close", () => {
      gathered -= one.bytes
      held.delete(socket)
    })
    return one
  }

  /** `many`: too many on this connection. `full`: too much on all of them. Undefined: it is let in. */
  return (request: IncomingMessage, response: ServerResponse): "full" | "many" | undefined => {
    const { socket } = request
    const one = of(socket)
    if (one.requests >= UNANSWERED) return "many"
    const bytes = gatheredOf(request)
    if (bytes > 0 && gathered + bytes > GATHERED) return "full"
    one.requests++
    one.bytes += bytes
    gathered += bytes
    response.once("close", () => {
      if (!held.has(socket)) return
      one.requests--
      one.bytes -= bytes
      gathered -= bytes
    })
    return undefined
  }
}

export type Admission = ReturnType<typeof makeAdmission>
