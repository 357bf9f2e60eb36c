/** The metrics of `/metrics` about requests. Labels come from closed sets, so strangers cannot grow them. */
import { Context, Metric } from "effect"
import { madeOnce } from "./made-once.ts"

const LATENCIES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const requests = Metric.counter("svc_http_requests_total", { description: "Requests answered, by route and status", incremental: true })

const latency = Metric.histogram("svc_http_request_duration_seconds", {
  description: "Seconds from a request's head to the end of its answer, by route",
  boundaries: LATENCIES
})

const bytes = Metric.counter("svc_hosted_bytes_total", { description: "Bytes of hosted pages and files sent", incremental: true })

const context = Context.empty() as Context.Context<never>

/** By label, since the hot path only looks them up. */
const requestsOf = madeOnce((key) => {
  const [route = "", method = "", status = ""] = key.split(" ")
  return Metric.withAttributes(requests, { route, method, status })
})

const latencyOf = madeOnce((route) => Metric.withAttributes(latency, { route }))

export const countRequest = (route: string, method: string, status: number, ms: number): void => {
  requestsOf(`${route} ${method} ${status}`).updateUnsafe(1, context)
  latencyOf(route).updateUnsafe(ms / 1000, context)
}

export const countHosted = (sent: number): void => bytes.updateUnsafe(sent, context)
