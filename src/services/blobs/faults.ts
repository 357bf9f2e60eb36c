/** Turns failures of disks and networks into what a client may know of them; the cause goes to the log. */
import { Effect } from "effect"
import { noRoom, Unavailable } from "../../domain/failures.ts"
import { reasonOf } from "../innermost.ts"

/** Before the disk is full, since more than this lies on it. */
export class NearlyFull extends Error {
  override readonly message = "the disk is nearly full"
}

const isFull = (cause: unknown): boolean => cause instanceof NearlyFull || cause instanceof Error && "code" in cause && (cause.code === "ENOSPC" || cause.code === "EDQUOT")

/** A slip in the program is told with where it happened; what a disk, a socket or a bucket says is told in its words. */
const SLIPS = [TypeError, RangeError, ReferenceError]

const told = (doing: string, cause: unknown) => {
  const words = `Blob store: cannot ${doing}`
  if (!(cause instanceof Error) || SLIPS.some((slip) => cause instanceof slip)) return Effect.logError(words, cause)
  // All that a bucket says where its answer has no body.
  const { $metadata: { httpStatusCode: status } = {} } = cause as { $metadata?: { httpStatusCode?: number } }
  return Effect.annotateLogs(Effect.logError(words), { why: `${cause.name}: ${reasonOf(cause)}`, ...(status !== undefined && { status }) })
}

/** Paths and keys stay in the log, since the failure itself reaches clients. */
export const unavailable = (doing: string, cause: unknown): Effect.Effect<never, Unavailable> =>
  told(doing, cause).pipe(
    Effect.andThen(Effect.fail(isFull(cause) ? noRoom() : new Unavailable({ message: "Storage cannot be reached right now. Try again in a moment." })))
  )

/** Runs I/O; every failure of it means that storage is unavailable. */
export const io = <A>(doing: string, run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, Unavailable> =>
  Effect.catch(
    Effect.tryPromise({ try: (signal) => run(signal), catch: (cause) => cause }),
    (cause) => unavailable(doing, cause)
  )

/** Of a pack that has lost its end, wherever it lies. */
export const tooShort = (): Error => new Error("a pack is shorter than what is read from it")

/** Whether an error came from the operating system, not from what was read. */
export const isSystemError = (error: unknown): boolean => error instanceof Error && "syscall" in error
