/**
 * Turns at what takes long, and only a few can do at once: one at a time for each workspace, and the workspaces one after
 * the other, so that however many one of them wants, and however long they take, all others go on.
 */
import { Effect } from "effect"
import type { WorkspaceId } from "./workspaces/model.ts"

export interface Claim {
  readonly workspaceId: WorkspaceId
  /** Whether somebody waits for what it is for. May come true while it waits itself. */
  awaited: boolean
}

/** What somebody waits for goes before what is done ahead; nothing of a workspace that has a turn. */
export const nextOf = (waiting: ReadonlyArray<Claim>, busy: ReadonlySet<WorkspaceId>): Claim | undefined => {
  const free = waiting.filter(({ workspaceId }) => !busy.has(workspaceId))
  return free.find(({ awaited }) => awaited) ?? free[0]
}

/** Who waits from then on: its workspace's others behind all the rest. */
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
      // Who was cut off while it waited had none.
      if (waiting.includes(claim)) waiting = waiting.filter((one) => one !== claim)
      else busy.delete(claim.workspaceId)
      call()
    })

  return {
    inTurn: <A, E, R>(claim: Claim, program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.ensuring(Effect.andThen(turn(claim), program), over(claim))
  }
}
