/** The client's address behind `SVC_TRUSTED_PROXY_HOPS` proxies, in the form that limits count by. */
import { Context, Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { clientAddress } from "../../domain/sessions/client-address.ts"

export class TrustedHops extends Context.Service<TrustedHops, { readonly count: number }>()("svc/http/server/TrustedHops") {}

/** Each trusted proxy appended the address it saw, so the client's is that many from the end; more is hearsay. */
export const addressOf = Effect.gen(function*() {
  const { count } = yield* TrustedHops
  const request = yield* HttpServerRequest.HttpServerRequest
  const seen = (request.headers["x-forwarded-for"] ?? "").split(",").map((hop) => hop.trim()).filter((hop) => hop !== "")
  const peer = Option.getOrElse(request.remoteAddress, () => "unknown")
  return clientAddress(count === 0 ? peer : seen.at(-count) ?? peer)
})
