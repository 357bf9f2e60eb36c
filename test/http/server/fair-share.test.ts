/** Of one client, a few requests are worked on at once: a flood of them makes others wait hardly at all. */
import { once } from "node:events"
import { createServer, request } from "node:http"
import type { ClientRequest, ServerResponse } from "node:http"
import { connect } from "node:net"
import type { AddressInfo } from "node:net"
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AT_ONCE, makeFairShare } from "../../../src/http/server/fair-share.ts"
import { eventually } from "../../support/program.ts"
import { Service, serviceWith } from "../../support/service.ts"

interface Heard {
  readonly client: string
  readonly path: string
  readonly response: ServerResponse
  answered: boolean
}

/** A server that notes what it works on, and answers when it is told, or at once. `X-Client` says whose a request is. */
const listening = (patienceMs = 60_000) => Effect.acquireRelease(
  Effect.promise(async () => {
    const inTurn = makeFairShare(patienceMs)
    const heard: Array<Heard> = []
    let atOnce = false
    const server = createServer((asked, response) =>
      inTurn(String(asked.headers["x-client"]), response, () => {
        heard.push({ client: String(asked.headers["x-client"]), path: asked.url ?? "", response, answered: false })
        if (atOnce) response.end("yes")
      }))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const send = (client: string, path: string, method = "GET"): ClientRequest =>
      request({ host: "127.0.0.1", port, path, method, agent: false, headers: { "x-client": client } })
        .on("error", () => {}).on("response", (answer) => answer.resume().on("error", () => {}))
    const heardOf = (client: string) => heard.filter((one) => one.client === client)
    const answer = (client: string) => {
      const next = heardOf(client).find(({ answered }) => !answered)!
      next.answered = true
      next.response.end("yes")
    }
    return { server, port, heard, heardOf, answer, send, answerAtOnce: () => void (atOnce = true) }
  }),
  ({ server }) => Effect.sync(() => (server.closeAllConnections(), server.close()))
)

/** Long enough for whatever comes without being waited for. */
const aMoment = (ms = 150) => new Promise((resolve) => setTimeout(resolve, ms))

const many = (send: (at: number) => ClientRequest, count = 3 * AT_ONCE) => Array.from({ length: count }, (_, at) => send(at).end())

it.live("of one client a few are worked on at once, in the order in which they came; others are heard meanwhile, and what changes something does not wait for what reads", () =>
  Effect.scoped(Effect.gen(function*() {
    const { answer, heardOf, send } = yield* listening()
    yield* Effect.promise(async () => {
      many((at) => send("one", `/${at}`))
      await eventually("as many as may be are worked on", () => heardOf("one").length === AT_ONCE)
      await aMoment()
      assert.lengthOf(heardOf("one"), AT_ONCE)
      send("other", "/").end()
      send("one", "/changed", "DELETE").end()
      await eventually("both others are heard", () => heardOf("other").length === 1 && heardOf("one").length === AT_ONCE + 1)
      for (let at = 0; at < 3 * AT_ONCE + 1; at++) {
        await eventually("the next is heard", () => heardOf("one").some(({ answered }) => !answered))
        answer("one")
      }
      await eventually("all were heard", () => heardOf("one").length === 3 * AT_ONCE + 1)
    })
  })))

it.live("an answer that has begun takes no place, however long it goes on", () =>
  Effect.scoped(Effect.gen(function*() {
    const { heardOf, send } = yield* listening()
    yield* Effect.promise(async () => {
      many((at) => send("one", `/${at}`))
      await eventually("a share is worked on", () => heardOf("one").length === AT_ONCE)
      for (const { response } of heardOf("one")) response.write("and on")
      await eventually("a further share is worked on", () => heardOf("one").length === 2 * AT_ONCE)
      heardOf("one").at(-1)!.response.writeHead(204)
      await eventually("one more", () => heardOf("one").length === 2 * AT_ONCE + 1)
    })
  })))

it.live("who goes away gives up the place, and is not heard who went while waiting", () =>
  Effect.scoped(Effect.gen(function*() {
    const { heardOf, send } = yield* listening()
    yield* Effect.promise(async () => {
      const first = many((at) => send("one", `/${at}`), AT_ONCE)
      await eventually("a share is worked on", () => heardOf("one").length === AT_ONCE)
      const gone = many(() => send("one", "/gone"), AT_ONCE)
      await aMoment()
      for (const one of gone) one.destroy()
      many(() => send("one", "/stays"), 2)
      await aMoment()
      for (const one of first) one.destroy()
      await eventually("who stays is heard", () => heardOf("one").length === AT_ONCE + 2)
      assert.deepStrictEqual(heardOf("one").slice(AT_ONCE).map(({ path }) => path), ["/stays", "/stays"])
    })
  })))

