/** Passwords under Argon2id (CONTRACT §3), hashed on libuv's threads but never on all of them at once. */
import { readdirSync, readFileSync } from "node:fs"
import { stat } from "node:fs/promises"
import { availableParallelism, getPriority, setPriority } from "node:os"
import argon2 from "argon2"
import { Context, Effect, Layer } from "effect"
import type { Duration } from "effect"
import { typed } from "../../domain/accounts/password.ts"
import { Unavailable } from "../../domain/failures.ts"
import { Passwords } from "../../domain/ports/passwords.ts"
import { makeTurns } from "../../domain/turns.ts"

/** What a hash costs, which is much on purpose. Only tests of other things than passwords give less. */
export const HashCost = Context.Reference("svc/services/crypto/HashCost", { defaultValue: () => ({ memoryCost: 19_456, timeCost: 2, parallelism: 1 }) })
type Cost = typeof HashCost.Service

/** Stands in for a missing hash, so that verifying takes as long: a salt and a hash of zeros, which no password matches. */
const nobodys = ({ memoryCost, parallelism, timeCost }: Cost): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`

const LIBUV_THREADS = Number(process.env["UV_THREADPOOL_SIZE"]) || 4

/** How much lower the hashing threads' priority is than the main thread's, which then gets nine tenths of a busy core. */
export const NICE = 10

/**
 * Lowers the priority of libuv's threads below that of the main thread and the database, and answers whether that worked: on
 * Linux each thread has a priority of its own (setpriority(2)). The threads must be running.
 */
const giveWay = (): boolean => {
  try {
    const threads = readdirSync("/proc/self/task").filter((id) => readFileSync(`/proc/self/task/${id}/comm`, "utf8") === "libuv-worker\n")
    for (const id of threads) setPriority(Number(id), Math.min(getPriority() + NICE, 19))
    return threads.length === LIBUV_THREADS
  } catch {
    return false
  }
}

/**
 * A hash keeps a thread computing for some 20 ms. Files, zlib and name lookups wait for the same threads, so at least half of
 * them stay free. Where priorities cannot be lowered, one core stays free too: with 64 sign-ins at once on two cores, the p99
 * of other requests is then 2.0 times its idle figure, against 3.2 to 3.9 times with equal hashing on both.
 */
export const atOnce = (cores: number, givesWay: boolean): number =>
  Math.max(1, Math.min(givesWay ? cores : cores - 1, Math.floor(LIBUV_THREADS / 2)))

/** Longer than forty a second and core leave anybody waiting, unless thousands of networks send passwords to keep others out. */
export const HashPatience = Context.Reference<Duration.Input>("svc/services/crypto/HashPatience", { defaultValue: () => "15 seconds" })

const crowded = () => new Unavailable({ message: "Very many people are signing in right now. Try again in a moment." })

const isOutdated = (hash: string, cost: Cost): boolean =>
  !hash.startsWith("$argon2id$") || argon2.needsRehash(hash, cost)

export const PasswordsArgon2 = Layer.effect(
  Passwords,
  Effect.gen(function*() {
    // Gives libuv's threads their first work, which starts them.
    yield* Effect.promise(() => stat("/"))
    const patience = yield* HashPatience
    const cost = yield* HashCost
    const most = atOnce(availableParallelism(), giveWay())
    const { turn } = makeTurns(most, most)

    // Waiting can be interrupted, a running hash cannot: it keeps its thread, and so its turn, until it ends.
    const inTurn = <A>(of: string, compute: () => Promise<A>): Effect.Effect<A, Unavailable> =>
      Effect.scoped(Effect.andThen(
        Effect.timeoutOrElse(turn({ of, awaited: true }), { duration: patience, orElse: () => Effect.fail(crowded()) }),
        Effect.uninterruptible(Effect.promise(compute))
      ))

    return Passwords.of({
      hash: Effect.fn("PasswordsArgon2.hash")((password: string, of: string) => inTurn(of, () => argon2.hash(typed(password), cost))),
      verify: Effect.fn("PasswordsArgon2.verify")(function*(hash: string | null, password: string, of: string) {
        const matches = yield* inTurn(of, () => argon2.verify(hash ?? nobodys(cost), typed(password)))
        return hash === null ? { matches: false, outdated: false } : { matches, outdated: isOutdated(hash, cost) }
      })
    })
  })
)
