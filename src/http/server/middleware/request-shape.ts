/** Turns what does not fit the contract into one 422 that lists the faults of path, query and body together (CONTRACT §1). */
import { Cause, Context, Effect, Exit, Option, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApi, HttpApiMiddleware } from "effect/http-api"
import type { HttpApiEndpoint, HttpApiError } from "effect/http-api"
import type { Fault } from "../../../domain/failures.ts"
import { RequestShape } from "../../contract/request-shape.ts"
import { asInvalid, faultsOf } from "../../contract/faults.ts"

const SLOTS: Partial<Record<HttpApiError.HttpApiSchemaError["kind"], string>> = {
  Params: "path",
  Query: "query",
  Headers: "headers",
  Payload: "body"
}

const failed = (exit: Exit.Exit<unknown, unknown>, slot: string): ReadonlyArray<Fault> => {
  if (Exit.isSuccess(exit)) return []
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  return Schema.isSchemaError(error) ? faultsOf(error, slot) : []
}

/** No setting of a query is a list. */
const told = (faults: ReadonlyArray<Fault>, query: Readonly<Record<string, unknown>>): ReadonlyArray<Fault> =>
  faults.map((fault) => Array.isArray(query[fault.field]) ? { ...fault, message: "Send this once." } : fault)

/** Decoding stops at the first bad slot; the faults of the slots after it are collected here. */
const queryFaults = Effect.fnUntraced(function*({ query }: HttpApiEndpoint.Top) {
  if (query === undefined) return []
  const decode = Schema.decodeUnknownEffect(Schema.toCodecArrayFromSingle(query), { errors: "all" })
  const given = yield* HttpServerRequest.ParsedSearchParams
  return told(failed(yield* Effect.exit(decode(given) as Effect.Effect<unknown, unknown>), "query"), given)
})

const bodyFaults = Effect.fnUntraced(function*(endpoint: HttpApiEndpoint.Top) {
  const json = endpoint.payload.get("application/json")
  if (json === undefined) return []
  const request = yield* HttpServerRequest.HttpServerRequest
  const decode = Schema.decodeUnknownEffect(Schema.Union(json.schemas), {
    errors: "all",
    ...Context.getOrUndefined(endpoint.annotations, HttpApi.PayloadParseOptions)
  })
  return failed(yield* Effect.exit(Effect.flatMap(request.json, decode) as Effect.Effect<unknown, unknown>), "body")
})

export const RequestShapeChecked = HttpApiMiddleware.layerSchemaErrorTransform(
  RequestShape,
  Effect.fnUntraced(function*(error, { endpoint }) {
    const slot = SLOTS[error.kind]
    // Our own answer does not fit the contract: a defect, not the client's fault.
    if (slot === undefined) return yield* Effect.die(error)
    const faults = faultsOf(error.cause, slot)
    const first = error.kind === "Query" ? told(faults, yield* HttpServerRequest.ParsedSearchParams) : faults
    const asked = error.kind === "Params" || error.kind === "Headers" ? yield* queryFaults(endpoint) : []
    const given = error.kind === "Payload" ? [] : yield* bodyFaults(endpoint)
    return yield* asInvalid([...first, ...asked, ...given])
  })
)
