/** The operator's view: alive, ready, metrics, and the API's own reference documents. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Service, serviceWith } from "../../support/service.ts"

layer(serviceWith(), { excludeTestServices: true })("operation", (it) => {
  it.effect("counts requests by route and status, publishes, bytes, mails and connections", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const headers = { ...account.bearer, "content-type": "text/html" }
      // Counters belong to the process, which may have served other tests before.
      const before = (yield* service.ask("/metrics")).text
      for (const body of ["one", "two"]) yield* service.ask("/v1/projects/counted", { method: "PUT", body, headers })
      yield* service.ask("/", { host: "counted.svc.localhost" })
      yield* service.ask("/v1/projects/counted-not", { headers: account.bearer })
      // Figures from the database are left out if it takes too long.
      const { text } = yield* service.ask("/metrics").pipe(Effect.repeat({ until: ({ text }) => text.includes("svc_mails") && text.includes("svc_database_connections") }))
      const value = (pattern: RegExp) => Number(pattern.exec(text)?.[1]) - Number(pattern.exec(before)?.[1] ?? 0)
      assert.strictEqual(value(/^svc_http_requests_total\{route="\/v1\/projects\/:slug",method="PUT",status="201"\} (\d+)/m), 1)
      assert.strictEqual(value(/^svc_http_requests_total\{route="\/v1\/projects\/:slug",method="PUT",status="200"\} (\d+)/m), 1)
      assert.isAtLeast(value(/^svc_http_requests_total\{route="\/metrics",method="GET",status="200"\} (\d+)/m), 1)
      assert.match(text, /^svc_http_request_duration_seconds_bucket\{[^}]*le="0\.05"/m)
      assert.isAtLeast(value(/^svc_publishes_total\{kind="site"\} (\d+)/m), 2)
      assert.isAtLeast(value(/^svc_published_bytes_total (\d+)/m), 6)
      assert.isAtLeast(value(/^svc_hosted_bytes_total (\d+)/m), 3)
      assert.match(text, /^svc_mails\{state="waiting"\} \d+/m)
      assert.match(text, /^svc_mails_oldest_waiting_seconds \d/m)
      assert.match(text, /^svc_views_dropped_total \d+/m)
      assert.match(text, /^svc_database_connections\{state="idle"\} \d+/m)
      // Labels come from closed sets: an unknown path makes no series of its own.
      assert.isFalse(text.includes("counted-not"))
    }))

  it.effect("leaves out what the database has to say while it is away", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const figures = /^svc_(?:mails|database_connections)\{/m
      const read = service.ask("/metrics").pipe(Effect.repeat({ until: ({ text }) => figures.test(text) }))
      yield* read
      yield* service.database.away
      const away = yield* service.ask("/metrics")
      assert.strictEqual(away.status, 200)
      assert.notMatch(away.text, figures)
      assert.match(away.text, /^svc_http_requests_total\{/m)
      yield* service.database.back
      yield* read
    }))

  it.effect("answers requests that name an instance by its IP address or its name in the network, and shows figures only to them", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const status = (path: string, host: string, headers = {}) => Effect.map(service.ask(path, { host, headers }), ({ status }) => status)
      for (const host of ["10.0.0.7", "[fd00::7]:8787", "svc", "svc:8787"]) {
        for (const path of ["/healthz", "/readyz", "/metrics", "/healthz?full"]) assert.strictEqual(yield* status(path, host), 200, `${host} ${path}`)
        for (const path of ["/v1/me", "/", "/docs", "/metrics/", "/healthz;a"]) assert.strictEqual(yield* status(path, host), 404, `${host} ${path}`)
        assert.deepStrictEqual([yield* status("/metrics", host, { "x-forwarded-for": "203.0.113.7" }), yield* status("/readyz", host, { "x-forwarded-for": "203.0.113.7" })], [404, 200], host)
      }
      for (const path of ["/healthz", "/metrics"]) assert.strictEqual(yield* status(path, "rebound.example"), 404, path)
      // A proxy that hides this path hides all of the figures: no other path shows them.
      for (const path of ["/metrics/", "/metrics;a", "/metrics/?a"]) assert.strictEqual(yield* status(path, "svc.localhost"), 404, path)
    }))

  it.effect("serves its documents from the contract, naming no outside host", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const document = yield* service.ask("/openapi.json")
      assert.deepStrictEqual(document.json.servers, [{ url: `http://svc.localhost:${service.port}` }])
      const markdown = yield* service.ask("/docs.md")
      assert.match(String(markdown.headers["content-type"]), /^text\/markdown/)
      for (const path of Object.keys(document.json.paths)) assert.isTrue(markdown.text.includes(` ${path}\n`), path)
      for (const path of ["/docs", "/redoc"]) {
        const { headers, text } = yield* service.ask(path)
        assert.isFalse(/https?:\/\//.test(text), path)
        assert.match(String(headers["content-security-policy"]), /default-src 'none'/)
        assert.deepInclude(headers, { "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin" }, path)
        for (const [, asset] of text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
          const file = yield* service.ask(asset!, { headers: { "accept-encoding": "gzip" } })
          assert.strictEqual(file.status, 200, asset)
          assert.strictEqual(file.headers["content-encoding"], "gzip")
          for (const held of [file.headers.etag!, `"x", W/${file.headers.etag!}`, "*"]) {
            assert.strictEqual((yield* service.ask(asset!, { headers: { "accept-encoding": "gzip", "if-none-match": held } })).status, 304, held)
          }
          const plain = yield* service.ask(asset!, { headers: { "accept-encoding": "gzip;q=0", "if-none-match": file.headers.etag! } })
          assert.deepStrictEqual([plain.status, plain.headers["content-encoding"]], [200, undefined])
        }
      }
      const [font] = /\/_svc\/assets\/[\w.-]+\.woff2/.exec((yield* service.ask("/")).text)!
      const { headers } = yield* service.ask(font)
      for (const held of [headers.etag!, `W/${headers.etag!}`, `"x", ${headers.etag!}`, "*"]) {
        assert.strictEqual((yield* service.ask(font, { headers: { "if-none-match": held } })).status, 304, held)
      }
      assert.strictEqual((yield* service.ask(font, { headers: { "if-none-match": "\"x\"" } })).status, 200)
    }))
})
