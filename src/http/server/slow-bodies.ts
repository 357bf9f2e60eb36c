/** Cuts off bodies that drip: a sender of less than 8 KB in half a minute, while we wait for it, only holds a connection. */
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { Effect } from "effect"

const WINDOW_MS = 30_000
const LEAST_BYTES = 8 * 1024

interface Coming {
  /** Undefined once its body is here, or was given up. */
  request: IncomingMessage | undefined
  /** Bytes read from the connection by the last check. */
  before: number | undefined
}

const hasBody = ({ headers }: IncomingMessage) => headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** Returns a function to call with every new request; `cut` is called with those that are too slow. */
export const watchBodies = (cut: (request: IncomingMessage) => void) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        /** The latest of each connection, as long as that is open: what is unread of a body would stay with its request. */
        const coming = new Map<Socket, Coming>()
        const look = setInterval(() => {
          for (const [{ bytesRead }, one] of coming) {
            if (one.request?.complete === true) one.request = undefined
            if (one.request === undefined) continue
            const { before, request } = one
            one.before = bytesRead
            // Bytes that wait for us to read them are not late.
            if (request.readableLength > 0 || before === undefined || bytesRead - before >= LEAST_BYTES) continue
            one.request = undefined
            cut(request)
          }
        }, WINDOW_MS)
        look.unref()
        return { coming, look }
      }),
      ({ look }) => Effect.sync(() => clearInterval(look))
    ),
    ({ coming }) => (request: IncomingMessage): void => {
      if (!hasBody(request)) return
      const { socket } = request
      if (!coming.has(socket)) socket.once("close", () => coming.delete(socket))
      // A new request gets a whole window.
      coming.set(socket, { request, before: undefined })
    }
  )
