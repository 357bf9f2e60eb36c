/** Cuts off bodies that drip: a sender of less than 8 KB in half a minute, while we wait for it, only holds a connection. */
import type { IncomingMessage } from "node:http"
import { Effect } from "effect"

const WINDOW_MS = 30_000
const LEAST_BYTES = 8 * 1024

const hasBody = ({ headers }: IncomingMessage) => headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** Returns a function to call with every new request; `cut` is called with those that are too slow. */
export const watchBodies = (cut: (request: IncomingMessage) => void) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        /** Bytes read from its connection by the last check; -1 before the first one. */
        const coming = new Map<IncomingMessage, number>()
        const look = setInterval(() => {
          for (const [request, before] of coming) {
            const { bytesRead, destroyed } = request.socket
            if (request.complete || destroyed) coming.delete(request)
            // Bytes that wait for us to read them are not late.
            else if (request.readableLength === 0 && before >= 0 && bytesRead - before < LEAST_BYTES) {
              coming.delete(request)
              cut(request)
            } else coming.set(request, bytesRead)
          }
        }, WINDOW_MS)
        look.unref()
        return { coming, look }
      }),
      ({ look }) => Effect.sync(() => clearInterval(look))
    ),
    ({ coming }) => (request: IncomingMessage): void => {
      // A new request gets a whole window.
      if (hasBody(request)) coming.set(request, -1)
    }
  )