it.live("what takes long, as a large file does, keeps others of its client waiting for a while only", () =>
  Effect.scoped(Effect.gen(function*() {
    const { heardOf, send } = yield* listening(500)
    yield* Effect.promise(async () => {
      const started = performance.now()
      many((at) => send("one", `/${at}`, "PUT"), AT_ONCE + 5)
      await eventually("a share is worked on", () => heardOf("one").length === AT_ONCE)
      await eventually("and then the rest", () => heardOf("one").length === AT_ONCE + 5)
      assert.isAtLeast(performance.now() - started, 450)
    })
  })))

it.live("answers that are ready at once are made a few at a time, and others are heard between", () =>
  Effect.scoped(Effect.gen(function*() {
    const { answerAtOnce, heard, heardOf, port, send } = yield* listening()
    answerAtOnce()
    yield* Effect.promise(async () => {
      /** How many were heard without a pause. */
      const runs: Array<number> = []
      let before = 0
      const look = (): void => {
        if (heard.length > before) runs.push(heard.length - before)
        before = heard.length
        if (heard.length < 200) setImmediate(look)
      }
      const sockets = Array.from({ length: 10 }, () => connect(port, "127.0.0.1").on("error", () => {}).resume())
      await aMoment()
      // All of them are readable when the server looks next.
      for (const socket of sockets) socket.write("GET / HTTP/1.1\r\nHost: a\r\nX-Client: one\r\n\r\n".repeat(20))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
      look()
      send("other", "/").end()
      await eventually("all were heard", () => heardOf("one").length === 200 && heardOf("other").length === 1)
      assert.isAtMost(Math.max(...runs), AT_ONCE + 1, "a share, and the other’s")
      for (const socket of sockets) socket.destroy()
    })
  })))

layer(serviceWith({ SVC_TRUSTED_PROXY_HOPS: "1" }), { excludeTestServices: true })("behind a proxy", (it) => {
  /** As many bodies that do not come as one client has places for, and one request more; what is answered is noted, in order. */
  const busy = (forwarded: Readonly<Record<string, string>>) =>
    Effect.acquireRelease(
      Effect.gen(function*() {
        const { port } = yield* Service
        const answered: Array<string> = []
        const post = (name: string, headers: Readonly<Record<string, string>>, body: boolean): ClientRequest => {
          const one = request({ host: "127.0.0.1", port, path: "/v1/none", method: "POST", agent: false, headers: { "host": "svc.localhost", "content-type": "application/json", "content-length": 2, ...headers } })
            .on("error", () => {}).on("response", (answer) => (answer.resume(), answered.push(name)))
          if (body) one.end("{}")
          else one.flushHeaders()
          return one
        }
        const bodies = Array.from({ length: AT_ONCE }, () => request({ host: "127.0.0.1", port, path: "/v1/auth/login", method: "POST", agent: false, headers: { "host": "svc.localhost", "content-type": "application/json", "content-length": 20, "expect": "100-continue", ...forwarded } }).on("error", () => {}))
        // Told to go on, its head was read.
        const heads = bodies.map((one) => once(one, "continue"))
        for (const one of bodies) one.flushHeaders()
        yield* Effect.promise(() => Promise.all(heads))
        return { answered, bodies, post }
      }),
      ({ bodies }) => Effect.sync(() => bodies.forEach((one) => one.destroy()))
    )

  // On a machine that is busy elsewhere for a second, the places are free again before anybody else comes.
  it.effect("a client is whom the proxy names; its neighbours do not wait for it", () =>
    Effect.scoped(Effect.gen(function*() {
      const { answered, post } = yield* busy({ "x-forwarded-for": "192.0.2.7" })
      post("same", { "x-forwarded-for": "192.0.2.7" }, true)
      yield* Effect.promise(() => aMoment(30))
      post("neighbour", { "x-forwarded-for": "192.0.2.8" }, true)
      yield* Effect.promise(() => eventually("both are answered", () => answered.length === 2))
      assert.deepStrictEqual(answered, ["neighbour", "same"])
    })), { retry: 2 })

  it.effect("where the proxy names nobody, nobody waits for others that it may ask for", () =>
    Effect.scoped(Effect.gen(function*() {
      const { answered, post } = yield* busy({})
      post("same", {}, true)
      yield* Effect.promise(() => aMoment(30))
      post("neighbour", { "x-forwarded-for": "192.0.2.8" }, true)
      yield* Effect.promise(() => eventually("both are answered", () => answered.length === 2))
      assert.deepStrictEqual(answered, ["same", "neighbour"])
    })))
})
