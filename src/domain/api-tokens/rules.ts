/** How many API tokens an account may have (SPEC §4.3). */
import { Result } from "effect"
import { Conflict } from "../failures.ts"

/** Of its own making, not counting revoked ones; and as many again for devices that signed in. */
export const MAX_TOKENS = 100

export const room = (tokens: number): Result.Result<void, Conflict> =>
  tokens < MAX_TOKENS
    ? Result.succeed(undefined)
    : Result.fail(new Conflict({ message: `An account holds ${MAX_TOKENS} API tokens. Revoke one that is no longer needed.` }))
