/** The client's address behind `SVC_TRUSTED_PROXY_HOPS` proxies, in the form that rate limits count by. */
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import type { Socket } from "node:net"
import { Context, Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { clientAddress } from "../../domain/sessions/client-address.ts"

export class TrustedHops extends Context.Service<TrustedHops, {
  readonly addressBehind: (forwarded: string | undefined, peer: string | undefined) => string
}>()("svc/http/server/TrustedHops") {}

/** Stands for the peer of a connection that is gone. */
const NOWHERE = "unknown"

/** Without the port, which some proxies add and which differs with each connection; undefined if it is no address. */
const addressIn = (hop: string): string | undefined => {
  const bare = (/^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, "$1")).toLowerCase()
  return isIP(bare) === 0 ? undefined : bare
}

/** Each trusted proxy appends the address it saw, so the client's is `hops` from the end; entries before it are not trusted. */
const addressBehind = (hops: number, forwarded: string | undefined, peer = NOWHERE, onOther: () => void): string => {
  if (hops === 0) return clientAddress(peer)
  const named = (forwarded ?? "").split(",").map((one) => one.trim()).filter((one) => one !== "")
  const address = addressIn(named.at(-hops) ?? "")
  if (address === undefined && named.length > 0) onOther()
  return clientAddress(address ?? peer)
}

/** Says once if what a trusted proxy appends is no address, or fewer append than are trusted: then all that come through them count together. */
export const trusting = (hops: number) =>
  Effect.gen(function*() {
    const fork = Effect.runForkWith(yield* Effect.context<never>())
    let said = false
    const onOther = () => {
      if (said) return
      said = true
      fork(Effect.logWarning("X-Forwarded-For names no address where SVC_TRUSTED_PROXY_HOPS looks for the client’s; limits count such requests by the proxy’s"))
    }
    return TrustedHops.of({ addressBehind: (forwarded, peer) => addressBehind(hops, forwarded, peer, onOther) })
  })

/**
 * Whose requests a request counts among: undefined where its address may be many people's, as behind a proxy that does not say for whom it
 * asks. `clientOf`: the client's address, as limits count it; `isGlobal`: whether the internet leads there.
 */
export const oneClientBy = (clientOf: (request: IncomingMessage) => string, isGlobal: (address: string) => boolean) => {
  /** Asked once for each connection. */
  const global = new WeakMap<Socket, boolean>()
  const isOnes = (socket: Socket, address: string): boolean => {
    const known = global.get(socket)
    if (known !== undefined) return known
    const found = isGlobal(address.replace("/64", ""))
    global.set(socket, found)
    return found
  }
  return (request: IncomingMessage): string | undefined => {
    const address = clientOf(request)
    const isPeers = address === clientAddress(request.socket.remoteAddress ?? NOWHERE)
    return !isPeers || isOnes(request.socket, address) ? address : undefined
  }
}

export const addressOf = Effect.gen(function*() {
  const { addressBehind } = yield* TrustedHops
  const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
  return addressBehind(headers["x-forwarded-for"], Option.getOrUndefined(remoteAddress))
})
