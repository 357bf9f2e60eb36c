/** What the device programs need remembered. Implemented by services/database/device-grants.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { ApiTokenId } from "../api-tokens/model.ts"
import type { DeviceGrant, DeviceGrantId } from "./model.ts"

export type NewDeviceGrant = Pick<DeviceGrant, "id" | "userCode" | "client" | "address" | "clientId" | "requestedAt" | "expiresAt">

export class DeviceGrantStore extends Context.Service<DeviceGrantStore, {
  readonly add: (grant: NewDeviceGrant, deviceHash: string) => Effect.Effect<void>
  /** Deletes grants that expired before `before` and never became a token, at most `limit` of them; returns how many. */
  readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  readonly byDeviceCode: (deviceHash: string) => Effect.Effect<Option.Option<DeviceGrant>>
  readonly byUserCode: (userCode: string) => Effect.Effect<Option.Option<DeviceGrant>>
  /** One conditional UPDATE each: of any number of tries on a pending grant, one succeeds. */
  readonly approve: (userCode: string, userId: UserId, now: DateTime.Utc) => Effect.Effect<Option.Option<DeviceGrant>>
  readonly deny: (userCode: string, userId: UserId, now: DateTime.Utc) => Effect.Effect<Option.Option<DeviceGrant>>
  /** One conditional UPDATE: false if the last poll came after `before`. */
  readonly polled: (id: DeviceGrantId, before: DateTime.Utc, now: DateTime.Utc) => Effect.Effect<boolean>
  /** One conditional UPDATE: of any number of polls on an approved grant, one consumes it. */
  readonly consume: (id: DeviceGrantId, now: DateTime.Utc) => Effect.Effect<Option.Option<DeviceGrant>>
  /** Remembers which API token the grant became. */
  readonly became: (id: DeviceGrantId, token: ApiTokenId) => Effect.Effect<void>
  /** Ends the API token of this hash, if a grant of this OAuth client became it. */
  readonly revoke: (tokenHash: string, clientId: string) => Effect.Effect<void>
  /** Drops the grants that were approved and not fetched yet: for password resets and changes. */
  readonly forgetAllOf: (userId: UserId) => Effect.Effect<void>
}>()("svc/domain/device-grants/DeviceGrantStore") {}
