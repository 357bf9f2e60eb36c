/** Turns what does not fit the contract into one 422 that lists the faults of query and body together (CONTRACT §1). */
import { Context, Effect, Exit, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApi, HttpApiMiddleware } from "effect/http-api"
import type { HttpApiEndpoint, HttpApiError } from "effect/http-api"
import type { Fault } from "../../../domain/failures.ts"
import { RequestShape } from "../../contract/request-shape.ts"
import { faultsOf, refuse } from "../../contract/faults.ts"

const SLOTS: Partial<Record<HttpApiError.HttpApiSchemaError["kind"], string>> = {
  Params: "path",
  Query: "query",
  Headers: "headers",
  Payload: "body"
}

/** A request is decoded slot by slot and the first bad one ends it; the body's faults are looked up here. */
const bodyFaults = Effect.fnUntraced(function*(endpoint: HttpApiEndpoint.Top) {
  const json = endpoint.payload.get("application/json")
  if (json === undefined) return []
  const request = yield* HttpServerRequest.HttpServerRequest
  const decode = Schema.decodeUnknownEffect(Schema.Union(json.schemas), {
    errors: "all",
    ...Context.getOrUndefined(endpoint.annotations, HttpApi.PayloadParseOptions)
  })
  const exit = yield* Effect.exit(Effect.flatMap(request.json, decode) as Effect.Effect<unknown, unknown>)
  if (Exit.isSuccess(exit)) return []
  const error = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
  return Schema.isSchemaError(error) ? faultsOf(error, "body") : []
})

export const RequestShapeChecked = HttpApiMiddleware.layerSchemaErrorTransform(
  RequestShape,
  Effect.fnUntraced(function*(error, { endpoint }) {
    const slot = SLOTS[error.kind]
    // Our own answer does not fit the contract: a defect, not the client's fault.
    if (slot === undefined) return yield* Effect.die(error)
    const first = faultsOf(error.cause, slot)
    const later: ReadonlyArray<Fault> = error.kind === "Payload" ? [] : yield* bodyFaults(endpoint)
    return yield* refuse([...first, ...later])
  })
)
