/** The port of the one listener: taken at the start, given back at a shutdown once what is in flight is sent. */
import type { Server, ServerResponse } from "node:http"
import { Server as NetServer } from "node:net"
import type { Socket } from "node:net"
import { Effect, Schema } from "effect"

class ListenRefused extends Schema.TaggedError<ListenRefused>()("ListenRefused", { message: Schema.String }) {}

export const listen = (server: Server, { host, port }: { readonly host: string; readonly port: number }) =>
  Effect.callback<void, ListenRefused>((resume) => {
    const refused = (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "it is in use. Stop what listens there, or set SVC_PORT." : `${error.code ?? error.message}.`
      resume(Effect.fail(new ListenRefused({ message: `Cannot listen on ${host}:${port}: ${why}` })))
    }
    server.once("error", refused)
    server.listen(port, host, () => {
      server.off("error", refused)
      resume(Effect.void)
    })
  })

/** Node takes a connection for idle once its answer is ended, and would cut what of it is not sent yet. None is closed while one has bytes to send. */
export const sparingAnswers = (server: Server) => {
  const connections = new Set<Socket>()
  server.on("connection", (socket) => {
    connections.add(socket)
    socket.once("close", () => connections.delete(socket))
  })
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    for (const { writableLength } of connections) if (writableLength > 0) return
    closeIdle()
    // Told in words why it ends, and not ended by the other side: no request is under way on it, nor will be.
    for (const socket of connections) if (socket.writableFinished) socket.destroy()
  }
}

/** No new requests; those in flight may finish; what is still there after `drainMs` is cut. */
export const drain = (server: Server, inFlight: ReadonlySet<ServerResponse>, drainMs: number) =>
  Effect.callback<void>((resume) => {
    const cut = setTimeout(() => server.closeAllConnections(), drainMs)
    // An answer whose head is out has promised to keep its connection: it goes once nothing is under way on it.
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    // As any listener closes: closed as one of HTTP, it would not look any more whose head takes too long.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(cut)
      clearInterval(sweep)
      server.close()
      resume(Effect.void)
    })
    server.closeIdleConnections()
    for (const response of inFlight) response.shouldKeepAlive = false
  })
