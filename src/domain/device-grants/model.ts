/** What a device grant is: a command line asks, a person answers in the browser (SPEC §2, §4.2, CONTRACT §4). */
import { Schema } from "effect"
import { UserId } from "../accounts/model.ts"
import { isId } from "../ids.ts"

export const DeviceGrantId = Schema.String.check(isId).pipe(Schema.brand("DeviceGrantId"))
export type DeviceGrantId = typeof DeviceGrantId.Type

const moment = Schema.NullOr(Schema.DateTimeUtcFromDate)

/** Its state is derived from these facts, never stored. */
export const DeviceGrant = Schema.Struct({
  id: DeviceGrantId,
  /** Nine symbols, without the dash. */
  userCode: Schema.String,
  /** What asks, as it calls itself: its user agent, or the name it registered. */
  client: Schema.String,
  /** The client address that it asked from. */
  address: Schema.String,
  /** The OAuth client it was started for; null when a command line asked without being one. */
  clientId: Schema.NullOr(Schema.String),
  requestedAt: Schema.DateTimeUtcFromDate,
  expiresAt: Schema.DateTimeUtcFromDate,
  polledAt: moment,
  userId: Schema.NullOr(UserId),
  approvedAt: moment,
  deniedAt: moment,
  consumedAt: moment
})
export type DeviceGrant = typeof DeviceGrant.Type

export type DeviceGrantState = "pending" | "approved" | "denied" | "consumed" | "expired"

/** Who asks, as known when the grant is started. */
export interface Asker {
  readonly client: string | undefined
  readonly address: string
  readonly clientId: string | null
}

/** The outcome of a poll. */
export type Polled =
  | { readonly state: "unknown" | "expired" | "denied" | "pending" }
  | { readonly state: "early"; readonly retryAfterSeconds: number }
  | { readonly state: "approved"; readonly token: string }
