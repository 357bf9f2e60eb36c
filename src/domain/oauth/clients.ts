/** Clients that may ask for consent: registered ones (RFC 7591), and client metadata documents, whose address is the client's id (CONTRACT §4). */
import { Context, DateTime, Effect, Layer, Option, Result, Schema } from "effect"
import type { UserId } from "../accounts/model.ts"
import { invalid } from "../failures.ts"
import { orFail } from "../found.ts"
import { ClientDocuments } from "../ports/client-documents.ts"
import { RateLimits } from "../ports/rate-limits.ts"
import { Tokens } from "../ports/tokens.ts"
import { makeQueues } from "../turns.ts"
import { DEVICE_GRANT } from "./model.ts"
import type { OauthClient } from "./model.ts"
import { refuse } from "./refusals.ts"
import { registered } from "./registration.ts"
import * as Rules from "./rules.ts"
import { OauthStore } from "./store.ts"

const UNKNOWN = "This client is not known here."

/** The same refusal for an unknown client and a document that cannot be fetched. */
const unknownClient = () => invalid({ field: "client_id", message: UNKNOWN })

const isDocument = (id: string): boolean => id.startsWith("https://")

/** A document is valid only for the address that it was fetched from. */
const speaksFor = Schema.is(Schema.Struct({ client_id: Schema.String }))

const described = (id: string, document: unknown): Option.Option<OauthClient> =>
  speaksFor(document) && document.client_id === id
    ? Option.map(Result.getSuccess(registered(document)), (client) => ({ ...client, id }))
    : Option.none()

export class OauthClients extends Context.Service<OauthClients>()("svc/domain/oauth/OauthClients", {
  make: Effect.gen(function*() {
    const store = yield* OauthStore
    const documents = yield* ClientDocuments
    const limits = yield* RateLimits
    const tokens = yield* Tokens
    const queues = yield* makeQueues

    const register = Effect.fn("OauthClients.register")(function*(metadata: unknown, address: string) {
      yield* limits.consume(Rules.LIMITS.registerByAddress, address)
      const client = { ...(yield* Effect.fromResult(registered(metadata))), id: yield* tokens.uuid }
      const now = yield* DateTime.now
      yield* store.addClient(client, now)
      return { client, at: now }
    })

    // One document at a time for one person: nobody takes the places of all others by servers that say nothing.
    const find = (id: string, user: UserId) =>
      isDocument(id)
        ? limits.consume(Rules.LIMITS.documents, user).pipe(
          Effect.andThen(queues(user)(documents.fetch(id))),
          Effect.map(Option.flatMap((document) => described(id, document)))
        )
        : store.client(id)

    /** The client that a signed-in person is asked about. Documents are fetched only on behalf of signed-in people. */
    const known = Effect.fn("OauthClients.known")(function*(id: string, user: UserId) {
      return yield* find(id, user).pipe(orFail(unknownClient))
    })

    /** The client that a token request names. A document is not fetched here: its client's code or token shows that it was known. */
    const presented = Effect.fn("OauthClients.presented")(function*(id: string | undefined) {
      if (id === undefined) return yield* refuse("invalid_client", "The client_id is missing.")
      if (isDocument(id)) return { id, name: undefined }
      return yield* store.client(id).pipe(orFail(() => refuse("invalid_client", UNKNOWN)))
    })

    /** The client of a device sign-in, registered for that grant. A document is not fetched for strangers, so it would have no name to show. */
    const forDevices = Effect.fn("OauthClients.forDevices")(function*(id: string | undefined) {
      const client = yield* presented(id)
      if (client.name !== undefined && Rules.mayUse(client, DEVICE_GRANT)) return client
      return yield* refuse("unauthorized_client", "Register with the device grant to sign devices in.")
    })

    return { register, known, presented, forDevices }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
