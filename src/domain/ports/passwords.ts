/** Password hashing, off the event loop and bounded (CONTRACT §3: argon2id, 19 MiB, t=2, p=1). */
import { Context } from "effect"
import type { Effect } from "effect"

export class Passwords extends Context.Service<Passwords, {
  /** A PHC string. */
  readonly hash: (password: string) => Effect.Effect<string>
  /**
   * Whether `password` matches. Without a hash (unknown address, account without a password) it does the same work
   * and answers no, so that timing reveals nothing. `outdated`: the hash was made with other parameters.
   */
  readonly verify: (
    hash: string | null,
    password: string
  ) => Effect.Effect<{ readonly matches: boolean; readonly outdated: boolean }>
}>()("svc/domain/ports/Passwords") {}
