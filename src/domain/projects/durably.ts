/** A publish runs while its pack is written to disk, and becomes visible once both are done. */
import { Effect } from "effect"
import type { Cause } from "effect"
import type { Unavailable } from "../failures.ts"
import { Outages } from "../ports/outages.ts"
import { Packs } from "../ports/packs.ts"
import { makeQueues } from "../turns.ts"
import { undoing } from "../undoing.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { SlowPack } from "./receiving.ts"
import type { KeptContent } from "./receiving.ts"

/** How long a transaction may wait for its pack. If the pack takes longer, it is awaited without locks, and the transaction runs again. */
const PATIENCE = "100 millis"

export const makeDurably = Effect.gen(function*() {
  const packs = yield* Packs
  const { outageIn } = yield* Outages
  // The publishes of a workspace wait for its lock one after the other: those of this instance do so here, for as long as it takes.
  const turns = yield* makeQueues

  const heldUp = (cause: Cause.Cause<unknown>) => outageIn(cause)?.what === "busy"

  /** If the publish is refused or fails, nothing names the new pack: it is removed at once, not a day later like that of an interrupted publish. */
  return <A, E, R>(workspaceId: WorkspaceId, kept: KeptContent, publish: (kept: KeptContent) => Effect.Effect<A, E | SlowPack, R>) => {
    const { durable, pack } = kept
    const inTurn = (durable: KeptContent["durable"]) => turns(workspaceId)(publish({ ...kept, durable }))
    const patient = Effect.timeoutOrElse(durable, { duration: PATIENCE, orElse: () => new SlowPack() })
    const letGo = pack === null ? Effect.void : Effect.andThen(Effect.exit(durable), Effect.ignore(packs.remove(pack.id)))
    return undoing(letGo, (last) => {
      const again = Effect.andThen(durable, inTurn(last))
      return inTurn(Effect.andThen(patient, last)).pipe(
        Effect.catch((error) => error instanceof SlowPack ? again : Effect.fail(error)),
        // Once more, as all that was sent is here, and the next lock may come in time.
        Effect.catchCauseIf((cause) => heldUp(cause), () => again),
        Effect.catch((error): Effect.Effect<never, E | Unavailable> => error instanceof SlowPack ? Effect.die(error) : Effect.fail(error))
      )
    })
  }
})

export type Durably = Effect.Success<typeof makeDurably>
