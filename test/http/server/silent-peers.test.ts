/** A peer that sends nothing is disconnected; one that waits for our answer is not. */
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { connect } from "node:net"
import type { AddressInfo } from "node:net"
import { assert, it } from "vitest"
import { dismissSilent } from "../../../src/http/server/silent-peers.ts"

/** More than a busy machine may take from a request's connection to its words. */
const SILENT_MS = 750

it("a whole request is answered however long it takes; half of one, and an answer that nobody reads, end", async () => {
  const inFlight = new Set<ServerResponse>()
  const answering = (request: IncomingMessage, response: ServerResponse) => {
    inFlight.add(response)
    response.once("close", () => inFlight.delete(response))
    if (request.url === "/read") response.write("x".repeat(32 * 1024 * 1024))
    if (request.url === "/work") setTimeout(() => response.end("done"), 2 * SILENT_MS)
  }
  const server = createServer(answering)
  dismissSilent(server, inFlight, SILENT_MS)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo

  /** Everything received until the connection ended. */
  const said = (text: string, reads = true) =>
    new Promise<string>((resolve) => {
      let heard = ""
      const socket = connect(port, "127.0.0.1", () => socket.write(text))
      if (reads) socket.on("data", (chunk) => (heard += String(chunk)))
      else socket.pause()
      socket.on("error", () => undefined).once("close", () => resolve(heard))
      if (!reads) setTimeout(() => socket.resume(), 4 * SILENT_MS)
    })
  const head = (path: string, length: number) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n`
  const [worked, half, unread] = await Promise.all([
    said(`${head("/work", 2)}Connection: close\r\n\r\nhi`),
    said(`${head("/never", 10)}\r\nhalf`),
    said("GET /read HTTP/1.1\r\nHost: x\r\n\r\n", false)
  ])
  assert.match(worked, /^HTTP\/1\.1 200 .*done$/s)
  assert.deepStrictEqual([half, unread], ["", ""])
  await new Promise((resolve) => server.close(resolve))
})
