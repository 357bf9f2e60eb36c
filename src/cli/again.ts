/** Trying again while the connection is broken or the service is busy: how often, after which waits, and how people are told. */
import { Duration, Effect } from "effect"
import { Output } from "./output.ts"
import type { Got } from "./transport.ts"
import { span } from "./words.ts"

const TRIES = 6
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

/** Beside HTTP's own, those by which Cloudflare says that the service behind it is away. */
const AWAY = new Set([502, 503, 504, 520, 521, 522, 523, 524])
export const isAway = (status: number): boolean => AWAY.has(status)
export const isBusy = (status: number): boolean => status === 429 || AWAY.has(status)

export type Headers = Got["headers"]

/** Retry-After is a number of seconds, or a date by the clock that wrote the answer's own (RFC 9110 §10.2.3). */
export const askedMs = ({ date, "retry-after": after = "" }: Headers): number =>
  /^\s*\d+\s*$/.test(after) ? Number(after) * 1000 : Date.parse(after) - (Date.parse(date ?? "") || Date.now())

export const waitOf = (tries: number, headers: Headers = {}): number => {
  const asked = askedMs(headers)
  return asked > 0 ? asked : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries)
}

/** Waits before the next try. False, at once, if that was the last one or the wait would be too long. `eventful`: where more than one JSON line is written. */
export const again = Effect.fnUntraced(function*(tries: number, why: string, headers?: Headers, eventful = false) {
  const { aside, event, json } = yield* Output
  const wait = waitOf(tries, headers)
  if (tries + 1 >= TRIES || wait > 2 * LONGEST_WAIT_MS) return false
  if (json && eventful) yield* event("retry", { reason: why, in_ms: wait })
  else yield* aside(`${why[0]!.toUpperCase()}${why.slice(1)}. Trying again in ${wait < 1000 ? "a moment" : span(wait / 1000)} …`)
  yield* Effect.sleep(Duration.millis(wait))
  return true
})
