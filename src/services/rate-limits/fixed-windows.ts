/** A store for the library's limiter that keeps fixed windows, the one algorithm used here. */
import { Duration, Effect } from "effect"
import type { RateLimiter } from "effect/persistence"

/** One try, as a store counts it. */
export interface Try {
  readonly key: string
  /** -1 gives a try back; no window counts below zero. */
  readonly tokens: number
  /** Undefined: count without refusing. */
  readonly limit: number | undefined
  readonly windowMillis: number
}

/**
 * The window's count with this try in it (a try beyond the limit is not kept), and how long the window lasts yet, by the store's own
 * clock: of instances that share a store, each clock that is ahead would begin a new window. It lasts at most one window from now, or
 * a clock that was a year ahead would keep people out for a year after it is set back.
 */
export interface Counted {
  readonly count: number
  readonly leftMillis: number
}

type Store = RateLimiter.RateLimiterStore["Service"]

const unused = () => Effect.die(new Error("Only fixed windows are kept here."))

/**
 * The library describes a window by its refill rate and extends it with every try. Here a window opens with its first try and
 * keeps its end: three an hour are three in that hour, without a fourth after its first third.
 */
export const fixedWindows = (count: (one: Try) => Effect.Effect<Counted>): Store => ({
  fixedWindow: ({ key, limit, refillRate, tokens }) =>
    Effect.map(
      count({ key, tokens, limit, windowMillis: Math.max(1, Math.round(Duration.toMillis(refillRate) * (limit ?? tokens))) }),
      (counted) => [counted.count, Math.max(0, counted.leftMillis)] as const
    ),
  tokenBucket: unused,
  adaptiveConsume: unused,
  adaptiveFeedback: unused
})
