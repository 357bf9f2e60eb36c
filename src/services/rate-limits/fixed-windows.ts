/** A store for the library's limiter that keeps fixed windows, the one algorithm used here. */
import { Duration, Effect } from "effect"
import type { RateLimiter } from "effect/persistence"

/** One try, as a store counts it. */
export interface Try {
  readonly key: string
  /** -1 takes a try back; no window counts below zero. */
  readonly tokens: number
  /** None: count without refusing. */
  readonly limit: number | undefined
  readonly windowMillis: number
  readonly now: number
}

/**
 * How far the window is with this try in it (beyond the limit: the try was not kept), and when it ends: at most one window from
 * now, or a clock that was a year ahead would keep people out for a year after it is set back.
 */
export interface Counted {
  readonly count: number
  readonly endsAt: number
}

type Store = RateLimiter.RateLimiterStore["Service"]

const unused = () => Effect.die(new Error("Only fixed windows are kept here."))

/**
 * The library states a window by its refill rate and lets it grow with every try. Here it opens with its first
 * try and stays whole: three an hour are three in that hour, not a fourth after the first third of it.
 */
export const fixedWindows = (count: (one: Try) => Effect.Effect<Counted>): Store => ({
  fixedWindow: ({ key, limit, refillRate, tokens }) =>
    Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe()
      const windowMillis = Math.max(1, Math.round(Duration.toMillis(refillRate) * (limit ?? tokens)))
      return Effect.map(
        count({ key, tokens, limit, windowMillis, now }),
        (counted) => [counted.count, Math.max(0, counted.endsAt - now)] as const
      )
    }),
  tokenBucket: unused,
  adaptiveConsume: unused,
  adaptiveFeedback: unused
})
