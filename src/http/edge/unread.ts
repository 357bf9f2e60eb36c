/**
 * What clients were sent and have not read stays in memory for them. Beyond a limit, whoever keeps the most waiting is cut off, where
 * it has read nothing for the longest.
 */
import type { IncomingMessage } from "node:http"
import type { Exchange } from "./exchange.ts"

/** Less than this is taken by the system's own buffers. */
const LEAST = 16 * 1024

interface Waiting {
  readonly x: Exchange
  readonly client: string
  readonly parts: ReadonlyArray<Uint8Array>
  readonly bytes: number
}

interface Client {
  /** The longest first. */
  readonly waiting: Set<Waiting>
  bytes: number
}

const sum = (parts: ReadonlyArray<Uint8Array>): number => parts.reduce((bytes, { length }) => bytes + length, 0)

export class Unread {
  readonly #limit: number
  readonly #clientOf: (req: IncomingMessage) => string
  readonly #clients = new Map<string, Client>()
  /** How many answers wait with the same memory, which is there once. */
  readonly #shared = new Map<ArrayBufferLike, number>()
  #bytes = 0

  /** In bytes. */
  constructor(limit: number, clientOf: (req: IncomingMessage) => string) {
    this.#limit = limit
    this.#clientOf = clientOf
  }

  /** Counts what was handed to the connection until it is read, as the caller tells by the function that it gets, or the answer is over. */
  hold(x: Exchange, ...parts: ReadonlyArray<Uint8Array>): () => void {
    const bytes = sum(parts)
    if (bytes < LEAST || x.gone) return () => {}
    const one = { x, client: this.#clientOf(x.req), parts, bytes }
    const read = (): void => {
      x.res.off("close", read)
      x.req.off("close", read)
      this.#release(one)
    }
    this.#add(one)
    x.res.on("close", read)
    // An answer that still waits behind another one on its connection learns of the close only through its request.
    x.req.on("close", read)
    while (this.#bytes > this.#limit) this.#cutOff()
    return read
  }

  #cutOff(): void {
    let greatest: Client | undefined
    for (const client of this.#clients.values()) if (client.bytes > (greatest?.bytes ?? 0)) greatest = client
    const [longest] = greatest!.waiting
    this.#release(longest!)
    longest!.x.req.socket.destroy()
  }

  #add(one: Waiting): void {
    const client = this.#clients.get(one.client) ?? { waiting: new Set(), bytes: 0 }
    this.#clients.set(one.client, client)
    client.waiting.add(one)
    client.bytes += one.bytes
    for (const { buffer } of one.parts) {
      const sharers = this.#shared.get(buffer) ?? 0
      this.#shared.set(buffer, sharers + 1)
      if (sharers === 0) this.#bytes += buffer.byteLength
    }
  }

  #release(one: Waiting): void {
    const client = this.#clients.get(one.client)
    if (client?.waiting.delete(one) !== true) return
    client.bytes -= one.bytes
    if (client.waiting.size === 0) this.#clients.delete(one.client)
    for (const { buffer } of one.parts) {
      const sharers = this.#shared.get(buffer)!
      if (sharers > 1) this.#shared.set(buffer, sharers - 1)
      else {
        this.#shared.delete(buffer)
        this.#bytes -= buffer.byteLength
      }
    }
  }
}
