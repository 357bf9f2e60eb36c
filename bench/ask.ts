/** Requests over one kept-alive connection, as a publishing client makes them. */
import { Agent, request } from "node:http"

export interface Question {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent in one piece, or repeated so many times. */
  readonly body?: Buffer
  readonly times?: number
  /** Sent on one connection unless told otherwise. */
  readonly agent?: Agent
}

export interface Answer {
  readonly status: number
  readonly text: string
}

const alone = new Agent({ keepAlive: true, maxSockets: 1 })

export const ask = (port: number, path: string, { agent = alone, body, headers = {}, method = "GET", times = 1 }: Question): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(body.length * times) }
    const outgoing = request({ agent, host: "127.0.0.1", port, path, method, headers: { ...length, ...headers } }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("error", reject)
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }))
    })
    outgoing.on("error", reject)
    outgoing.setNoDelay(true)
    if (body === undefined || times === 1) return void outgoing.end(body)
    let left = times
    const more = () => {
      while (left > 1) {
        left--
        if (!outgoing.write(body)) return void outgoing.once("drain", more)
      }
      outgoing.end(body)
    }
    more()
  })
