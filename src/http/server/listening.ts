/** Listening on the port, and a shutdown that lets answers in flight be sent. */
import { existsSync, readFileSync } from "node:fs"
import type { Server, ServerResponse } from "node:http"
import { Server as NetServer } from "node:net"
import type { Socket } from "node:net"
import { Effect, Schema } from "effect"

class ListenRefused extends Schema.TaggedError<ListenRefused>()("ListenRefused", { message: Schema.String }) {}

const whyNot = ({ code, message }: NodeJS.ErrnoException, host: string, port: number): string => {
  switch (code) {
    case "EADDRINUSE":
      return `Cannot listen on ${host}:${port}: it is in use. Stop what listens there, or set SVC_PORT.`
    case "EACCES":
      return `Cannot listen on ${host}:${port}: this user may not. Set SVC_PORT to another port, such as one above 1023.`
    case "EADDRNOTAVAIL":
    case "EAI_AGAIN":
    case "EINVAL":
    case "ENOTFOUND":
      return `SVC_HOST holds ${JSON.stringify(host)}; it wants an address of this machine (${code}).`
    default:
      return `Cannot listen on ${host}:${port}: ${code ?? message}.`
  }
}

/** Connections that the kernel holds while we are busy, as far as it allows (net.core.somaxconn); further peers would wait a second or more to try again. */
const BACKLOG = 4096

/** How the system tells what a process may open; others have no such file. */
const LIMITS = "/proc/self/limits"

/** For packs and their folders that are kept open, uploads and the database: connections alone would leave none, and whatever is published would be refused. */
export const OWN_FILES = 640
const LEAST_CONNECTIONS = 64
/** Below this, the operator is told. */
const FEW_FILES = 4096

/** Infinity where there is no limit. */
const openFiles = (): number => Number(existsSync(LIMITS) ? /^Max open files +(\d+)/m.exec(readFileSync(LIMITS, "utf8"))?.[1] ?? Infinity : Infinity)

export const listen = Effect.fn("listen")(function*(server: Server, address: { readonly host: string; readonly port: number }) {
  const files = openFiles()
  if (files < Infinity) server.maxConnections = Math.max(LEAST_CONNECTIONS, files - OWN_FILES)
  if (files < FEW_FILES) {
    yield* Effect.logWarning("the system lets this process open few files, so that it serves few connections at once: raise the limit (ulimit -n, LimitNOFILE=)").pipe(
      Effect.annotateLogs({ files, connections: server.maxConnections })
    )
  }
  yield* listening(server, address)
})

const listening = (server: Server, { host, port }: { readonly host: string; readonly port: number }) =>
  Effect.callback<void, ListenRefused>((resume) => {
    const refused = (error: NodeJS.ErrnoException) => {
      resume(Effect.fail(new ListenRefused({ message: whyNot(error, host, port) })))
    }
    server.once("error", refused)
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off("error", refused)
      resume(Effect.void)
    })
  })

/** Node counts a connection as idle once its answer is ended, and would cut what is not sent yet. So none is closed while any has bytes to send. */
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
    // We ended it after a refusal and the peer has not: no request is under way on it, nor will be.
    for (const socket of connections) if (socket.writableFinished) socket.destroy()
  }
}

/** No new requests; those in flight may finish; what is still there after `finishMs` is cut. */
export const finish = (server: Server, inFlight: ReadonlySet<ServerResponse>, finishMs: number) =>
  Effect.callback<void>((resume) => {
    const cut = setTimeout(() => server.closeAllConnections(), finishMs)
    // An answer whose head is sent has promised keep-alive: its connection is closed here once it is idle.
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    // Closed as a plain TCP server: an HTTP server that is closed stops checking for heads that take too long.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(cut)
      clearInterval(sweep)
      server.close()
      resume(Effect.void)
    })
    server.closeIdleConnections()
    for (const response of inFlight) response.shouldKeepAlive = false
  })
