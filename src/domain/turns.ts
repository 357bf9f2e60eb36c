/**
 * Turns for work that only a few may do at once: one or a few at a time for each workspace or person, and all of them in rotation,
 * so that one with many or long claims does not hold up the others.
 */
import { Effect, RcMap, Scope, Semaphore } from "effect"

export interface Claim {
  /** Whose it is: the id of a workspace or a person. */
  readonly of: string
  /** Whether somebody waits for the result. May become true while the claim is still waiting. */
  awaited: boolean
}

/** Awaited work goes before work done ahead; who is busy gets no further turn. */
export const nextOf = (waiting: ReadonlyArray<Claim>, busy: { readonly has: (of: string) => boolean }): Claim | undefined => {
  const isFree = ({ of }: Claim) => !busy.has(of)
  return waiting.find((claim) => claim.awaited && isFree(claim)) ?? waiting.find(isFree)
}

/** The claims that wait once `next` has its turn: the other claims of whose it is go behind all the rest. */
export const after = (next: Claim, waiting: ReadonlyArray<Claim>): ReadonlyArray<Claim> => {
  const own = ({ of }: Claim) => of === next.of
  return [...waiting.filter((claim) => !own(claim)), ...waiting.filter((claim) => own(claim) && claim !== next)]
}

/** `each`: how many turns one workspace or person may have at once. */
export const makeTurns = (atOnce: number, each = 1) => {
  const held = new Map<string, number>()
  const busy = { has: (of: string) => held.get(of) === each }
  const called = new Map<Claim, () => void>()
  let waiting: ReadonlyArray<Claim> = []
  let under = 0

  const call = (): void => {
    while (under < atOnce) {
      const next = nextOf(waiting, busy)
      if (next === undefined) return
      waiting = after(next, waiting)
      under++
      held.set(next.of, (held.get(next.of) ?? 0) + 1)
      called.get(next)!()
    }
  }

  const end = ({ of }: Claim): void => {
    under--
    const left = held.get(of)! - 1
    if (left === 0) held.delete(of)
    else held.set(of, left)
  }

  const turn = (claim: Claim) =>
    Effect.callback<void>((resume) => {
      waiting = [...waiting, claim]
      called.set(claim, () => resume(Effect.void))
      call()
    })

  const over = (claim: Claim) =>
    Effect.sync(() => {
      if (!called.delete(claim)) return
      // A claim that was interrupted while it waited had no turn to give up.
      if (waiting.includes(claim)) waiting = waiting.filter((one) => one !== claim)
      else end(claim)
      call()
    })

  return {
    /** Waits for a turn and holds it until the scope ends. */
    turn: (claim: Claim) => Effect.andThen(Effect.addFinalizer(() => over(claim)), turn(claim)),
    inTurn: <A, E, R>(claim: Claim, program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.ensuring(Effect.andThen(turn(claim), program), over(claim))
  }
}

/** One at a time for each key, in the order in which they came. A key that nobody waits for takes no memory. */
export const makeQueues = Effect.map(RcMap.make({ lookup: (_key: string) => Semaphore.make(1) }), (queues) =>
  (key: string) => <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.scopedWith((scope) =>
      Effect.flatMap(Effect.provideService(RcMap.get(queues, key), Scope.Scope, scope), (queue) => queue.withPermits(1)(program))))
