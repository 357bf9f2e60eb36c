/** A TCP proxy to one target or several in turn that can be made bad: slow, silent, refusing, or cutting connections in the middle. */
import { once } from "node:events"
import { connect, createServer } from "node:net"
import type { AddressInfo, Server, Socket } from "node:net"
import { Transform } from "node:stream"
import { atEnd } from "../bench/closing.ts"

export type Way =
  | "open"
  /** Nothing listens, and open connections are cut. */
  | "refused"
  /** Connections are accepted and stay open, and nothing passes: as when a cable is pulled. */
  | "silent"
  /** What is behind it keeps its side open, and hears nothing more: as when the machine in front loses power. For connections that are open. */
  | "vanished"
  /** Every chunk is delayed this long, both ways. */
  | { readonly slowMs: number }
  /** A connection is cut after so many bytes of the answer. */
  | { readonly cutAnswer: number }
  /** The same, for the bytes sent. */
  | { readonly cutQuestion: number }

export interface Proxy {
  readonly port: number
  /** From now on, for open connections too. */
  readonly become: (way: Way) => Promise<void>
  readonly lead: (targets: ReadonlyArray<number>) => void
  /** How often it affected somebody: chunks delayed or swallowed, connections cut or met with silence. */
  readonly hits: () => number
}

export const openProxy = async (...given: ReadonlyArray<number>): Promise<Proxy> => {
  let targets = given
  let way: Way = "open"
  let [turn, hits] = [0, 0]
  const sockets = new Set<Socket>()

  const passing = (both: ReadonlyArray<Socket>, kind: "cutAnswer" | "cutQuestion") => {
    let passed = 0
    return new Transform({
      transform(chunk: Buffer, _, done) {
        passed += chunk.length
        if (typeof way === "object" && kind in way && passed > (way as Record<typeof kind, number>)[kind]) {
          // A reset, not an orderly end: the announced bytes never come.
          hits++
          both.forEach((socket) => socket.resetAndDestroy())
          return done()
        }
        if (way === "silent") {
          hits++
          return done()
        }
        if (typeof way === "object" && "slowMs" in way) {
          hits++
          return void setTimeout(() => done(null, chunk), way.slowMs)
        }
        done(null, chunk)
      }
    })
  }

  const server: Server = createServer((client) => {
    const onward = way === "silent" ? undefined : connect(targets[turn++ % targets.length]!, "127.0.0.1")
    const both = onward === undefined ? [client] : [client, onward]
    for (const socket of both) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on("error", () => undefined)
      socket.once("close", () => {
        sockets.delete(socket)
        for (const other of both) if (way !== "vanished" || other !== onward) other.destroy()
      })
    }
    if (onward === undefined) {
      hits++
      return
    }
    const question = passing(both, "cutQuestion")
    client.pipe(question).pipe(onward, { end: false })
    question.once("end", () => {
      if (way !== "vanished") onward.end()
      else hits++
    })
    onward.pipe(passing(both, "cutAnswer")).pipe(client)
  })
  const listen = async (port: number) => {
    await once(server.listen(port, "127.0.0.1"), "listening")
    return (server.address() as AddressInfo).port
  }
  const close = () => {
    for (const socket of sockets) socket.resetAndDestroy()
    return server.listening ? new Promise<void>((resolve) => void server.close(() => resolve())) : Promise.resolve()
  }
  const port = await listen(0)
  atEnd(close)

  return {
    port,
    hits: () => hits,
    lead: (next) => void (targets = next),
    become: async (next) => {
      const before = way
      way = next
      if (next === "refused") {
        hits += sockets.size
        return close()
      }
      // Swallowed bytes are lost for good, so the connection cannot go on.
      if (before === "silent" || before === "vanished") for (const socket of sockets) socket.resetAndDestroy()
      if (!server.listening) await listen(port)
    }
  }
}
