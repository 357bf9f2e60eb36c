/** The typed client of `/rpc`, for `svc admin` and for tests: procedures as functions, refusals as the envelope's failures. */
import { Effect, Layer } from "effect"
import type { Redacted, Scope } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { RpcClient, RpcSerialization } from "effect/rpc"
import type { RpcClientError } from "effect/rpc"
import { Administration, RPC_PATH } from "./rpc.ts"

export interface AdministrationOptions {
  /** The service's address, without a path. */
  readonly baseUrl: string
  /** An API token of a platform administrator. */
  readonly token: Redacted.Redacted<string>
}

export type AdministrationClient = RpcClient.FromGroup<typeof Administration, RpcClientError.RpcClientError>

/** Lists are streams. Anything that is not an answer of the service fails as `RpcClientError`. */
export const administrationClient = ({ baseUrl, token }: AdministrationOptions): Effect.Effect<AdministrationClient, never, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function*() {
    const protocol = yield* Layer.build(RpcClient.layerProtocolHttp({
      url: new URL(RPC_PATH, baseUrl).href,
      transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(token))
    }).pipe(Layer.provideMerge(RpcSerialization.layerNdjson)))
    return yield* Effect.provideContext(RpcClient.make(Administration), protocol)
  })
