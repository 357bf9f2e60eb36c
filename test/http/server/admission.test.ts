/** What one connection and all waiting bodies may take: who sends requests and reads no answer, and who sends bodies that never end. */
import { connect } from "node:net"
import { Agent, request } from "node:http"
import type { ClientRequest } from "node:http"
import { gunzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { GATHERED, UNANSWERED } from "../../../src/http/server/admission.ts"
import { eventually } from "../../support/program.ts"
import { Service, serviceWith } from "../../support/service.ts"

const MB = 1024 * 1024

layer(serviceWith(), { excludeTestServices: true })("what is let in", (it) => {
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

  it.effect("of one connection, any number one after the other", () =>
    Effect.gen(function*() {
      const { port } = yield* Service
      const warned: Array<string> = []
      const note = ({ name }: Error) => warned.push(name)
      process.on("warning", note)
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const statuses = yield* Effect.promise(async () => {
        const all = new Set<number | undefined>()
        for (let at = 0; at < 3 * UNANSWERED; at++) {
          all.add(await new Promise((resolve, reject) => {
            const one = request({ host: "127.0.0.1", port, path: "/v1/none", method: "POST", agent, headers: { "host": "svc.localhost", "content-type": "application/json" } })
            one.on("error", reject).on("response", (answer) => answer.resume().on("end", () => resolve(answer.statusCode))).end("{}")
          }))
        }
        agent.destroy()
        return all
      })
      process.off("warning", note)
      assert.deepStrictEqual([[...statuses], warned], [[404], []])
    }))

  it.effect("of bodies that are on their way, as many as there is room for: the oldest give way, and whoever comes is served", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const headers = { "host": "svc.localhost", "content-type": "application/json", "content-length": MB }
      const ended: Array<{ readonly at: number; readonly status: number | undefined }> = []
      const begin = (at: number) => new Promise<ClientRequest>((resolve) => {
        const one = request({ host: "127.0.0.1", port: service.port, path: "/v1/auth/login", method: "POST", agent: false, headers })
        one.on("error", () => ended.push({ at, status: undefined })).on("response", (answer) => (answer.resume(), ended.push({ at, status: answer.statusCode })))
        one.write("{", () => resolve(one))
      })
      const room = GATHERED / MB
      const all: Array<ClientRequest> = []
      yield* Effect.promise(async () => {
        for (let at = 0; at < room + 10; at++) all.push(await begin(at))
        await eventually("some gave way", () => ended.length >= 10)
      })
      // Nobody is refused who comes with a body that is here at once.
      const login = yield* service.ask("/v1/auth/login", { json: { email: "nobody@example.com", password: "not a password" } })
      assert.include([401, 429], login.status, login.text)
      yield* Effect.promise(() => eventually("one more gave way", () => ended.length >= 11))
      assert.deepStrictEqual(ended.map(({ at }) => at).sort((a, b) => a - b), Array.from({ length: 11 }, (_, at) => at))
      assert.deepStrictEqual([...new Set(ended.map(({ status }) => status))], [408])
      for (const one of all) one.destroy()
    }))

  it.effect("also where they name no type, or another than is read there, and where a PUT is no file's", () =>
    Effect.gen(function*() {
      const { account, port } = yield* Service
      const { bearer: { authorization } } = yield* account()
      for (const [target, type] of [
        ["POST /v1/auth/login", undefined],
        ["POST /oauth/register", "text/plain"],
        ["POST /v1/billing/webhook", "text/plain"],
        ["POST /comments/mute", "multipart/form-data; boundary=b"],
        ["PUT /v1/workspace/comment-allowlist", "application/json"]
      ] as const) {
        let gaveWay = 0
        const all = Array.from({ length: GATHERED / MB + 1 }, () => {
          const socket = connect(port, "127.0.0.1", () => socket.write(`${target} HTTP/1.1\r\nHost: svc.localhost\r\n${target.startsWith("PUT") ? `Authorization: ${authorization}\r\n` : ""}${type === undefined ? "" : `Content-Type: ${type}\r\n`}Content-Length: ${MB}\r\n\r\n{`))
          return socket.on("error", () => {}).on("data", (chunk) => { gaveWay += chunk.toString().startsWith("HTTP/1.1 408 ") ? 1 : 0 })
        })
        yield* Effect.promise(() => eventually(`one gave way at ${target}`, () => gaveWay > 0))
        for (const one of all) one.destroy()
      }
    }))

  it.effect("one that gives way is over: who reads its refusal and sends on is cut off", () =>
    Effect.gen(function*() {
      const { port } = yield* Service
      const begin = () => {
        const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
        socket.on("error", () => {}).write(`POST /v1/auth/login HTTP/1.1\r\nHost: svc.localhost\r\nContent-Type: application/json\r\nContent-Length: ${MB}\r\n\r\n{`)
        return socket
      }
      let [told, sent] = ["", 0]
      const deaf = begin().on("data", (chunk) => { told += chunk.toString() })
      const sending = setInterval(() => deaf.write("x".repeat(100), () => sent++), 10)
      yield* Effect.promise(() => eventually("it began", () => sent > 0))
      const others = Array.from({ length: GATHERED / MB }, begin)
      yield* Effect.promise(() => eventually("it was cut off", () => deaf.closed))
      assert.match(told, /^HTTP\/1\.1 408 /)
      clearInterval(sending)
      for (const one of others) one.destroy()
    }))

  it.effect("what is the same for everybody is made and compressed once, and not sent again to who has it", () =>
    Effect.gen(function*() {
      const service = yield* Service
      for (const [path, type] of [["/openapi.json", "application/json"], ["/docs.md", "text/markdown; charset=utf-8"]] as const) {
        const [one, other, packed] = [yield* service.ask(path), yield* service.ask(path), yield* service.ask(path, { headers: { "accept-encoding": "gzip" } })]
        assert.deepStrictEqual([one.status, one.headers["content-type"], one.text === other.text], [200, type, true], path)
        assert.include(one.text, `http://svc.localhost:${service.port}`)
        assert.deepStrictEqual([packed.headers["content-encoding"], gunzipSync(packed.bytes).toString()], ["gzip", one.text], path)
        assert.strictEqual((yield* service.ask(path, { headers: { "if-none-match": String(one.headers.etag) } })).status, 304, path)
      }
    }))
})
