/** Uploads and questions that break off: what is tried again, after which waits, and how it ends. */
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { HttpClientError, TransportError } from "effect/http/HttpClientError"
import { TestClock } from "effect/testing"
import { waitOf } from "../../src/cli/again.ts"
import { patient } from "../../src/cli/client.ts"
import { Connection, TransportBroken } from "../../src/cli/connection.ts"
import { Output } from "../../src/cli/output.ts"
import { deliver } from "../../src/cli/publishing/sending.ts"
import { offline, refusalOf } from "../../src/cli/refusal.ts"
import type { Refusal } from "../../src/cli/refusal.ts"

type Answer = readonly [status: number, body: string, headers?: Readonly<Record<string, string>>] | { readonly code: string; readonly syscall?: string }

const LIVE: Answer = [201, "{\"version\":1}"]
const HTML: Answer = [200, "<h1>Sign in to the network</h1>"]
const RESET: Answer = { code: "ECONNRESET" }
const NOBODY: Answer = { code: "ECONNREFUSED", syscall: "connect" }
const refusal = (status: number, code: string, field: string | null): Answer => [status, JSON.stringify({ error: { code, message: "No.", field, details: {} } })]

const body = { type: "text/plain", length: 4, size: 4, open: async function*() { yield Buffer.from("text") } }

const quiet = Output.of({
  ...{ json: false, verbose: false, watched: false, asks: false, wide: 80 },
  ...{ paint: {} as never, asidePaint: {} as never, answer: () => Effect.void, listed: () => [], event: () => Effect.void, aside: () => Effect.void }
})

/** With --json: the lines that it writes to stdout, and those to stderr. */
const recorded = () => {
  const [events, asides] = [[] as Array<string>, [] as Array<string>]
  const note = (lines: Array<string>) => (line: string) => Effect.sync(() => void lines.push(line))
  return { events, asides, output: Output.of({ ...quiet, json: true, event: note(events), aside: note(asides) }) }
}

/** How it ends if these answers come one after the other, the last of them for ever, and how often it was sent. */
const sent = (...answers: ReadonlyArray<Answer>) => sentBy(quiet, ...answers)
const sentBy = Effect.fnUntraced(function*(output: typeof Output.Service, ...answers: ReadonlyArray<Answer>) {
  let tries = 0
  const keys = new Set<string | undefined>()
  const send = (_: string, request: { readonly headers: Readonly<Record<string, string>>; readonly body?: unknown }) =>
    Effect.promise(async () => {
      for await (const _ of request.body as AsyncIterable<Uint8Array>);
    }).pipe(Effect.andThen(() => {
      keys.add(request.headers["idempotency-key"])
      const answer = answers[Math.min(tries++, answers.length - 1)]!
      if ("code" in answer) return Effect.fail(new TransportBroken(offline(new URL("http://svc.test"), answer), answer))
      const [status, text, headers = {}] = answer
      return Effect.succeed({ status, headers, bytes: Buffer.from(text) })
    }))
  const running = yield* deliver("PUT", "/v1/projects/one", body).pipe(
    Effect.provideService(Connection, { send } as unknown as typeof Connection.Service),
    Effect.provideService(Output, output),
    Effect.result,
    Effect.forkChild
  )
  let done = false
  yield* Fiber.await(running).pipe(Effect.andThen(Effect.sync(() => (done = true))), Effect.forkChild)
  while (!done) {
    yield* Effect.promise(() => new Promise((later) => setImmediate(later)))
    yield* TestClock.adjust("1 minute")
  }
  assert.strictEqual(keys.size, 1)
  const ended = yield* Fiber.join(running)
  return { tries, live: Result.isSuccess(ended), said: Result.isFailure(ended) ? (ended.failure as Refusal).message : "" }
})

it.effect("tries again under its key whatever does not tell what became of it, an answer that cannot be read too", () =>
  Effect.gen(function*() {
    for (const fault of [RESET, NOBODY, HTML, [201, "{\"version\":"], [503, "<h1>"], [429, "", { "retry-after": "60" }], [520, ""], [524, ""]] satisfies ReadonlyArray<Answer>) {
      assert.deepStrictEqual(yield* sent(fault, LIVE), { tries: 2, live: true, said: "" }, JSON.stringify(fault))
    }
    const full = JSON.stringify({ error: { code: "unavailable", message: "No room.", field: null, details: { reason: "no_room" } } })
    for (const fault of [[429, "", { "retry-after": "61" }], [503, full, { "retry-after": "2" }], [404, ""], [302, "", { location: "http://portal.test" }], { code: "CERT_HAS_EXPIRED" }] satisfies ReadonlyArray<Answer>) {
      assert.deepInclude(yield* sent(fault, LIVE), { tries: 1, live: false }, JSON.stringify(fault))
    }
  }))

it.effect("says at the end that it may be live, where it may", () =>
  Effect.gen(function*() {
    const maybe = "What was sent may be live."
    for (const fault of [RESET, HTML, [504, ""], [524, ""]] satisfies ReadonlyArray<Answer>) {
      const { said, tries } = yield* sent(fault)
      assert.strictEqual(tries, 6)
      assert.include(said, maybe, JSON.stringify(fault))
    }
    assert.include((yield* sent(RESET, NOBODY)).said, maybe)
    for (const fault of [NOBODY, [503, ""], [429, ""]] satisfies ReadonlyArray<Answer>) assert.notInclude((yield* sent(fault)).said, maybe, JSON.stringify(fault))
    assert.strictEqual((yield* sent(RESET, refusal(402, "quota_exceeded", null))).said, "No.")

    const altered = refusal(422, "validation_error", "Idempotency-Key")
    assert.strictEqual((yield* sent(RESET, altered)).said, "The files changed between two tries. What was sent first may be live.")
    assert.strictEqual((yield* sent(altered)).said, "No.")
  }))

