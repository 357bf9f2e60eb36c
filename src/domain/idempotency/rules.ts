/** How long an answer is kept, and how soon a call whose process died may run again (CONTRACT §1). */
import { DateTime, Result, Schema } from "effect"
import { Conflict, invalid } from "../failures.ts"
import type { Invalid } from "../failures.ts"
import { IdempotencyKey, KEY } from "./model.ts"
import type { Print } from "./model.ts"

/** How long an answer is kept, from when it was given. */
const KEPT = { hours: 24 } as const

/** A running call renews its lease; one that has not done so for this long is taken to have died with its process. */
export const LEASE = { seconds: 60 } as const

export const RENEWED_EVERY = { seconds: 15 } as const

/** Longer answers are not kept. */
export const MAX_ANSWER_BYTES = 1024 * 1024

/** A call that was last claimed or renewed at this time or before no longer runs. */
export const silentSince = (now: DateTime.Utc): DateTime.Utc => DateTime.subtract(now, LEASE)

/** A call that was answered at this time or before is forgotten. */
export const forgottenSince = (now: DateTime.Utc): DateTime.Utc => DateTime.subtract(now, KEPT)

export const isSame = (one: Print, other: Print): boolean => one.hash === other.hash && one.length === other.length

const decodeKey = Schema.decodeUnknownOption(IdempotencyKey)

/** `field`: where the key was sent. */
export const keyFrom = (sent: unknown, field = "Idempotency-Key"): Result.Result<IdempotencyKey, Invalid> =>
  Result.fromOption(decodeKey(sent), () => invalid({ field, message: `The key must be ${KEY.minLength} to ${KEY.maxLength} visible ASCII characters.` }))

export const stillRunning = () =>
  new Conflict({ message: "The first try is still under way. Try again in a moment.", field: "Idempotency-Key" })

export const otherCall = () =>
  invalid({ field: "Idempotency-Key", message: "This key was used for another request. Make up a new one." })
