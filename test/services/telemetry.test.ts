/** What a collector gets: traces and metrics, and nothing that gives access or names a person. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Metric } from "effect"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { Telemetry } from "../../src/services/telemetry.ts"
import { Service, serviceWith } from "../support/service.ts"

const collector = Effect.acquireRelease(
  Effect.promise(async () => {
    const got = new Map<string, string>()
    const server = createServer((request, response) =>
      void text(request).then((body) => {
        got.set(request.url!, `${got.get(request.url!) ?? ""}${body}`)
        response.writeHead(200, { "content-type": "application/json" }).end("{}")
      }))
    await once(server.listen(0, "127.0.0.1"), "listening")
    return { got, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }),
  ({ server }) => Effect.sync(() => server.close())
)

const counted = Metric.counter("svc_telemetry_test_total")

it.live("exports spans and metrics before it ends, without queries, headers, addresses or agents", () =>
  Effect.gen(function*() {
    const { got, url } = yield* collector
    yield* Metric.update(counted, 1).pipe(
      Effect.andThen(Effect.annotateCurrentSpan({
        "url.path": "/v1/exports/1/download",
        "url.full": "http://svc.localhost/v1/exports/1/download?token=secret-query",
        "url.query": "token=secret-query",
        "http.request.header.cookie": "secret-cookie",
        "client.address": "203.0.113.9",
        "user_agent.original": "Someone's browser"
      })),
      Effect.withSpan("Exports.download"),
      Effect.provide(Telemetry(url)),
      Effect.scoped
    )
    const traces = got.get("/v1/traces") ?? ""
    assert.include(traces, `"Exports.download"`)
    assert.include(traces, `"/v1/exports/1/download"`)
    for (const secret of ["secret-query", "secret-cookie", "203.0.113.9", "Someone"]) assert.notInclude(traces, secret)
    assert.include(got.get("/v1/metrics") ?? "", "svc_telemetry_test_total")
  }).pipe(Effect.scoped))

it.live("a span that fails says what kind of failure it was, and nothing that the failure quotes", () =>
  Effect.gen(function*() {
    const { got, url } = yield* collector
    const refused = Object.assign(new Error("550 5.1.1 <ada@example.com>: no such user", { cause: new Error("<ada@example.com>") }), { _tag: "MailRefused" })
    yield* Effect.all([
      Effect.exit(Effect.withSpan(Effect.fail(refused), "DeliverMail.attempt")),
      Effect.exit(Effect.withSpan(Effect.die(new TypeError("ada@example.com")), "DeliverMail.died"))
    ]).pipe(Effect.provide(Telemetry(url)), Effect.scoped)
    const traces = got.get("/v1/traces") ?? ""
    for (const kept of [`"DeliverMail.attempt"`, "MailRefused", `"DeliverMail.died"`, "TypeError"]) assert.include(traces, kept)
    for (const secret of ["ada@example.com", "5.1.1"]) assert.notInclude(traces, secret)
  }).pipe(Effect.scoped))

interface Span {
  readonly name: string
  readonly spanId: string
  readonly traceId: string
  readonly parentSpanId?: string
}
interface Exported {
  readonly resourceSpans: ReadonlyArray<{ readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<Span> }> }>
}

it.live("a request is a trace of its own, with the spans of its work below it; what is read from the database goes with the metrics", () =>
  Effect.gen(function*() {
    const { got, url } = yield* collector
    yield* Service.use(({ account, ask }) =>
      Effect.gen(function*() {
        const { bearer } = yield* account()
        for (const _ of [1, 2]) yield* ask("/v1/folders", { headers: bearer })
        yield* Metric.snapshot.pipe(
          Effect.delay("10 millis"),
          Effect.repeat({ until: (metrics) => metrics.some(({ id }) => id === "svc_database_connections") }),
          Effect.timeout("30 seconds")
        )
      })
    ).pipe(Effect.provide(serviceWith({ SVC_OTLP_URL: url }).pipe(Layer.provide(Telemetry(url)))), Effect.provideService(Metric.MetricRegistry, new Map()), Effect.scoped)
    // Read for the collector as for /metrics, which nobody asked.
    for (const gauge of ["svc_mails", "svc_mails_oldest_waiting_seconds", "svc_database_connections"]) assert.include(got.get("/v1/metrics") ?? "", `"${gauge}"`)
    const spans = [...(got.get("/v1/traces") ?? "").matchAll(/\{"resourceSpans":.*?(?=\{"resourceSpans":|$)/g)]
      .flatMap(([body]) => (JSON.parse(body) as Exported).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)))
    const lists = spans.filter(({ name }) => name === "Folders.list")
    assert.strictEqual(new Set(lists.map(({ traceId }) => traceId)).size, 2)
    for (const { parentSpanId, traceId } of lists) {
      const request = spans.find(({ spanId }) => spanId === parentSpanId)!
      assert.strictEqual(request.traceId, traceId)
      assert.match(request.name, /GET/)
      assert.isUndefined(request.parentSpanId)
    }
  }).pipe(Effect.scoped))
