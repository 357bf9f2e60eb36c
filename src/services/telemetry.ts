/** Traces and metrics for an OpenTelemetry collector, over HTTP at `SVC_OTLP_URL`. */
import { Effect, Layer, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpExporter, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"

const resource = { serviceName: "svc" }

/** Tokens travel in queries and headers, and addresses are people: none of that leaves with a span. */
const KEPT = /^(?!url\.(?:full|query)$|client\.|user_agent\.|http\.(?:request|response)\.header\.)/

const discreet = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) => {
      const span = tracer.span(options)
      const note = span.attribute.bind(span)
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (KEPT.test(key)) note(key, value)
        }
      })
    }
  })

export const Telemetry = (url: string) =>
  Layer.mergeAll(
    Layer.effect(Tracer.Tracer, Effect.map(OtlpTracer.make({ url: `${url}/v1/traces`, resource }), discreet)),
    OtlpMetrics.layer({ url: `${url}/v1/metrics`, resource })
  ).pipe(
    Layer.provide([OtlpExporter.layerFlusher, OtlpSerialization.layerJson, FetchHttpClient.layer])
  )
