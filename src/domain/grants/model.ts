/** What somebody let into their account: devices by a code, agents by consent (CONTRACT §3). */
import { Schema } from "effect"
import { isId } from "../ids.ts"

export const GrantKind = Schema.Literals(["device", "agent"])

export const Grant = Schema.Struct({
  id: Schema.String.check(isId),
  kind: GrantKind,
  /** What it called itself. */
  client: Schema.String,
  /** From where a device asked. */
  address: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtcFromDate,
  /** Written at most once a minute. */
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type Grant = typeof Grant.Type
