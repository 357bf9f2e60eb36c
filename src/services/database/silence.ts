/**
 * Notices a database that has gone silent: its machine lost power, or a cable was pulled. TCP gives up only after a quarter of
 * an hour, and until then all work in progress waits. So the database is probed every ten seconds; after three probes in a row
 * without an answer all connections to it are cut, which fails as any other outage of the database.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { connect, isIP, Socket } from "node:net"
import { Effect, Redacted, Schedule } from "effect"
import { bareHost } from "../../domain/host-names.ts"

const EVERY = "10 seconds"
const PATIENCE_MS = 5_000
const KNOCKS = 3

/** PostgreSQL's SSLRequest: the answer is one byte, before any user name or password. */
const KNOCK = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** With these errors, too, nothing was heard. */
const SILENT = new Set(["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN"])

interface Place {
  readonly host: string
  readonly port: number
}

/** None for a Unix socket, which no pulled cable can silence. */
const placeOf = (url: string): Place | undefined => {
  const { hostname, port, searchParams } = new URL(url)
  const host = bareHost(hostname)
  return host === "" || searchParams.has("host") ? undefined : { host, port: Number(port || 5432) }
}

/** A refused connection is an answer too. */
const answers = ({ host, port }: Place): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port }, () => socket.write(KNOCK))
    const told = (answered: boolean) => {
      clearTimeout(timer)
      resolve(answered)
      socket.destroy()
    }
    const timer = setTimeout(told, PATIENCE_MS, false)
    socket.once("data", () => told(true))
    socket.once("error", (error: NodeJS.ErrnoException) => told(!SILENT.has(error.code ?? "")))
    socket.once("close", () => told(true))
  })

/** This process's connections to that place, whoever opened them. */
const connectionsTo = ({ host, port }: Place) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const open = new Set<Socket>()
      const seen = (message: unknown) => {
        const { socket } = message as { readonly socket: Socket }
        let named = false
        socket.on("lookup", (_error, _address, _family, name) => (named ||= name === host))
        socket.once("connect", () => {
          if (socket.remotePort !== port || !(named || (isIP(host) > 0 && socket.remoteAddress === host))) return
          open.add(socket)
          socket.once("close", () => open.delete(socket))
        })
      }
      subscribe("net.client.socket", seen)
      return { open, seen }
    }),
    ({ seen }) => Effect.sync(() => unsubscribe("net.client.socket", seen))
  )

/** Runs until the scope closes; must be started before the first connection is opened. */
export const cutSilence = Effect.fn("cutSilence")(function*(url: Redacted.Redacted<string>) {
  const place = placeOf(Redacted.value(url))
  if (place === undefined) return
  const { open } = yield* connectionsTo(place)
  const knocks = Effect.gen(function*() {
    for (let knock = 0; knock < KNOCKS; knock++) if (open.size === 0 || (yield* Effect.promise(() => answers(place)))) return
    yield* Effect.logWarning("database silent")
    for (const socket of open) socket.destroy(new Error("The database does not answer"))
  })
  yield* Effect.forkScoped(Effect.schedule(knocks, Schedule.spaced(EVERY)))
})
