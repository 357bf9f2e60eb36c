/** What one connection and all waiting bodies may take: who sends requests and reads no answer, and who sends bodies that never end. */
import { connect } from "node:net"
import { request } from "node:http"
import type { ClientRequest } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { GATHERED, UNANSWERED } from "../../src/http/server/admission.ts"
import { eventually } from "../support/program.ts"
import { Service, serviceWith } from "../support/service.ts"

const MB = 1024 * 1024

layer(serviceWith(), { timeout: "60 seconds", excludeTestServices: true })("what is let in", (it) => {
  it.effect("of one connection, a few requests before their answers are read; whoever sends hundreds is cut off", () =>
    Effect.gen(function*() {
      const { port } = yield* Service
      const sent = (count: number, end: boolean) => Effect.promise(() => new Promise<string>((resolve) => {
        let text = ""
        const socket = connect(port, "127.0.0.1", () => socket.write("GET /healthz HTTP/1.1\r\nHost: svc.localhost\r\n\r\n".repeat(count - 1) + `GET /healthz HTTP/1.1\r\nHost: svc.localhost\r\n${end ? "Connection: close\r\n" : ""}\r\n`))
        socket.on("data", (chunk) => { text += chunk.toString() }).on("error", () => {}).on("close", () => resolve(text))
      }))
      const answers = (text: string) => text.split("HTTP/1.1 200").length - 1
      assert.strictEqual(answers(yield* sent(UNANSWERED, true)), UNANSWERED)
      assert.isBelow(answers(yield* sent(UNANSWERED * 20, false)), UNANSWERED + 1)
    }))

  it.effect("of bodies that are on their way, as many as there is room for; others are told to come again, and are let in once those have gone", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const waiting: Array<ClientRequest> = []
      const login = { method: "POST", json: { email: "nobody@example.com", password: "not a password" } }
      yield* Effect.promise(async () => {
        let connected = 0
        for (let n = 0; n < GATHERED / MB; n++) {
          const headers = { "host": "svc.localhost", "content-type": "application/json", "content-length": MB }
          const one = request({ host: "127.0.0.1", port: service.port, path: "/v1/auth/login", method: "POST", agent: false, headers })
          one.on("error", () => {}).on("socket", (socket) => socket.once("connect", () => connected++))
          one.write("{")
          waiting.push(one)
        }
        await eventually("all are on their way", () => connected === waiting.length)
      })
      const full = yield* service.ask("/v1/auth/login", login).pipe(Effect.repeat({ until: ({ status }) => status === 503 }))
      assert.deepStrictEqual([full.json.error.code, full.headers["retry-after"], full.headers["connection"]], ["unavailable", "5", "close"])
      // Who sends nothing is served meanwhile.
      assert.strictEqual((yield* service.ask("/healthz")).status, 200)
      for (const one of waiting) one.destroy()
      const after = yield* service.ask("/v1/auth/login", login).pipe(Effect.repeat({ until: ({ status }) => status !== 503 }))
      assert.include([401, 429], after.status)
    }))

  it.effect("what is the same for everybody is made once", () =>
    Effect.gen(function*() {
      const service = yield* Service
      for (const [path, type] of [["/openapi.json", "application/json"], ["/docs.md", "text/markdown; charset=utf-8"]] as const) {
        const [one, other] = [yield* service.ask(path), yield* service.ask(path)]
        assert.deepStrictEqual([one.status, one.headers["content-type"], one.text === other.text], [200, type, true], path)
        assert.include(one.text, `http://svc.localhost:${service.port}`)
      }
    }))
})
