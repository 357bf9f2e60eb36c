/** An idempotent call: its caller, its operation, and the key that the client chose for it (CONTRACT §1). */
import { Schema } from "effect"
import type { UserId } from "../accounts/model.ts"

/** Visible ASCII characters, as JSON Schema says it. */
export const KEY = { minLength: 1, maxLength: 255, pattern: "^[!-~]+$" } as const

export const IdempotencyKey = Schema.String.check(
  Schema.isMinLength(KEY.minLength),
  Schema.isMaxLength(KEY.maxLength),
  Schema.isPattern(new RegExp(KEY.pattern))
).pipe(Schema.brand("IdempotencyKey"))
export type IdempotencyKey = typeof IdempotencyKey.Type

export interface Call {
  readonly userId: UserId
  /** Method and path, or a tool's name: the same key on another operation is another call. */
  readonly operation: string
  readonly key: IdempotencyKey
}

/** The hash and the length of the call's input. */
export const Print = Schema.Struct({ hash: Schema.String, length: Schema.Number })
export type Print = typeof Print.Type

/** The first answer, with the fingerprint of the input that it answered. */
export const Kept = Schema.Struct({ print: Print, answer: Schema.Json })
export type Kept = typeof Kept.Type