it.effect("asks a question again, until it is answered or would fail as before", () =>
  Effect.gen(function*() {
    const keys = new Set<string | undefined>()
    const askedBy = (method: "GET" | "POST", ...answers: ReadonlyArray<Answer>) => Effect.gen(function*() {
      let tries = 0
      const client = yield* patient(HttpClient.make((request) => {
        const answer = answers[tries++]!
        keys.add(request.headers["idempotency-key"])
        return "code" in answer
          ? Effect.fail(new HttpClientError({ reason: new TransportError({ request, cause: answer }) }))
          : Effect.succeed(HttpClientResponse.fromWeb(request, new Response(answer[1], { status: answer[0] })))
      }))
      const running = yield* Effect.forkChild(Effect.result(client.execute(HttpClientRequest.make(method)("http://svc.test/v1/folders"))))
      yield* TestClock.adjust("1 minute")
      const ended = yield* Fiber.join(running)
      return [tries, Result.isSuccess(ended) ? ended.success.status : (yield* refusalOf(ended.failure)).message] as const
    }).pipe(Effect.provideService(Output, quiet))
    const asked = (...answers: ReadonlyArray<Answer>) => askedBy("GET", ...answers)
    assert.deepStrictEqual(yield* asked(RESET, [503, ""], [520, ""], [429, ""], NOBODY, [200, "{}"]), [6, 200])
    assert.deepStrictEqual(yield* asked(...Array.from({ length: 6 }, (): Answer => [503, ""])), [6, 503])
    assert.deepStrictEqual(yield* asked([404, ""]), [1, 404])
    assert.deepStrictEqual(yield* asked({ code: "ENOTFOUND" }), [1, "svc.test cannot be reached: there is no such host."])
    assert.deepStrictEqual([...keys], [undefined])

    // What is done once goes under one key, and a lost answer is not forgotten.
    keys.clear()
    assert.deepStrictEqual(yield* askedBy("POST", RESET, refusal(409, "conflict", "Idempotency-Key"), [201, "{}"]), [3, 201])
    assert.isTrue(keys.size === 1 && !keys.has(undefined))
    for (const before of [[], [RESET]]) assert.deepStrictEqual(yield* askedBy("POST", ...before, refusal(409, "conflict", "name")), [before.length + 1, 409])
    const maybe = "No answer came: the connection broke. It may be done all the same."
    for (const status of [502, 504, 524]) {
      assert.deepStrictEqual(yield* askedBy("POST", [status, ""], ...Array.from({ length: 5 }, () => NOBODY)), [6, `No answer came: the service is away (${status}). It may be done all the same.`])
    }
    assert.deepStrictEqual(yield* asked(...Array.from({ length: 6 }, (): Answer => [504, ""])), [6, 504])
    assert.deepStrictEqual(yield* askedBy("POST", RESET, ...Array.from({ length: 5 }, () => NOBODY)), [6, maybe])
    assert.deepStrictEqual(yield* askedBy("POST", ...Array.from({ length: 6 }, () => NOBODY)), [6, "svc.test cannot be reached: nobody listens there."])
  }))

it.effect("tells of another try among the JSON lines of a publish, and elsewhere beside the one that is the answer", () =>
  Effect.gen(function*() {
    const publish = recorded()
    yield* sentBy(publish.output, [503, ""], LIVE)
    assert.deepStrictEqual([publish.events, publish.asides], [["retry"], []])

    const reply = recorded()
    let tries = 0
    const client = yield* patient(HttpClient.make((request) => Effect.succeed(HttpClientResponse.fromWeb(request, new Response("{}", { status: tries++ === 0 ? 503 : 201 }))))).pipe(Effect.provideService(Output, reply.output))
    yield* Effect.forkChild(client.post("http://svc.test/v1/folders"))
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual([tries, reply.events, reply.asides], [2, [], ["The service is busy. Trying again in a moment …"]])

    // Once, where several are asked at once.
    const both = recorded()
    let served = 0
    const asking = yield* patient(HttpClient.make((request) => Effect.succeed(HttpClientResponse.fromWeb(request, new Response("{}", { status: served++ < 4 ? 503 : 200 }))))).pipe(Effect.provideService(Output, both.output))
    yield* Effect.forkChild(Effect.all([asking.get("http://svc.test/v1/me"), asking.get("http://svc.test/v1/folders")], { concurrency: 2 }))
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual([served, both.asides], [6, ["The service is busy. Trying again in a moment …", "The service is busy. Trying again in 1 s …"]])
  }))

it("waits as long as it is asked to, in seconds or until a date by the service's clock", () => {
  const wait = (headers: Readonly<Record<string, string>>) => waitOf(0, headers)
  assert.strictEqual(wait({ "retry-after": "7" }), 7_000)
  assert.strictEqual(wait({ date: "Tue, 01 Jan 2030 00:00:00 GMT", "retry-after": "Tue, 01 Jan 2030 00:00:09 GMT" }), 9_000)
  assert.approximately(wait({ "retry-after": new Date(Date.now() + 9_000).toUTCString() }), 8_500, 600)
  for (const headers of [{}, { "retry-after": "0" }, { "retry-after": "soon" }, { "retry-after": new Date(0).toUTCString() }]) assert.strictEqual(wait(headers), 500)
})
