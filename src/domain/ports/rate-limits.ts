/** How often something may be tried (SPEC §8, CONTRACT §3). A try is counted before any expensive work. */
import { Context } from "effect"
import type { Duration, Effect } from "effect"
import type { RateLimited } from "../failures.ts"

export interface Limit {
  /** What is limited, such as `login.address`; part of the key. */
  readonly name: string
  readonly limit: number
  readonly window: Duration.Input
}

export class RateLimits extends Context.Service<RateLimits, {
  /** Counts one try of `key` (an address, an email, an id) or fails with the whole seconds to wait. */
  readonly consume: (limit: Limit, key: string) => Effect.Effect<void, RateLimited>
  /** Takes back one try that was not a guess: correct answers do not use up the limit on guesses. */
  readonly giveBack: (limit: Limit, key: string) => Effect.Effect<void>
}>()("svc/domain/ports/RateLimits") {}
