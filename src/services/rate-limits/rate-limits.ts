/** Rate limits over the library's limiter and whichever store is given (CONTRACT §1, §2, §3). */
import { hash } from "node:crypto"
import { Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import type { RateLimited } from "../../domain/failures.ts"
import { tooManyTries } from "../../domain/failures.ts"
import { RateLimits } from "../../domain/ports/rate-limits.ts"
import type { Limit } from "../../domain/ports/rate-limits.ts"

const tooMany = (retryAfter: Duration.Duration): RateLimited => tooManyTries(Math.max(1, Math.ceil(Duration.toSeconds(retryAfter))))

/** Keys contain IP and email addresses, so they are hashed: no store, error or trace shows them. */
const storedKey = (name: string, key: string): string => hash("sha256", JSON.stringify([name, key]), "base64url")

export const RateLimitsEffect = Layer.effect(
  RateLimits,
  Effect.gen(function*() {
    const limiter = yield* RateLimiter.RateLimiter
    const count = ({ limit, name, window }: Limit, key: string, tokens: number) =>
      limiter.consume({ key: storedKey(name, key), limit, window, tokens, algorithm: "fixed-window", onExceeded: "fail" })

    return RateLimits.of({
      consume: (limit, key) =>
        count(limit, key, 1).pipe(
          Effect.asVoid,
          Effect.catch(({ reason }) =>
            reason._tag === "RateLimitExceeded" ? Effect.fail(tooMany(reason.retryAfter)) : Effect.die(reason)
          ),
          Effect.withSpan("RateLimitsEffect.consume", { attributes: { limit: limit.name } })
        ),
      giveBack: (limit, key) =>
        count(limit, key, -1).pipe(
          Effect.orDie,
          Effect.asVoid,
          Effect.withSpan("RateLimitsEffect.giveBack", { attributes: { limit: limit.name } })
        )
    })
  })
).pipe(Layer.provide(RateLimiter.layer))
