/**
 * Large broadcasts go out in turns: a limited number of bytes, then everything else in this process, then the next turn.
 * Copying one large event into hundreds of sockets at once would hold up the pages of every other project.
 */
import { Effect } from "effect"

const TURN = { bytes: 1024 * 1024, ms: 5 }

interface Waiting {
  readonly bytes: number
  readonly go: () => void
}

export const makeSendingTurns = () => {
  const waiting = new Set<Waiting>()
  let spent = 0
  let timer: NodeJS.Timeout | undefined

  const spend = (bytes: number): void => {
    spent += bytes
    timer ??= setTimeout(next, TURN.ms).unref()
  }

  const next = (): void => {
    timer = undefined
    spent = 0
    for (const one of waiting) {
      if (spent >= TURN.bytes) return
      waiting.delete(one)
      spend(one.bytes)
      one.go()
    }
  }

  /** Completes once that many bytes may be sent; false where it had to wait. */
  return (bytes: number): Effect.Effect<boolean> =>
    Effect.callback((resume) => {
      if (waiting.size === 0 && spent < TURN.bytes) {
        spend(bytes)
        return resume(Effect.succeed(true))
      }
      const one = { bytes, go: () => resume(Effect.succeed(false)) }
      waiting.add(one)
      return Effect.sync(() => waiting.delete(one))
    })
}
