/** Device grants as plain decisions: codes, states, pace (SPEC §3, CONTRACT §3, §4). */
import { DateTime, Duration } from "effect"
import { labelIn } from "../labels/model.ts"
import type { Limit } from "../ports/rate-limits.ts"
import type { DeviceGrant, DeviceGrantState } from "./model.ts"

export const INTERVAL_SECONDS = 5
export const LIFETIME_SECONDS = 900

/** How long a grant that never became a token is kept after it expired. */
export const EXPIRED_KEPT = { days: 1 } as const

export const LIMITS = {
  startByAddress: { name: "device.start", limit: 20, window: "1 minute" },
  /** Approvals and denials together: both tell whether a code exists. */
  resolve: { name: "device.resolve", limit: 10, window: "1 minute" },
  look: { name: "device.look", limit: 10, window: "1 minute" }
} as const satisfies Record<string, Limit>

/** No symbols that are mistaken for others: no 0 O 1 I. 32 symbols, five bits each. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
const SYMBOLS = 9

export const USER_CODE_BYTES = SYMBOLS

/** One symbol a byte; 32 divides 256, so none is likelier than another. */
export const userCodeFrom = (bytes: Uint8Array): string => Array.from(bytes.subarray(0, SYMBOLS), (byte) => ALPHABET[byte % 32]).join("")

/** Takes a code as people type it: in any case, with the dash or without; whitespace and control characters are dropped. */
export const normaliseUserCode = (given: string): string => given.replaceAll(/[\s\p{Pd}\p{Cc}]/gu, "").toUpperCase()

export const shownUserCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`

export const expiry = (now: DateTime.Utc): DateTime.Utc => DateTime.add(now, { seconds: LIFETIME_SECONDS })

export const stateOf = (grant: DeviceGrant, now: DateTime.Utc): DeviceGrantState => {
  if (grant.consumedAt !== null) return "consumed"
  if (DateTime.isGreaterThanOrEqualTo(now, grant.expiresAt)) return "expired"
  if (grant.deniedAt !== null) return "denied"
  return grant.approvedAt === null ? "pending" : "approved"
}

/** A poll at `now` is too early if the one before it came after this moment. */
export const lastPollBefore = (now: DateTime.Utc): DateTime.Utc => DateTime.subtract(now, { seconds: INTERVAL_SECONDS })

/** Whole seconds to wait, at least one. */
export const retryAfterSeconds = (polledAt: DateTime.Utc | null, now: DateTime.Utc): number => {
  if (polledAt === null) return INTERVAL_SECONDS
  const free = DateTime.add(polledAt, { seconds: INTERVAL_SECONDS })
  return Math.min(INTERVAL_SECONDS, Math.max(1, Math.ceil(Duration.toSeconds(DateTime.distance(now, free)))))
}

const CLIENT_MAX = 100

/** What a client says of itself as a label; it is shown, mailed, and labels its token. */
export const clientName = (told = ""): string => labelIn(told, CLIENT_MAX) || "An unnamed client"
