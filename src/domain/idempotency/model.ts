/** A call that may be sent again: whose it is, what it does, and the key that its sender made up for it (CONTRACT §1). */
import { Schema } from "effect"
import type { UserId } from "../accounts/model.ts"

export const IdempotencyKey = Schema.String.check(
  Schema.isPattern(/^[\x21-\x7e]{1,255}$/)
).pipe(Schema.brand("IdempotencyKey"))
export type IdempotencyKey = typeof IdempotencyKey.Type

export interface Call {
  readonly userId: UserId
  /** Method and path, or a tool: the same key on another is another call. */
  readonly operation: string
  readonly key: IdempotencyKey
}

/** What the call was given, as a hash, and how long it was. */
export const Print = Schema.Struct({ hash: Schema.String, length: Schema.Number })
export type Print = typeof Print.Type

/** The first answer, with what it answered. */
export const Kept = Schema.Struct({ print: Print, answer: Schema.Json })
export type Kept = typeof Kept.Type
