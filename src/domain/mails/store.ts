/** The port for mails that the service gave up on. Implemented by services/database/dead-mails.ts. */
import { Context } from "effect"
import type { DateTime, Effect } from "effect"
import type { Page } from "../pages.ts"
import type { DeadMail, MailId } from "./model.ts"

export class DeadMailStore extends Context.Service<DeadMailStore, {
  /** Newest first. */
  readonly list: (page: Page<MailId>) => Effect.Effect<ReadonlyArray<DeadMail>>
  /** Sends the mail on its way again; false if it is not among the dead mails. */
  readonly revive: (id: MailId, now: DateTime.Utc) => Effect.Effect<boolean>
}>()("svc/domain/mails/DeadMailStore") {}
