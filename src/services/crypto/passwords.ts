/** Passwords under Argon2id (CONTRACT §3), on libuv's threads and never on all of them at once. */
import { readdirSync, readFileSync } from "node:fs"
import { stat } from "node:fs/promises"
import { availableParallelism, getPriority, setPriority } from "node:os"
import argon2 from "argon2"
import { Effect, Layer, Semaphore } from "effect"
import { Passwords } from "../../domain/ports/passwords.ts"

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Stands in where there is no hash: a salt and a result of noughts, nobody's password at everybody's cost. */
const NOBODYS =
  `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`

const LIBUV_THREADS = Number(process.env["UV_THREADPOOL_SIZE"]) || 4

/** How far below the thread that answers: of a busy core it has nine turns in ten. */
export const NICE = 10

/**
 * Whether libuv's threads now give way to the thread that answers, and to the database: Linux lets each thread have a
 * priority of its own (setpriority(2)). Needs them started.
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
 * A hash holds a thread for some 20 ms of pure computing. Files, zlib and name lookups wait for the same threads, so at
 * least half of them stay free. Where hashes give way to nobody, one core stays free too: with 64 sign-ins at once on two
 * cores, others' p99 is 2.0 times its idle figure, where hashing on both by equals made it 3.2 to 3.9 times.
 */
export const atOnce = (cores: number, givesWay: boolean): number =>
  Math.max(1, Math.min(givesWay ? cores : cores - 1, Math.floor(LIBUV_THREADS / 2)))

/** The same text typed on two systems may differ in composition only (RFC 8265 §4.2 compares in NFC). */
const typed = (password: string): string => password.normalize("NFC")

const isOutdated = (hash: string): boolean =>
  !hash.startsWith("$argon2id$") || argon2.needsRehash(hash, PARAMETERS)

export const PasswordsArgon2 = Layer.effect(
  Passwords,
  Effect.gen(function*() {
    // The first work for libuv's threads starts them.
    yield* Effect.promise(() => stat("/"))
    const turns = yield* Semaphore.make(atOnce(availableParallelism(), giveWay()))

    // Waiting can be interrupted, a started hash cannot: its thread is busy until it ends, and so is its turn.
    const inTurn = <A>(compute: () => Promise<A>): Effect.Effect<A> =>
      turns.withPermits(1)(Effect.uninterruptible(Effect.promise(compute)))

    return Passwords.of({
      hash: Effect.fn("PasswordsArgon2.hash")((password: string) => inTurn(() => argon2.hash(typed(password), PARAMETERS))),
      verify: Effect.fn("PasswordsArgon2.verify")(function*(hash: string | null, password: string) {
        const matches = yield* inTurn(() => argon2.verify(hash ?? NOBODYS, typed(password)))
        return hash === null ? { matches: false, outdated: false } : { matches, outdated: isOutdated(hash) }
      })
    })
  })
)
