/** The typed client of the platform administrators' RPC, over the same sockets as the rest. */
import { Effect, Option, Redacted } from "effect"
import { HttpClient } from "effect/http"
import { DecodeError, HttpClientError } from "effect/http/HttpClientError"
import { RpcSerialization } from "effect/rpc"
import { administrationClient } from "../http/contract/rpc-client.ts"
import { overSockets } from "./client.ts"
import { Connection, USER_AGENT } from "./connection.ts"
import { Output } from "./output.ts"

/** What else comes, such as the page of a gateway, is told as every other command tells it. */
const inMessages = HttpClient.filterOrFail(
  ({ headers }) => headers["content-type"]?.startsWith(RpcSerialization.ndjson.contentType) === true,
  (response) => new HttpClientError({ reason: new DecodeError({ request: response.request, response }) })
)

export const administration = Effect.gen(function*() {
  const { aside, verbose } = yield* Output
  const { base, client, token } = yield* Connection
  // Fails with "sign in first" if nobody is signed in.
  yield* client
  return yield* administrationClient({ baseUrl: base, token: Redacted.make(Option.getOrElse(yield* token, () => "")) }).pipe(
    Effect.provideService(HttpClient.HttpClient, inMessages(overSockets(USER_AGENT, verbose ? aside : () => Effect.void)))
  )
})
