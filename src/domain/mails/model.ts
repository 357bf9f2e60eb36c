/** A mail that the service gave up on: its kind and times, never its recipient or content. */
import { Schema } from "effect"
import { isId } from "../ids.ts"

export const MailId = Schema.String.check(isId).pipe(Schema.brand("MailId"))
export type MailId = typeof MailId.Type

export const DeadMail = Schema.Struct({
  id: MailId,
  /** A case of `Mail`, such as `VerifyEmail`. */
  kind: Schema.String,
  attempts: Schema.Int,
  enqueuedAt: Schema.DateTimeUtcFromDate,
  deadAt: Schema.DateTimeUtcFromDate
})
export type DeadMail = typeof DeadMail.Type
