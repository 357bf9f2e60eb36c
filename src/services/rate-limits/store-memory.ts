/** Rate limits of one process. Unlike the library's own store it forgets keys whose window is over. */
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import type { Counted, Try } from "./fixed-windows.ts"
import { fixedWindows } from "./fixed-windows.ts"

const SWEEP_EVERY = 1024

interface Window {
  readonly count: number
  readonly endsAt: number
}

export const memoryCounter = () => {
  const windows = new Map<string, Window>()
  let tries = 0

  const sweep = (now: number): void => {
    for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key)
  }

  const count = ({ key, limit, tokens, windowMillis }: Try, now: number): Counted => {
    // Sweeps all keys only after as many tries as there are keys, so a try's share of it is constant.
    tries += 1
    if (tries >= Math.max(SWEEP_EVERY, windows.size)) {
      tries = 0
      sweep(now)
    }
    const held = windows.get(key)
    const endsAt = now + windowMillis
    const open = held !== undefined && held.endsAt > now ? { count: held.count, endsAt: Math.min(held.endsAt, endsAt) } : { count: 0, endsAt }
    const next = { count: Math.max(0, open.count + tokens), endsAt: open.endsAt }
    windows.set(key, limit === undefined || next.count <= limit ? next : open)
    return { count: next.count, leftMillis: next.endsAt - now }
  }

  return (one: Try) => Effect.clockWith((clock) => Effect.sync(() => count(one, clock.currentTimeMillisUnsafe())))
}

export const RateLimiterStoreMemory = Layer.sync(RateLimiter.RateLimiterStore, () => fixedWindows(memoryCounter()))
