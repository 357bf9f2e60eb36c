/** Bodies that drip: whoever sends less than 8 KB in half a minute, while we wait for it, holds a connection and is let go. */
import type { IncomingMessage } from "node:http"
import { Effect } from "effect"

const WINDOW_MS = 30_000
const LEAST_BYTES = 8 * 1024

const hasBody = ({ headers }: IncomingMessage) => headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** Answers what to show every request to as it comes; `cut` is told of those that are too slow. */
export const watchBodies = (cut: (request: IncomingMessage) => void) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        /** Bytes that its connection had brought when it was looked at last. */
        const coming = new Map<IncomingMessage, number>()
        const look = setInterval(() => {
          for (const [request, before] of coming) {
            const { bytesRead, destroyed } = request.socket
            if (request.complete || destroyed) coming.delete(request)
            // What waits for us to read it is not late.
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
      // One that came a moment ago gets a whole window.
      if (hasBody(request)) coming.set(request, -1)
    }
  )
