/**
 * Rate limits that all instances share through Redis, exact under concurrency: one try is one script on one key.
 *
 * With Redis away, or refusing, each instance counts on its own. Refusing everybody would turn a lost cache into an outage, and
 * letting everybody through would open the door to guessing at the worst moment; a limit times the number of
 * instances for as long as it lasts is neither.
 */
import { Effect, Layer, Metric, Redacted } from "effect"
import { RateLimiter } from "effect/persistence"
import { ClientOfflineError, createClient, defineScript, ErrorReply } from "redis"
import type { CommandParser } from "redis"
import { StartRefused } from "../start-refused.ts"
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

/** By the clock of Redis. */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window, tokens, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local held = redis.call('HMGET', KEYS[1], 'count', 'ends')
local count, ends = tonumber(held[1]), tonumber(held[2])
if not ends or ends <= now then
  count, ends = 0, now + window
end
ends = math.min(ends, now + window)
local after = math.max(0, count + tokens)
if not limit or after <= limit then count = after end
redis.call('HSET', KEYS[1], 'count', string.format('%.0f', count), 'ends', string.format('%.0f', ends))
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ends - now))
return { after, ends - now }`

const count = defineScript({
  SCRIPT,
  NUMBER_OF_KEYS: 1,
  parseCommand: (parser: CommandParser, { key, limit, tokens, windowMillis }: Try) => {
    parser.pushKey(PREFIX + key)
    parser.push(String(windowMillis), String(tokens), limit === undefined ? "none" : String(limit))
  },
  transformReply: ([count, leftMillis]: [number, number]): Counted => ({ count, leftMillis })
})

const within = <A>(millis: number, answer: Promise<A>): Promise<A> => {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error(`No answer within ${millis} ms`), { code: "ETIMEDOUT" })), millis)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/**
 * Redis's word for why it refuses (OOM, READONLY, WRONGPASS), or the code of a connection's error. Neither holds data. ERR alone says
 * nothing: what follows does, up to the first sign, behind which it may quote what was sent.
 */
const whyOf = (error: unknown): string => {
  if (error instanceof ErrorReply) return /^(?:ERR [A-Za-z ]*[A-Za-z]|[A-Z]+)/.exec(error.message)?.[0] ?? "ERR"
  const { code, constructor } = error as NodeJS.ErrnoException
  return code ?? constructor.name
}

/** It will not let us in until somebody corrects the address. */
const LOCKED_OUT = /^(?:WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password)\b/

/** Nor does it have another database the next time. */
const NO_SUCH_DATABASE = /^ERR (?:DB index is out of range|SELECT is not allowed in cluster mode)\b/

/** Keeps trying to connect while the scope lives; each command finds out for itself whether it worked. */
const connected = Effect.fnUntraced(function*(url: Redacted.Redacted<string>) {
  /** What the connection has last suffered from; a command that finds none says only that there is none. */
  let trouble: unknown
  const { client, first } = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const client = createClient({
        url: Redacted.value(url),
        scripts: { count },
        disableOfflineQueue: true,
        // A peer that vanished without closing is noticed by its silence.
        pingInterval: PING_MILLIS,
        socket: { connectTimeout: CONNECT_MILLIS, socketTimeout: 3 * PING_MILLIS, reconnectStrategy: RECONNECT_MILLIS }
      })
      const answered = new Promise<unknown>((resolve) => {
        client.on("error", (error) => resolve(trouble = error)).on("ready", () => (trouble = undefined))
        // One that wants a password tells so only at a command.
        client.connect().then(() => client.ping()).then(() => resolve(undefined), resolve)
      })
      return { client, first: await within(CONNECT_MILLIS, answered).catch((late: unknown) => late) }
    }),
    ({ client }) => Effect.sync(() => client.destroy())
  )
  if (first instanceof ErrorReply && LOCKED_OUT.test(first.message)) {
    return yield* new StartRefused({ message: `SVC_REDIS_URL names a Redis that does not let this user in (${whyOf(first)}); correct the user name and password in it.` })
  }
  if (first instanceof ErrorReply && NO_SUCH_DATABASE.test(first.message)) {
    return yield* new StartRefused({ message: "SVC_REDIS_URL ends in the number of a database that this Redis does not have; leave the number out." })
  }
  return { client, first, why: (error: unknown) => whyOf(error instanceof ClientOfflineError ? trouble ?? error : error) }
})

const countedAlone = Metric.counter("svc_limits_alone_total", { description: "Tries of limited actions that this instance counted alone, without Redis", incremental: true })

export const RateLimiterStoreRedis = (url: Redacted.Redacted<string>) =>
  Layer.effect(
    RateLimiter.RateLimiterStore,
    Effect.gen(function*() {
      const { client, first, why } = yield* connected(url)
      const alone = memoryCounter()
      let restsUntil = 0

      const tell = (error: unknown) => Effect.annotateLogs(Effect.logWarning("Redis is away or refuses; this instance counts its rate limits alone"), { why: why(error) })

      const noticed = (error: unknown) =>
        Effect.suspend(() => {
          if (performance.now() < restsUntil) return Effect.void
          restsUntil = performance.now() + REST_MILLIS
          return tell(error)
        })

      const away = (one: Try) => Effect.andThen(Metric.update(countedAlone, 1), alone(one))

      yield* Metric.update(countedAlone, 0)
      if (first !== undefined) yield* tell(first)

      return fixedWindows((one) =>
        Effect.suspend(() => {
          if (performance.now() < restsUntil) return away(one)
          return Effect.tryPromise({ try: () => within(ANSWER_MILLIS, client.count(one)), catch: (error) => error }).pipe(
            Effect.catch((error) => Effect.andThen(noticed(error), away(one)))
          )
        })
      )
    })
  )
