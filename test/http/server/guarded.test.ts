/** An exception in the outermost listener costs its own request, and no other. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, it } from "vitest"
import { guarded } from "../../../src/http/server/guarded.ts"
import { ask } from "../../support/ask.ts"

it("an exception in the listener is a 500 in the envelope and is reported, and the next request is answered", async () => {
  const told: Array<readonly [cause: unknown, requestId: string]> = []
  const server = createServer(guarded((request, response) => {
    if (request.url === "/late") response.writeHead(200).write("half")
    if (request.url !== "/") throw new Error(`secret of ${request.url}`)
    response.end("well")
  }, (cause, requestId) => told.push([cause, requestId])))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo

  const broken = await ask(port, "/early", { headers: { "x-request-id": "trace-0123456789" } })
  assert.deepStrictEqual([broken.status, broken.json.error.code, broken.headers["x-request-id"]], [500, "internal_error", "trace-0123456789"])
  assert.deepStrictEqual(broken.json.error.details, { request_id: "trace-0123456789" })
  assert.notInclude(broken.text, "secret")
  assert.strictEqual(await ask(port, "/late").then(() => "answered", () => "cut"), "cut")
  assert.strictEqual((await ask(port, "/")).text, "well")
  assert.deepStrictEqual(told.map(([cause]) => (cause as Error).message), ["secret of /early", "secret of /late"])
  await new Promise((resolve) => server.close(resolve))
})
