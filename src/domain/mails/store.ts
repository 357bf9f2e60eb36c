/** The port for mails that the service gave up on. Implemented by services/database/dead-mails.ts. */
import { Context } from "effect"
import type { Effect } from "effect"
import type { DeadMail, MailId } from "./model.ts"

export interface DeadPage {
  readonly limit: number
  /** The last mail of the previous page. */
  readonly after: MailId | undefined
}

export class DeadMailStore extends Context.Service<DeadMailStore, {
  /** Newest first. */
  readonly list: (page: DeadPage) => Effect.Effect<ReadonlyArray<DeadMail>>
  /** Queues the mail and its delivery job again; false if it is not among the dead mails. */
  readonly revive: (id: MailId) => Effect.Effect<boolean>
}>()("svc/domain/mails/DeadMailStore") {}
