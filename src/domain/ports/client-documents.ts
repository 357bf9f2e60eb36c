/** Client ID Metadata Documents: what stands at an https address that names itself a client. */
import { Context } from "effect"
import type { Effect, Option } from "effect"

export class ClientDocuments extends Context.Service<ClientDocuments, {
  /** The document's JSON; none for what cannot be fetched, or must not be. */
  readonly fetch: (address: string) => Effect.Effect<Option.Option<unknown>>
}>()("svc/domain/ports/ClientDocuments") {}
