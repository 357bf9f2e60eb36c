/** Which workspaces a caller belongs to, and how each stands (SPEC §2, §4; CONTRACT §3, §5). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { UserId } from "../accounts/model.ts"
import { NotFound } from "../failures.ts"
import { Policies } from "../ports/policies.ts"
import type { WorkspaceId } from "./model.ts"
import { billingState, linksDownOn } from "./rules.ts"
import { WorkspaceStore } from "./store.ts"

export class Workspaces extends Context.Service<Workspaces>()("svc/domain/workspaces/Workspaces", {
  make: Effect.gen(function*() {
    const store = yield* WorkspaceStore
    const policies = yield* Policies

    /** Every workspace of a user, each with its standing; the home workspace first. */
    const of = Effect.fn("Workspaces.of")(function*(userId: UserId) {
      const now = yield* DateTime.now
      const memberships = yield* store.memberships(userId)
      return memberships.map((membership) => ({
        ...membership,
        billingState: billingState(membership, policies.trial, now),
        linksDownOn: linksDownOn(membership, policies.trial, now)
      }))
    })

    /** The workspace asked for, or the primary one. A stranger learns nothing: 404. */
    const select = Effect.fn("Workspaces.select")(function*(userId: UserId, id: WorkspaceId | undefined) {
      return yield* among(yield* of(userId), id)
    })

    /** The same choice, for callers that know all of a user's workspaces already. */
    const among = Effect.fn("Workspaces.among")(function*(all: Effect.Success<ReturnType<typeof of>>, id: WorkspaceId | undefined) {
      const selected = id === undefined ? all[0] : all.find((workspace) => workspace.id === id)
      return selected ?? (yield* new NotFound({ message: "There is no such workspace.", field: "workspace" }))
    })

    const usage = Effect.fn("Workspaces.usage")(function*(workspace: { id: WorkspaceId; projectCount: number; storageBytes: number }) {
      const seats = yield* store.seatsTaken(workspace.id, yield* DateTime.now)
      return { projects: workspace.projectCount, storageBytes: workspace.storageBytes, seats }
    })

    return { of, select, among, usage }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
