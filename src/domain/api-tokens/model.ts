/** What an API token is (SPEC §4.3, CONTRACT §3). */
import { Schema } from "effect"
import { isId } from "../ids.ts"

export const ApiTokenId = Schema.String.check(isId).pipe(Schema.brand("ApiTokenId"))
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
