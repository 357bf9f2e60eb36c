/** What an API token is (SPEC §4.3, CONTRACT §3). */
import { Schema } from "effect"

export const ApiTokenId = Schema.String.check(Schema.isUUID(undefined, { message: "This is not an id." })).pipe(Schema.brand("ApiTokenId"))
export type ApiTokenId = typeof ApiTokenId.Type

export const ApiToken = Schema.Struct({
  id: ApiTokenId,
  label: Schema.String,
  /** The first characters of the raw token, to recognise it by. */
  prefix: Schema.String,
  createdAt: Schema.DateTimeUtcFromDate,
  /** Written at most once a minute. */
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type ApiToken = typeof ApiToken.Type
