/** Notes each lapse in the workspace's audit log once, whichever instance sees it first (CONTRACT §6). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Audit } from "../audit/audit.ts"
import { eachOnce } from "../batches.ts"
import { Atomically } from "../ports/atomically.ts"
import { Policies } from "../ports/policies.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { billingState, mayPublish } from "../workspaces/rules.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import { LapseStore } from "./store.ts"

const BATCH = 200

export class Lapses extends Context.Service<Lapses>()("svc/domain/billing/Lapses", {
  make: Effect.gen(function*() {
    const store = yield* LapseStore
    const workspaces = yield* WorkspaceStore
    const policies = yield* Policies
    const audit = yield* Audit
    const { atomically } = yield* Atomically

    /** Decided again under the lock: a workspace that paid a moment ago has not lapsed. */
    const note = Effect.fn("Lapses.note")(
      function*(workspaceId: WorkspaceId, now: DateTime.Utc) {
        const workspace = Option.getOrUndefined(yield* workspaces.lock(workspaceId))
        if (workspace === undefined || !(yield* store.claim(workspaceId, now))) return 0
        if (mayPublish(billingState(workspace, policies.trial, now))) return 0
        yield* audit.write({ workspaceId, actor: null, action: "workspace.lapsed" }, now)
        return 1
      },
      atomically
    )

    /** Answers how many lapses were noted. */
    const noteAll = Effect.fn("Lapses.noteAll")(function*() {
      if (policies.trial === "open") return 0
      const now = yield* DateTime.now
      return yield* eachOnce(BATCH, {
        waiting: (limit) => store.ended(now, limit),
        nameOf: (id) => id,
        handle: (id) => note(id, now),
        failure: "a lapse was not noted"
      })
    })

    return { noteAll }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
