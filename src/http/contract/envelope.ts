/**
 * `{"error": {code, message, field, details}}`: the one shape failures take on the wire (SPEC §7).
 * Handlers fail with domain failures and never see this; the contract names the status.
 */
import { Schema, SchemaTransformation } from "effect"
import { HttpApiSchema } from "effect/http-api"

export type Wire<Code extends string = string> = {
  readonly _tag: Code
  readonly message: string
  readonly field: string | null
  readonly details: { readonly [x: string]: Schema.Json }
}

export const refusal = <
  Code extends string,
  Failure extends Schema.Codec<Wire<Code>, Wire<Code>> & { readonly fields: { readonly _tag: Schema.tag<Code> } }
>(
  failure: Failure,
  status: number
) =>
  Schema.Struct({
    error: Schema.Struct({
      /** Stable: branch on this. */
      code: Schema.Literal(failure.fields._tag.schema.literal),
      /** For people; may change. */
      message: Schema.String,
      /** The offending input, dotted, when one exists. */
      field: Schema.NullOr(Schema.String),
      details: Schema.Record(Schema.String, Schema.Json)
    })
  }).pipe(
    Schema.decodeTo(
      failure,
      SchemaTransformation.transform({
        decode: ({ error: { code, ...rest } }): Wire<Code> => ({ _tag: code as Code, ...rest }),
        encode: ({ _tag, ...rest }: Wire<Code>) => ({ error: { code: _tag, ...rest } })
      })
    ),
    HttpApiSchema.status(status)
  )

/** What Retry-After says while the database or another dependency is away, in seconds. */
export const AWAY_SECONDS = 2

/** A failure as the body of an answer that no endpoint encodes. */
export const envelope = ({ _tag, details, field, message }: Wire) => ({ error: { code: _tag, message, field, details } })

/** The headers that its answer requires, whatever its body looks like (RFC 9110 §10.2.1, §10.2.3, §11.6.1). */
export const refusalHeaders = ({ _tag, details }: Pick<Wire, "_tag" | "details">): Readonly<Record<string, string>> => {
  const { allow, retry_after_seconds: seconds } = details
  switch (_tag) {
    case "auth_required":
    case "invalid_credentials":
    case "invalid_token":
      return { "WWW-Authenticate": "Bearer" }
    case "method_not_allowed":
      return Array.isArray(allow) ? { Allow: allow.join(", ") } : {}
    case "unavailable":
      return { "Retry-After": String(AWAY_SECONDS) }
    default:
      return typeof seconds === "number" ? { "Retry-After": String(seconds) } : {}
  }
}
