/**
 * Turns for slow work that only a few may do at once: one at a time for each workspace or person, and all of them in rotation,
 * so that one with many or long claims does not hold up the others.
 */
import { Effect, RcMap, Scope, Semaphore } from "effect"
import type { WorkspaceId } from "./workspaces/model.ts"

export interface Claim {
  readonly workspaceId: WorkspaceId
  /** Whether somebody waits for the result. May become true while the claim is still waiting. */
  awaited: boolean
}

/** Awaited work goes before work done ahead; a workspace that has a turn gets no second one. */
export const nextOf = (waiting: ReadonlyArray<Claim>, busy: ReadonlySet<WorkspaceId>): Claim | undefined => {
  const free = waiting.filter(({ workspaceId }) => !busy.has(workspaceId))
  return free.find(({ awaited }) => awaited) ?? free[0]
}

/** The claims that wait once `next` has its turn: the other claims of its workspace go behind all the rest. */
export const after = (next: Claim, waiting: ReadonlyArray<Claim>): ReadonlyArray<Claim> => {
  const own = ({ workspaceId }: Claim) => workspaceId === next.workspaceId
  return [...waiting.filter((claim) => !own(claim)), ...waiting.filter((claim) => own(claim) && claim !== next)]
}

export const makeTurns = (atOnce: number) => {
  const busy = new Set<WorkspaceId>()
  const called = new Map<Claim, () => void>()
  let waiting: ReadonlyArray<Claim> = []

  const call = (): void => {
    for (let next = nextOf(waiting, busy); next !== undefined && busy.size < atOnce; next = nextOf(waiting, busy)) {
      waiting = after(next, waiting)
      busy.add(next.workspaceId)
      called.get(next)!()
    }
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
      else busy.delete(claim.workspaceId)
      call()
    })

  return {
    inTurn: <A, E, R>(claim: Claim, program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.ensuring(Effect.andThen(turn(claim), program), over(claim))
  }
}

/** One at a time for each key, in the order in which they came. A key that nobody waits for takes no memory. */
export const makeQueues = Effect.map(RcMap.make({ lookup: (_key: string) => Semaphore.make(1) }), (queues) =>
  (key: string) => <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.scopedWith((scope) =>
      Effect.flatMap(Effect.provideService(RcMap.get(queues, key), Scope.Scope, scope), (queue) => queue.withPermits(1)(program))))
