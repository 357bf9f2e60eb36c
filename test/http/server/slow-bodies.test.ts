/** What is remembered of requests with bodies: nothing once their connection is over, though nobody read them. */
import { once } from "node:events"
import { createServer, request } from "node:http"
import type { IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { watchBodies } from "../../../src/http/server/slow-bodies.ts"
import { eventually } from "../../support/program.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

it.live("refused requests cost nothing once their senders are gone, long before the next look at who is slow", () =>
  Effect.gen(function*() {
    const watch = yield* watchBodies(() => assert.fail("nobody was slow"))
    const requests: Array<WeakRef<IncomingMessage>> = []
    const server = createServer((incoming, response) => {
      watch(incoming)
      requests.push(new WeakRef(incoming))
      response.writeHead(401).end()
    })
    yield* Effect.addFinalizer(() => Effect.promise(() => new Promise((resolve) => server.close(() => resolve(undefined)))))
    yield* Effect.promise(async () => {
      await once(server.listen(0, "127.0.0.1"), "listening")
      const { port } = server.address() as AddressInfo
      for (let n = 0; n < 40; n++) {
        const refused = request({ port, host: "127.0.0.1", method: "PUT", agent: false })
        refused.on("error", () => {}).end(Buffer.alloc(100_000))
        const [answer] = await once(refused, "response") as [IncomingMessage]
        assert.strictEqual(answer.statusCode, 401)
        answer.resume()
        refused.destroy()
      }
      await eventually("the requests are gone", async () => {
        collect()
        // The last one may still be held by its parser.
        return requests.filter((one) => one.deref() !== undefined).length <= 2
      })
    })
  }))
