/** Traces and metrics for an OpenTelemetry collector, over HTTP at `SVC_OTLP_URL`. */
import { Cause, Effect, Exit, Layer, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpExporter, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { kindOf } from "./kind-of.ts"

const resource = { serviceName: "svc" }

/** Queries and headers carry tokens, and IP addresses identify people: none of that leaves with a span. */
const KEPT = /^(?!url\.(?:full|query)$|client\.|user_agent\.|http\.(?:request|response)\.header\.)/

/** What a failure quotes (a mail server's words, a statement's values) may name people: only its kind leaves with a span. */
const named = <A>(exit: Exit.Exit<A, unknown>): Exit.Exit<A, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const bare = new Error(kindOf(Cause.squash(exit.cause)))
  // Its stack would only point here.
  delete bare.stack
  return Exit.fail(bare)
}

const discreet = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) => {
      const span = tracer.span(options)
      const [note, end] = [span.attribute.bind(span), span.end.bind(span)]
      return Object.assign(span, {
        end: (at: bigint, exit: Exit.Exit<unknown, unknown>) => end(at, named(exit)),
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
