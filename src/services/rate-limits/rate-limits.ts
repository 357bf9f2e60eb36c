/** Rate limits over the library's limiter and whichever store is given (CONTRACT §1, §2, §3). */
import { createHash } from "node:crypto"
import { Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { RateLimited } from "../../domain/failures.ts"
import { RateLimits } from "../../domain/ports/rate-limits.ts"

const tooMany = (retryAfter: Duration.Duration): RateLimited =>
  new RateLimited({
    message: "Too many tries. Wait a little, then try again.",
    details: { retry_after_seconds: Math.max(1, Math.ceil(Duration.toSeconds(retryAfter))) }
  })

/** Keys contain IP and email addresses, so they are hashed: no store, error or trace shows them. */
const storedKey = (name: string, key: string): string =>
  createHash("sha256").update(JSON.stringify([name, key])).digest("base64url")

export const RateLimitsEffect = Layer.effect(
  RateLimits,
  Effect.gen(function*() {
    const limiter = yield* RateLimiter.RateLimiter
    return RateLimits.of({
      consume: ({ limit, name, window }, key) =>
        limiter.consume({
          key: storedKey(name, key),
          limit,
          window,
          algorithm: "fixed-window",
          onExceeded: "fail"
        }).pipe(
          Effect.asVoid,
          Effect.catch(({ reason }) =>
            reason._tag === "RateLimitExceeded" ? Effect.fail(tooMany(reason.retryAfter)) : Effect.die(reason)
          ),
          Effect.withSpan("RateLimitsEffect.consume", { attributes: { limit: name } })
        ),
      giveBack: ({ limit, name, window }, key) =>
        limiter.consume({ key: storedKey(name, key), limit, window, tokens: -1, algorithm: "fixed-window", onExceeded: "fail" }).pipe(
          Effect.orDie,
          Effect.asVoid,
          Effect.withSpan("RateLimitsEffect.giveBack", { attributes: { limit: name } })
        )
    })
  })
).pipe(Layer.provide(RateLimiter.layer))
