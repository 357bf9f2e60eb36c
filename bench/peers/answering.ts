/** A peer that listens. */
import { connect } from "node:net"
import { setTimeout as wait } from "node:timers/promises"

export interface Peer {
  readonly port: number
  /** The processes that work for its answers. */
  readonly pids: ReadonlyArray<number>
}

const knock = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })

export const answering = async (port: number): Promise<void> => {
  for (let tries = 0; tries < 200; tries++) {
    if (await knock(port)) return
    await wait(50)
  }
  throw new Error(`nothing listens on port ${port}`)
}
