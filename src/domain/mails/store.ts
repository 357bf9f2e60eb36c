/** The port for mails that the service gave up on. Implemented by services/database/dead-mails.ts. */
import { Context } from "effect"
import type { Effect } from "effect"
import type { Page } from "../pages.ts"
import type { DeadMail, MailId } from "./model.ts"

export class DeadMailStore extends Context.Service<DeadMailStore, {
  /** Newest first. */
  readonly list: (page: Page<MailId>) => Effect.Effect<ReadonlyArray<DeadMail>>
  /** Queues the mail and its delivery job again; false if it is not among the dead mails. */
  readonly revive: (id: MailId) => Effect.Effect<boolean>
}>()("svc/domain/mails/DeadMailStore") {}
