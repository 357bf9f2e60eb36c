/** What is known of mails that were given up. Implemented by services/database/dead-mails.ts. */
import { Context } from "effect"
import type { Effect } from "effect"
import type { DeadMail, MailId } from "./model.ts"

export interface DeadPage {
  readonly limit: number
  /** The last one of the page before. */
  readonly after: MailId | undefined
}

export class DeadMailStore extends Context.Service<DeadMailStore, {
  /** The latest written first. */
  readonly list: (page: DeadPage) => Effect.Effect<ReadonlyArray<DeadMail>>
  /** Puts it on its way again, with the job that delivers it; false when it is not among the dead. */
  readonly revive: (id: MailId) => Effect.Effect<boolean>
}>()("svc/domain/mails/DeadMailStore") {}
