/** What a collector gets: traces and metrics, and nothing that opens a door or names a person. */
import { assert, it } from "@effect/vitest"
import { Effect, Metric } from "effect"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { Telemetry } from "../../src/services/telemetry.ts"

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
