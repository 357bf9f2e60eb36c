/** What a person let into their account: devices by a user code, agents by consent (CONTRACT §3). */
import { Schema } from "effect"
import { isId } from "../ids.ts"

export const GrantKind = Schema.Literals(["device", "agent"])

export const Grant = Schema.Struct({
  id: Schema.String.check(isId),
  kind: GrantKind,
  /** The name that the client gave itself. */
  client: Schema.String,
  /** The address that a device asked from. */
  address: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtcFromDate,
  /** Written at most once a minute. */
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type Grant = typeof Grant.Type
