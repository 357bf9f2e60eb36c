/** Client ID Metadata Documents: JSON at an https address, which serves as the client's id. */
import { Context } from "effect"
import type { Effect, Option } from "effect"

export class ClientDocuments extends Context.Service<ClientDocuments, {
  /** The document's JSON; none if it cannot or must not be fetched. */
  readonly fetch: (address: string) => Effect.Effect<Option.Option<unknown>>
}>()("svc/domain/ports/ClientDocuments") {}
