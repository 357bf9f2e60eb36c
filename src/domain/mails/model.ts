/** A mail that the service gave up on: its kind and times, never its recipient or content. */
import { Schema } from "effect"
import { isId } from "../ids.ts"

export const MailId = Schema.String.check(isId).pipe(Schema.brand("MailId"))
export type MailId = typeof MailId.Type

/** How long the record of a sent mail is kept; its content is deleted when it is sent. */
export const SENT_KEPT = { days: 90 } as const

/** How long a mail that was given up can be sent again; then it is deleted, with its recipient and all that it says. */
export const DEAD_KEPT = { days: 90 } as const

export const DeadMail = Schema.Struct({
  id: MailId,
  /** A case of `Mail`, such as `VerifyEmail`. */
  kind: Schema.String,
  attempts: Schema.Int,
  enqueuedAt: Schema.DateTimeUtcFromDate,
  deadAt: Schema.DateTimeUtcFromDate
})
export type DeadMail = typeof DeadMail.Type
