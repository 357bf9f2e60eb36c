/** What is changed is read behind the lock of the workspace that it lies in, wherever that is by then. */
import { assert, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { makeBehindLock } from "../../../src/domain/workspaces/behind-lock.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { WorkspaceStore } from "../../../src/domain/workspaces/store.ts"

const [one, other] = [1, 2].map((n) => WorkspaceId.make(`00000000-0000-7000-8000-00000000000${n}`)) as [WorkspaceId, WorkspaceId]

/** The locks that were taken until this slug was read behind the last of them, where it leads to one workspace after the other. */
const locksFor = Effect.fnUntraced(function*(...leadsTo: ReadonlyArray<WorkspaceId>) {
  const locks: Array<WorkspaceId> = []
  let reads = 0
  const read = Effect.sync(() => leadsTo[Math.min(reads++, leadsTo.length - 1)]!)
  const behindLock = yield* Effect.provideService(makeBehindLock, WorkspaceStore, {
    lock: (id: WorkspaceId) => Effect.sync(() => (locks.push(id), Option.none()))
  } as typeof WorkspaceStore.Service)
  return { found: yield* behindLock(read, (workspace) => workspace), locks }
})

it.effect("locks the workspace in which it is found, another one too where the slug leads there by then", () =>
  Effect.gen(function*() {
    assert.deepStrictEqual(yield* locksFor(one), { found: one, locks: [one] })
    assert.deepStrictEqual(yield* locksFor(one, other), { found: other, locks: [one, other] })
  }))
