/** Closes connections on which nothing moves: a peer that is silent for so long is gone, unless it waits for our answer. */
import type { Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

const SILENT_MS = 120_000

/** A complete request whose answer has not begun: it is being stored, or unpacked. */
const isOurs = ({ headersSent, req }: ServerResponse): boolean => req.complete && !headersSent

export const dismissSilent = (server: Server, inFlight: ReadonlySet<ServerResponse>, silentMs = SILENT_MS): void => {
  server.timeout = silentMs
  server.on("timeout", (socket: Socket) => {
    for (const response of inFlight) if (response.socket === socket && isOurs(response)) return
    socket.destroy()
  })
}
