/** The agents' door, as far as it is built: whoever has no valid token is told where to get one (RFC 9728 §5.1). */
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiTokens } from "../../domain/api-tokens/api-tokens.ts"
import { OAuth } from "../../domain/oauth/oauth.ts"
import { Addresses } from "../../domain/ports/addresses.ts"

const envelope = (status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.jsonUnsafe({ error: { code, message, field: null, details: {} } }, { status, headers })

/** The header alone: neither a cookie nor a query string opens it. */
const bearerOf = (header: string | undefined): string | undefined => /^Bearer +([^\s]+) *$/i.exec(header ?? "")?.[1]

/** An API token, or an access token for this very resource. */
const opens = Effect.fnUntraced(function*(raw: string) {
  const user = yield* (yield* OAuth).authenticateAccess(raw)
  return Option.isSome(user) || Option.isSome(yield* (yield* ApiTokens).authenticate(raw))
})

export const Mcp = HttpRouter.add(
  "*",
  "/mcp",
  Effect.gen(function*() {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { baseUrl } = yield* Addresses
    const raw = bearerOf(headers["authorization"])
    if (raw !== undefined && (yield* opens(raw))) return envelope(404, "not_found", "The agents’ tools are not here yet.")
    const challenge = `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource"`
    return envelope(401, "auth_required", "Send an API token, or an access token for this address.", {
      "www-authenticate": raw === undefined ? challenge : `${challenge}, error="invalid_token"`
    })
  })
)
