/** Refuses what never became a request: writes the envelope to the raw connection, and closes it. */
import type { ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { Invalid } from "../../domain/failures.ts"
import { envelope } from "../contract/envelope.ts"
import { requestIdOf } from "./request-id.ts"

/** The status line, and the header lines that go with it. */
const REFUSED: Record<string, readonly [status: string, message: string]> = {
  CONNECT: ["400 Bad Request", "This server is not a proxy."],
  // One page's script can set more cookies for the whole domain than a head may hold: clearing them lets its readers back in.
  HPE_HEADER_OVERFLOW: [
    `431 Request Header Fields Too Large\r\nClear-Site-Data: "cookies"`,
    "The head of the request is too large. Browsers forget their cookies of this site now: try again, and sign in once more."
  ],
  // Browsers escape what is typed, curl does not.
  HPE_INVALID_URL: ["400 Bad Request", "Percent-encode letters beyond a–z in the address: ü is %C3%BC."],
  LONG_TARGET: ["431 Request Header Fields Too Large", "The address of the request is too long."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The head of the request took too long."],
  SLOW_BODY: ["408 Request Timeout", "The body of the request comes too slowly."]
}

/** Node's internal name for the answer that a connection is sending. */
interface Connection extends Duplex {
  readonly _httpMessage?: ServerResponse | null
}

/** Whether an answer is partly sent: whatever is written now would be read as a piece of it. */
const isAmidAnswer = ({ _httpMessage: answer }: Connection): boolean => answer?.headersSent === true && !answer.writableEnded

/** For the peer to read why. What it sends meanwhile is read on, and one that does not go by itself would send without end. */
const LINGERS_MS = 2_000

export const malformed = (error: { readonly code?: string }, socket: Duplex): void => {
  if (!socket.writable || isAmidAnswer(socket)) return void socket.destroy()
  const [status, message] = REFUSED[error.code ?? ""] ?? ["400 Bad Request", "The request is malformed."]
  const body = JSON.stringify(envelope(new Invalid({ message })))
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-Id: ${requestIdOf(undefined)}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`
  )
  const cut = setTimeout(() => socket.destroy(), LINGERS_MS).unref()
  socket.once("close", () => clearTimeout(cut))
}

/** Of a request that is under way. */
export const cutOffSlowBody = (socket: Duplex): void => malformed({ code: "SLOW_BODY" }, socket)

/**
 * Whether the address took the room. A head may arrive in pieces, of which only the last one is known here: it begins with the address,
 * within it, or right behind it, where `Host` stands; or within the cookies, none of which has more than 4,096 bytes.
 */
const OF_LONG_TARGET = [/^[A-Z]+ \S{8192}/, /^\S{4100}/, /^(?:\S*(?: HTTP\/1\.1)?\r?\n)?Host:[^]{0,8192}$/i]

/** Where the address is too long, or leaves too little to the rest, no cookies are cleared: any page may link to such an address. */
export const tooLong = (error: Error & { readonly code?: string; readonly rawPacket?: Buffer }) => {
  if (error.code !== "HPE_HEADER_OVERFLOW" || error.rawPacket === undefined) return error
  const piece = error.rawPacket.toString("latin1")
  return OF_LONG_TARGET.some((form) => form.test(piece)) ? { code: "LONG_TARGET" } : error
}
