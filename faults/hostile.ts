/** Slow, broken and endless HTTP from a few thousand connections, and how long everybody else waits meanwhile. */
import { connect } from "node:net"
import type { Socket } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { median } from "../bench/pairs.ts"
import { comesIn } from "../test/support/newcomers.ts"
import type { Fault } from "./faults.ts"
import { openGround } from "./ground.ts"
import type { Row } from "./report.ts"

const HEAD = "Host: svc.localhost\r\n"
const JSON_HEAD = `POST /v1/auth/login HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`

export const hostile: Fault = async ({ note, quick, tell }) => {
  const { post, start } = await openGround()
  const program = await start()
  const ada = await comesIn(program, post, "ada")
  const put = await program.ask("/v1/projects/calm", { method: "PUT", body: `<h1>Calm</h1>${"<p>x</p>".repeat(2000)}`, headers: { ...ada.bearer, "content-type": "text/html" } })
  if (put.status !== 201) throw new Error(put.text)
  const rows: Array<Row> = []
  const samples = quick ? 60 : 300

  const waits = async () => {
    const found: Array<number> = []
    for (let sample = 0; sample < samples; sample++) {
      const began = performance.now()
      const { status } = await program.ask(sample % 2 === 0 ? "/" : "/v1/me", sample % 2 === 0 ? { host: "calm.svc.localhost" } : { headers: ada.bearer })
      if (status !== 200) throw new Error(`somebody else was answered ${status}`)
      found.push(performance.now() - began)
    }
    return found.toSorted((a, b) => a - b)
  }
  const p95 = (sorted: ReadonlyArray<number>) => sorted[Math.floor(sorted.length * 0.95)]!

  /** Many connections that write this and go on as told; returns what each was answered, and when it ended. */
  const course = async (fault: string, many: number, limitSeconds: number, wanted: RegExp, attack: (socket: Socket, index: number) => void) => {
    tell(fault)
    const before = await waits()
    const sockets: Array<Socket> = []
    const told = { refused: 0, other: "" }
    const began = performance.now()
    const ended = Array.from({ length: many }, (_, index) =>
      new Promise<number>((resolve) => {
        let answer = ""
        const socket = connect(program.port, "127.0.0.1", () => attack(socket, index))
        sockets.push(socket)
        socket.setEncoding("latin1").on("data", (text) => (answer += String(text).slice(0, 300)))
        socket.on("error", () => undefined)
        socket.once("close", () => {
          if (wanted.test(answer)) told.refused++
          else told.other ||= answer.slice(0, 80) || "nothing said"
          resolve(performance.now() - began)
        })
      }))
    await wait(500)
    const during = await waits()
    const late = new AbortController()
    const all = await Promise.race([Promise.all(ended), wait(limitSeconds * 1000, undefined, { signal: late.signal }).catch(() => undefined)])
    late.abort()
    sockets.forEach((socket) => socket.destroy())
    await Promise.all(ended)
    const wrong: Array<string> = []
    if (all === undefined) wrong.push(`${fault}: not over after ${limitSeconds} s`)
    if (told.refused !== many) wrong.push(`${fault}: ${many - told.refused} of ${many} were not refused as they should be: ${told.other}`)
    // What 200 parallel readers may cost on a shared machine; a server that is held up takes hundreds.
    const ratio = median(during) / median(before)
    if (ratio > 5) wrong.push(`${fault}: others wait ${ratio.toFixed(1)} times as long`)
    const ready = await program.ask("/readyz")
    if (ready.status !== 200) wrong.push(`${fault}: /readyz ${ready.status}`)
    const over = all === undefined ? "" : `, all over after ${(Math.max(...all) / 1000).toFixed(1)} s`
    rows.push({
      course: "hostile", fault: `${many} × ${fault}`,
      meanwhile: `${told.refused} refused${over}; others waited ${ratio.toFixed(2)} times as long as before (median ${median(before).toFixed(1)} → ${median(during).toFixed(1)} ms, p95 ${p95(before).toFixed(1)} → ${p95(during).toFixed(1)} ms)`,
      wrong, back: []
    })
  }
  /** Sends something every so often until the connection ends. */
  const drip = (socket: Socket, ms: number, piece: string) => {
    const timer = setInterval(() => socket.writable && socket.write(piece), ms)
    socket.once("close", () => clearInterval(timer))
  }
  const scale = quick ? 0.1 : 1

  await course("heads of 20 KB", 500 * scale, 20, /^HTTP\/1\.1 431 /, (socket) => socket.write(`GET / HTTP/1.1\r\n${HEAD}X-Large: ${"x".repeat(20_000)}\r\n\r\n`))
  await course("both lengths at once", 500 * scale, 20, /^HTTP\/1\.1 400 /, (socket) => socket.write(`${JSON_HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`))
  await course("two Content-Lengths", 500 * scale, 20, /^HTTP\/1\.1 400 /, (socket) => socket.write(`${JSON_HEAD}Content-Length: 4\r\nContent-Length: 5\r\n\r\n{}`))
  await course("an endless chunked body", 50 * scale, 60, /^HTTP\/1\.1 413 /, (socket) => {
    socket.write(`${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n`)
    drip(socket, 20, `8000\r\n${" ".repeat(0x8000)}\r\n`)
  })
  await course("heads a byte a second", 1000 * scale, 60, /^HTTP\/1\.1 408 /, (socket) => {
    socket.write(`GET / HTTP/1.1\r\n${HEAD}`)
    drip(socket, 1000, "x")
  })
  // These take their time.
  if (!quick) {
    await course("bodies a byte a second", 1000, 90, /^HTTP\/1\.1 408 /, (socket) => {
      socket.write(`${JSON_HEAD}Content-Length: 100000\r\n\r\n`)
      drip(socket, 1000, " ")
    })
    await course("bodies that stop after a byte", 1000, 90, /^HTTP\/1\.1 408 /, (socket) => socket.write(`${JSON_HEAD}Content-Length: 100\r\n\r\n{`))
    await course("idle connections", 4000, 60, /^HTTP\/1\.1 408 |^$/, () => undefined)
  }
  note("others are one reader of a page and one of /v1/me, one request after the other")
  return rows
}
