/** Mail is enqueued, never sent inline: a program that rolls back sends nothing. */
import { Context, Schema } from "effect"
import type { Effect } from "effect"

/** Every mail the service sends (SPEC §6): a new case does not compile until its template exists. */
export const Mail = Schema.TaggedUnion({
  /** To prove an address after signup or resend; the link lives 48 hours. */
  VerifyEmail: { to: Schema.String, name: Schema.String, token: Schema.String },
  /** To someone who signs up with an address that already has an account. */
  AlreadyRegistered: { to: Schema.String, name: Schema.String }
})
export type Mail = typeof Mail.Type

export class Mailer extends Context.Service<Mailer, {
  readonly enqueue: (mail: Mail) => Effect.Effect<void>
}>()("svc/domain/ports/Mailer") {}
