/** Reading what is about to be changed behind the lock of the workspace that it lies in, so that nothing of it changes meanwhile. */
import { Effect } from "effect"
import type { WorkspaceId } from "./model.ts"
import { WorkspaceStore } from "./store.ts"

/** Reads to learn the workspace, locks it, and reads again: what the first reading found may have changed since. */
export const makeBehindLock = WorkspaceStore.useSync(({ lock }) =>
  <A, E, R>(read: Effect.Effect<A, E, R>, workspaceOf: (found: A) => WorkspaceId): Effect.Effect<A, E, R> => {
    const held = (before: A): Effect.Effect<A, E, R> =>
      Effect.andThen(lock(workspaceOf(before)), read).pipe(
        // A slug may lead to another workspace by now: its lock is needed then.
        Effect.flatMap((found) => workspaceOf(found) === workspaceOf(before) ? Effect.succeed(found) : held(found))
      )
    return Effect.flatMap(read, held)
  })
