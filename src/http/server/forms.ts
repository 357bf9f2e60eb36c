/** Multipart forms as they stream by: files are handed on at once, fields are decoded at the end. */
import { Effect, Option, Schema, Stream } from "effect"
import { HttpServerRequest, Multipart } from "effect/http"
import type { Fault } from "../../domain/failures.ts"
import { Invalid, invalid } from "../../domain/failures.ts"
import type { Form } from "../../domain/projects/publishing.ts"
import { faultsOf, refuse } from "./faults.ts"

const LIMITS = { maxParts: 20_000, maxFieldSize: 64 * 1024 } as const

const notAForm: Fault = { field: "Content-Type", message: "Send a multipart form." }

const broken = (error: Multipart.MultipartError): Invalid => {
  switch (error.reason._tag) {
    case "FieldTooLarge":
      return invalid({ field: "body", message: "A field of the form is longer than 64 KB." })
    case "TooManyParts":
      return invalid({ field: "body", message: `A form may have ${LIMITS.maxParts} parts.` })
    default:
      return invalid({ field: "body", message: "The form is broken off or malformed." })
  }
}

/** A field given more than once is a list where the schema wants one, else the last one counts. */
const gathered = (fields: ReadonlyArray<readonly [string, string]>, lists: ReadonlySet<string>) => {
  const values: Record<string, unknown> = Object.create(null)
  for (const [name, value] of fields) {
    values[name] = lists.has(name) ? [...((values[name] as ReadonlyArray<string> | undefined) ?? []), value] : value
  }
  return values
}

/** Reads the request as a form whose fields fit `schema`, and makes of them what is wanted; `lists` may repeat. */
export const formOf = <A, B>(
  request: HttpServerRequest.HttpServerRequest,
  schema: Schema.ConstraintDecoder<A>,
  made: (fields: A) => B,
  lists: ReadonlySet<string> = new Set()
): Form<B, Invalid> =>
(accept) =>
  Effect.gen(function*() {
    if (!/^multipart\/form-data\s*;/i.test(request.headers["content-type"] ?? "")) return yield* invalid(notAForm)
    const fields: Array<readonly [string, string]> = []
    yield* request.multipartStream.pipe(
      Stream.mapError(broken),
      Stream.runForEach((part) => {
        if (!Multipart.isFile(part)) {
          fields.push([part.key, part.value])
          return Effect.void
        }
        return accept({
          path: part.name === "" ? undefined : part.name,
          contentType: part.contentType,
          length: undefined,
          bytes: Stream.mapError(part.content, broken)
        })
      }),
      Effect.provideContext(Multipart.limitsServices(LIMITS))
    )
    return yield* Schema.decodeUnknownEffect(schema, { errors: "all" })(gathered(fields, lists)).pipe(
      Effect.mapBoth({ onSuccess: made, onFailure: (error) => refuse(faultsOf(error, "body")) })
    )
  })

export const declaredLength = (request: HttpServerRequest.HttpServerRequest): number | undefined =>
  Option.getOrUndefined(Option.liftPredicate(Number(request.headers["content-length"]), Number.isSafeInteger))
