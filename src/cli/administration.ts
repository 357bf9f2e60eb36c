/** The typed client of the platform administrators' RPC, over the same sockets as the rest. */
import { Effect, Option, Redacted } from "effect"
import { HttpClient } from "effect/http"
import { administrationClient } from "../http/contract/rpc-client.ts"
import { overSockets } from "./client.ts"
import { Connection, USER_AGENT } from "./connection.ts"
import { Output } from "./output.ts"

export const administration = Effect.gen(function*() {
  const { aside, verbose } = yield* Output
  const { base, client, token } = yield* Connection
  // Fails with "sign in first" if nobody is signed in.
  yield* client
  return yield* administrationClient({ baseUrl: base, token: Redacted.make(Option.getOrElse(yield* token, () => "")) }).pipe(
    Effect.provideService(HttpClient.HttpClient, overSockets(USER_AGENT, verbose ? aside : () => Effect.void))
  )
})
