/**
 * Password hashing, off the event loop and bounded (CONTRACT §3: argon2id, 19 MiB, t=2, p=1). Only a few are hashed at once; turns go
 * round among those that `of` names: the id of whoever is signed in, or else the network that asks. Unavailable where the turn takes
 * too long to come.
 */
import { Context } from "effect"
import type { Effect } from "effect"
import type { Unavailable } from "../failures.ts"

export class Passwords extends Context.Service<Passwords, {
  /** A PHC string. */
  readonly hash: (password: string, of: string) => Effect.Effect<string, Unavailable>
  /**
   * Whether `password` matches. Without a hash (unknown address, account without a password) it does the same work
   * and answers no, so that timing reveals nothing. `outdated`: the hash was made with other parameters.
   */
  readonly verify: (
    hash: string | null,
    password: string,
    of: string
  ) => Effect.Effect<{ readonly matches: boolean; readonly outdated: boolean }, Unavailable>
}>()("svc/domain/ports/Passwords") {}
