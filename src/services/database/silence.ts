/**
 * A database that has gone silent: its machine lost power, or a cable was pulled. TCP gives up on it after a quarter of an hour,
 * and until then all that is under way waits. So it is knocked at every ten seconds; three knocks in a row that nobody answers,
 * and what is connected is cut off, which fails as a database that is away.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { connect, isIP, Socket } from "node:net"
import { Effect, Redacted, Schedule } from "effect"

const EVERY = "10 seconds"
const PATIENCE_MS = 5_000
const KNOCKS = 3

/** Asks whether TLS is spoken there: one byte is the answer, before any name or password. */
const KNOCK = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** Who says these has heard nothing either. */
const SILENT = new Set(["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN"])

interface Place {
  readonly host: string
  readonly port: number
}

/** None for a Unix socket: no cable leads there. */
const placeOf = (url: string): Place | undefined => {
  const { hostname, port, searchParams } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, "")
  return host === "" || searchParams.has("host") ? undefined : { host, port: Number(port || 5432) }
}

/** A refusal is an answer too. */
export const answers = ({ host, port }: Place, patienceMs = PATIENCE_MS): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port }, () => socket.write(KNOCK))
    const told = (answered: boolean) => {
      clearTimeout(timer)
      resolve(answered)
      socket.destroy()
    }
    const timer = setTimeout(told, patienceMs, false)
    socket.once("data", () => told(true))
    socket.once("error", (error: NodeJS.ErrnoException) => told(!SILENT.has(error.code ?? "")))
    socket.once("close", () => told(true))
  })

/** The connections of this process that lead there, whoever opened them. */
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

/** Goes on until the scope closes; to be there before the first connection is. */
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
