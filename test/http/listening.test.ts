/** How many peers the kernel holds for a service that is busy. */
import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Worker } from "node:worker_threads"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { listen } from "../../src/http/server/listening.ts"

const PEERS = 1000
const KERNEL = "/proc/sys/net/core/somaxconn"

/** In a thread of its own, since this one is busy. Notes how many are connected, and that it is done. */
const peers = `
  const { connect } = require("node:net")
  const { port, seen } = require("node:worker_threads").workerData
  const end = () => { Atomics.store(seen, 1, 1); Atomics.notify(seen, 1) }
  for (let n = 0; n < ${PEERS}; n++) connect(port, "127.0.0.1", () => Atomics.add(seen, 0, 1) === ${PEERS} - 1 && end()).on("error", () => {})
  setTimeout(end, 20_000)
`

it.skipIf(!existsSync(KERNEL))(`of ${PEERS} peers that come while it is busy, none is sent away (needs ${KERNEL})`, () =>
  Effect.gen(function*() {
    const server = createServer()
    yield* listen(server, { host: "127.0.0.1", port: 0 })
    const seen = new Int32Array(new SharedArrayBuffer(8))
    const worker = new Worker(peers, { eval: true, workerData: { port: (server.address() as AddressInfo).port, seen } })
    Atomics.wait(seen, 1, 0, 30_000)
    yield* Effect.promise(() => worker.terminate())
    yield* Effect.promise(() => new Promise((resolve) => server.close(resolve)))
    assert.isAtLeast(seen[0]!, Math.min(PEERS, Number(readFileSync(KERNEL, "utf8"))))
  }).pipe(Effect.runPromise))
