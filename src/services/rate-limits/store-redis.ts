/**
 * Rate limits that all instances share through Redis, exact under concurrency: one try is one script on one key.
 *
 * With Redis away each instance counts on its own. Refusing everybody would turn a lost cache into an outage, and
 * letting everybody through would open the door to guessing at the worst moment; a limit times the number of
 * instances for as long as it lasts is neither.
 */
import { Effect, Layer, Redacted } from "effect"
import { RateLimiter } from "effect/persistence"
import { createClient, defineScript } from "redis"
import type { CommandParser } from "redis"
import { fixedWindows } from "./fixed-windows.ts"
import type { Counted, Try } from "./fixed-windows.ts"
import { memoryCounter } from "./store-memory.ts"

/** How long a request waits for Redis at most, and how long nobody asks Redis after a request waited in vain. */
const ANSWER_MILLIS = 500
const REST_MILLIS = 2000

const CONNECT_MILLIS = 2000
const RECONNECT_MILLIS = 1000
const PING_MILLIS = 2000

const PREFIX = "svc:limits:"

/** The caller's clock decides; Redis only expires keys, a minute late, so that instances' clocks may differ by that much. */
const SCRIPT = `
local now, window, tokens, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local held = redis.call('HMGET', KEYS[1], 'count', 'ends')
local count, ends = tonumber(held[1]), tonumber(held[2])
if not ends or ends <= now then
  count, ends = 0, now + window
end
ends = math.min(ends, now + window)
local after = math.max(0, count + tokens)
if not limit or after <= limit then count = after end
redis.call('HSET', KEYS[1], 'count', string.format('%.0f', count), 'ends', string.format('%.0f', ends))
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ends - now + 60000))
return { after, ends }`

const count = defineScript({
  SCRIPT,
  NUMBER_OF_KEYS: 1,
  parseCommand: (parser: CommandParser, { key, limit, now, tokens, windowMillis }: Try) => {
    parser.pushKey(PREFIX + key)
    parser.push(String(now), String(windowMillis), String(tokens), limit === undefined ? "none" : String(limit))
  },
  transformReply: ([count, endsAt]: [number, number]): Counted => ({ count, endsAt })
})

const within = <A>(millis: number, answer: Promise<A>): Promise<A> => {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${millis} ms`)), millis)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** Keeps trying to connect while the scope lives; each command finds out for itself whether it worked. */
const connected = (url: Redacted.Redacted<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = createClient({
        url: Redacted.value(url),
        scripts: { count },
        disableOfflineQueue: true,
        // A peer that vanished without closing is noticed by its silence.
        pingInterval: PING_MILLIS,
        socket: { connectTimeout: CONNECT_MILLIS, socketTimeout: 3 * PING_MILLIS, reconnectStrategy: RECONNECT_MILLIS }
      })
      // Each failing command reports its own error.
      client.on("error", () => undefined)
      await within(CONNECT_MILLIS, client.connect()).catch(() => undefined)
      return client
    }),
    (client) => Effect.sync(() => client.destroy())
  )

export const RateLimiterStoreRedis = (url: Redacted.Redacted<string>) =>
  Layer.effect(
    RateLimiter.RateLimiterStore,
    Effect.gen(function*() {
      const client = yield* connected(url)
      const alone = memoryCounter()
      let restsUntil = 0

      const away = (one: Try) =>
        Effect.suspend(() => {
          const noticed = performance.now() >= restsUntil
          if (noticed) restsUntil = performance.now() + REST_MILLIS
          const counted = Effect.sync(() => alone(one))
          return noticed
            ? Effect.andThen(Effect.logWarning("Redis is away; this instance counts its rate limits alone"), counted)
            : counted
        })

      return fixedWindows((one) =>
        Effect.suspend(() => {
          if (performance.now() < restsUntil) return away(one)
          return Effect.tryPromise(() => within(ANSWER_MILLIS, client.count(one))).pipe(Effect.catch(() => away(one)))
        })
      )
    })
  )
