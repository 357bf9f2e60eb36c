/** What never became a request is refused all the same: in the envelope, on the bare connection, which ends. */
import type { ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { Invalid } from "../../domain/failures.ts"
import { envelope } from "../contract/envelope.ts"
import { requestIdOf } from "./request-id.ts"

/** The status, and the lines that go with it. */
const REFUSED: Record<string, readonly [status: string, message: string]> = {
  CONNECT: ["400 Bad Request", "Nothing is passed on from here."],
  // Script of one page may set cookies for all of the domain, more than a head may hold: without them its readers come back.
  HPE_HEADER_OVERFLOW: [
    `431 Request Header Fields Too Large\r\nClear-Site-Data: "cookies"`,
    "The head of the request is too large. Browsers forget their cookies of this site now: try again, and sign in once more."
  ],
  LONG_TARGET: ["431 Request Header Fields Too Large", "The address of the request is too long."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The head of the request took too long."],
  SLOW_BODY: ["408 Request Timeout", "The body of the request comes too slowly."]
}

/** The answer that a connection is sending, by Node's own name for it. */
interface Connection extends Duplex {
  readonly _httpMessage?: ServerResponse | null
}

/** Whether part of an answer is out and more is to come: whatever is written now would be read as a piece of it. */
const isAmidAnswer = ({ _httpMessage: answer }: Connection): boolean => answer?.headersSent === true && !answer.writableEnded

/** What never became a request: said in the envelope, and the connection ends. */
export const malformed = (error: { readonly code?: string }, socket: Duplex) => {
  if (!socket.writable || isAmidAnswer(socket)) return socket.destroy()
  const [status, message] = REFUSED[error.code ?? ""] ?? ["400 Bad Request", "The request is malformed."]
  const body = JSON.stringify(envelope(new Invalid({ message })))
  return socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-Id: ${requestIdOf(undefined)}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`
  )
}

/** A long address alone clears nothing: any page may link to one. */
export const tooLong = (error: Error & { readonly code?: string; readonly rawPacket?: Buffer; readonly bytesParsed?: number }) => {
  if (error.code !== "HPE_HEADER_OVERFLOW" || error.rawPacket === undefined) return error
  const parsed = error.rawPacket.toString("latin1", 0, error.bytesParsed)
  return /^[A-Z]+ [^\n]*$/.test(parsed) ? { code: "LONG_TARGET" } : error
}
