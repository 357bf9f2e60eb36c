/** Requests over Node's own sockets: names under localhost resolve to this machine, and bodies stream with progress. */
import { lookup as resolve } from "node:dns"
import type { LookupFunction } from "node:net"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { heard } from "./clock.ts"
import { httpFor } from "./node-http.ts"
import { agentFor, PATIENCE_MS } from "./proxies.ts"

export interface Sent {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | undefined
  readonly signal?: AbortSignal
}

export interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

/** What --verbose tells of a request. */
export const requestLine = (method: string, path: string, { headers, status }: Got, began: number): string =>
  `${method} ${path} ${status} in ${Date.now() - began} ms, request ${headers["x-request-id"] ?? "without an id"}`

/** Silence in both directions: a connection that is silent for longer is broken. A large site is unpacked before it is answered, a mere question is not. */
const SILENCE_MS = 5 * 60_000

/** Few resolvers follow RFC 6761: everything under localhost is this machine. */
export const lookup: LookupFunction = (host, options, answer) =>
  host.toLowerCase().endsWith(".localhost")
    ? options.all ? answer(null, [{ address: "127.0.0.1", family: 4 }]) : answer(null, "127.0.0.1", 4)
    : resolve(host, options, answer as (error: NodeJS.ErrnoException | null) => void)

/** The error of reading the body here, which is not the connection's fault. */
export class SourceBroken extends Error {}

const watched = async function*(body: AsyncIterable<Uint8Array>) {
  try {
    yield* body
  } catch (cause) {
    throw new SourceBroken(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

export const exchange = (url: URL, { body, headers, method, signal }: Sent): Promise<Got> =>
  new Promise((fulfil, reject) => {
    const outgoing = httpFor(url).request(url, { method, headers, lookup, agent: agentFor(url), ...(signal === undefined ? {} : { signal }) })
    // A refusal may arrive while the body is still being sent: then it is the answer, and errors of the body do not matter.
    let answered = false
    outgoing.on("response", (incoming) => {
      answered = true
      heard(incoming.headers.date)
      const chunks: Array<Buffer> = []
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
      incoming.on("error", reject)
      incoming.on("end", () => {
        // Refused before all of the body was sent: nobody wants the rest, and a connection that is held open for it keeps this process.
        if (!outgoing.writableFinished) outgoing.destroy()
        // Nobody but a proxy answers so.
        if (incoming.statusCode === 407) return reject(Object.assign(new Error("the proxy does not know who asks"), { statusCode: 407 }))
        const named = Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(", ")] as const)
        fulfil({ status: incoming.statusCode ?? 0, headers: Object.fromEntries(named), bytes: Buffer.concat(chunks) })
      })
    })
    const failed = (error: Error) => answered ? undefined : reject(error)
    outgoing.on("error", failed)
    outgoing.setTimeout(body === undefined ? PATIENCE_MS : SILENCE_MS, () => outgoing.destroy(Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" })))
    if (body === undefined || body instanceof Uint8Array) outgoing.end(body)
    else pipeline(Readable.from(watched(body), { objectMode: false }), outgoing).catch(failed)
  })
