/** The client's address behind `SVC_TRUSTED_PROXY_HOPS` proxies, in the form that rate limits count by. */
import { Context, Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { clientAddress } from "../../domain/sessions/client-address.ts"

export class TrustedHops extends Context.Service<TrustedHops, { readonly count: number }>()("svc/http/server/TrustedHops") {}

/** Each trusted proxy appends the address it saw, so the client's is `hops` from the end; entries before it are not trusted. */
export const addressBehind = (hops: number, forwarded: string | undefined, peer: string | undefined = "unknown"): string => {
  if (hops === 0) return clientAddress(peer)
  const seen = (forwarded ?? "").split(",").map((hop) => hop.trim()).filter((hop) => hop !== "")
  return clientAddress(seen.at(-hops) ?? peer)
}

export const addressOf = Effect.gen(function*() {
  const { count } = yield* TrustedHops
  const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
  return addressBehind(count, headers["x-forwarded-for"], Option.getOrUndefined(remoteAddress))
})
