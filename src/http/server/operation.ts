/** Endpoints for operators: liveness, readiness, metrics. */
import { Context, Effect, Layer, Metric } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import type { Unavailable } from "../../domain/failures.ts"
import { bareHost } from "../../domain/host-names.ts"
import { AWAY_SECONDS } from "../contract/envelope.ts"
import { pathOf } from "./request-path.ts"

/** A check for each part without which nothing works, by name. */
export class Readiness extends Context.Service<Readiness, {
  readonly parts: Readonly<Record<string, Effect.Effect<void, Unavailable>>>
}>()("svc/http/server/Readiness") {}

export interface Figure {
  readonly name: string
  readonly description: string
  readonly attributes: Readonly<Record<string, string>>
  readonly value: number
}

/** Gauges that are read when someone asks, not counted along the way: jobs waiting, connections. */
export class Figures extends Context.Service<Figures, {
  readonly read: Effect.Effect<ReadonlyArray<Figure>>
}>()("svc/http/server/Figures") {}

const Alive = HttpRouter.add("GET", "/healthz", Effect.succeed(HttpServerResponse.jsonUnsafe({ status: "ok" })))

const PATIENCE = "2 seconds"

const unready = { status: 503, headers: { "retry-after": String(AWAY_SECONDS) } }

/** An instance that is told to stop says so at once, while it still answers, so that balancers send requests elsewhere. */
const Ready = (isLeaving: () => boolean) => HttpRouter.add(
  "GET",
  "/readyz",
  Effect.gen(function*() {
    if (isLeaving()) return HttpServerResponse.jsonUnsafe({ status: "stopping" }, unready)
    const { parts } = yield* Readiness
    const checks = yield* Effect.forEach(Object.entries(parts), ([name, check]) =>
      check.pipe(
        Effect.timeout(PATIENCE),
        Effect.as([name, "ok"] as const),
        Effect.catchCause(() => Effect.succeed([name, "unavailable"] as const))
      ), { concurrency: "unbounded" })
    const ready = checks.every(([, state]) => state === "ok")
    return HttpServerResponse.jsonUnsafe(
      { status: ready ? "ok" : "unavailable", ...Object.fromEntries(checks) },
      ready ? { status: 200 } : unready
    )
  })
)

const FIGURES = "/metrics"

/** What machines ask all day. */
export const ASKED = new Set(["/healthz", "/readyz", FIGURES])

/**
 * Whether a load balancer or a scraper addresses this instance, by its IP address or by an internal name: a name without
 * dots, which no stranger's page has. A request that a proxy forwarded gets no metrics.
 */
export const asksInstance = ({ headers, url = "" }: IncomingMessage, host: string): boolean => {
  const path = pathOf({ url })
  return ASKED.has(path) && (isIP(bareHost(host)) !== 0 || !host.includes(".")) &&
    (path !== FIGURES || headers["x-forwarded-for"] === undefined)
}

const gaugeOf = ({ attributes, description, name }: Figure) => Metric.withAttributes(Metric.gauge(name, { description }), attributes)

/** The gauges that were read last: one list per process, like the registry that keeps them. */
let told: ReadonlyArray<Figure> = []

/** Reads the gauges and keeps them beside the counters, for whoever reads those. Without spans: nobody's request asked for it. */
export const tellFigures = Effect.gen(function*() {
  const figures = yield* (yield* Figures).read.pipe(Effect.timeout(PATIENCE), Effect.catchCause(() => Effect.succeed([])))
  // A gauge that cannot be read now is removed: an alert must not rest on values from before the database went away.
  yield* Effect.forEach(told, (figure) => Metric.remove(gaugeOf(figure)))
  told = figures
  yield* Effect.forEach(figures, (figure) => Metric.update(gaugeOf(figure), figure.value))
}).pipe(Effect.withTracerEnabled(false))

const Metrics = HttpRouter.add(
  "GET",
  FIGURES,
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    // Proxies block this path, so no other spelling of it may lead here.
    if (pathOf(request) !== FIGURES) {
      return yield* Effect.fail(new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) }))
    }
    yield* tellFigures
    return HttpServerResponse.text(yield* PrometheusMetrics.format(), { contentType: "text/plain; version=0.0.4; charset=utf-8" })
  })
)

export const Operation = (isLeaving: () => boolean) => Layer.mergeAll(Alive, Ready(isLeaving), Metrics)
