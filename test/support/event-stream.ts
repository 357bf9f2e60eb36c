/** A client of server-sent events: the events received so far, and whether the stream has ended. */
import { request } from "node:http"
import { eventually } from "./program.ts"

export interface Told {
  readonly event: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into events of every shape
  readonly data: any
}

const parsed = (block: string): ReadonlyArray<Told> => {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1]
  const event = field("event")
  return event === undefined ? [] : [{ event, data: JSON.parse(field("data") ?? "null") }]
}

export const openEvents = (port: number, path: string, headers: Readonly<Record<string, string>>) =>
  new Promise<{
    readonly status: number
    readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
    readonly told: () => ReadonlyArray<Told>
    readonly text: () => string
    readonly ended: () => boolean
    /** Waits until so many events have arrived. */
    readonly count: (count: number) => Promise<unknown>
    readonly end: () => Promise<unknown>
    readonly close: () => void
  }>((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port, path, agent: false, headers }, (response) => {
      let text = ""
      let ended = false
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk)).on("close", () => (ended = true)).on("error", () => {})
      const told = () => text.split("\n\n").slice(0, -1).flatMap(parsed)
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        told,
        text: () => text,
        ended: () => ended,
        count: (count) => eventually(`${count} events`, () => told().length >= count),
        end: () => eventually("the end of the stream", () => ended),
        close: () => outgoing.destroy()
      })
    })
    outgoing.on("error", reject)
    outgoing.end()
  })
