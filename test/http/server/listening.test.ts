/** How many peers the kernel holds for a service that is busy, and how many connections it serves where the system lets it open few files. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Worker } from "node:worker_threads"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { listen, OWN_FILES } from "../../../src/http/server/listening.ts"
import { KEPT_OPEN } from "../../../src/services/blobs/packs-disk.ts"

const PEERS = 1000
const KERNEL = "/proc/sys/net/core/somaxconn"
const LIMITS = "/proc/self/limits"

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

/** Offers 400 connections, and says how many were served and how many files can still be opened. */
const few = `
  import { openSync } from "node:fs"
  import { createServer } from "node:http"
  import { connect } from "node:net"
  import { Effect, Logger } from "effect"
  import { listen } from "./src/http/server/listening.ts"
  const server = createServer()
  await Effect.runPromise(listen(server, { host: "127.0.0.1", port: 0 }).pipe(Effect.provide(Logger.layer([Logger.consoleLogFmt]))))
  const peers = Array.from({ length: 400 }, () => new Promise((resolve) => {
    const peer = connect(server.address().port, "127.0.0.1")
    peer.once("error", resolve).once("close", resolve)
    server.on("connection", ({ remotePort }) => remotePort === peer.localPort && resolve(true))
  }))
  const served = (await Promise.all(peers)).filter((one) => one === true).length
  let opened = 0
  try {
    for (;; opened++) openSync("/dev/null")
  } catch ({ code }) {
    if (code === "EMFILE") console.log(JSON.stringify({ served, opened }))
  }
  process.exit()
`

it.skipIf(!existsSync(LIMITS))("where the system lets it open few files, connections leave enough of them for what is published (needs /proc/self/limits)", () => {
  const { stderr, stdout } = spawnSync("sh", ["-c", "ulimit -n 900; exec \"$0\" --input-type=module -e \"$1\"", process.execPath, few], { encoding: "utf8" })
  const lines = stdout.trim().split("\n")
  assert.match(lines[0]!, /files=900 connections=260/, stderr)
  const { opened, served } = JSON.parse(lines.at(-1)!)
  assert.strictEqual(served, 260)
  // The peers, in the same process, take as many again.
  // Of a service that has run for a while, most are packs; uploads, the database and the programs beside it need theirs too.
  assert.isAtLeast(OWN_FILES, KEPT_OPEN + 100)
  assert.isAtLeast(opened, 900 - 2 * 260 - 100)
})
