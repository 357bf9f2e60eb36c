/** The audit log (CONTRACT §5): written by the program that does a thing, in its transaction; read by admins. */
import { Context, DateTime, Effect, Layer } from "effect"
import { pageOf } from "../pages.ts"
import type { Page } from "../pages.ts"
import { Tokens } from "../ports/tokens.ts"
import type { Administered } from "../workspaces/model.ts"
import { EntryId } from "./model.ts"
import type { Deed } from "./model.ts"
import { AuditStore } from "./store.ts"

export class Audit extends Context.Service<Audit>()("svc/domain/audit/Audit", {
  make: Effect.gen(function*() {
    const store = yield* AuditStore
    const tokens = yield* Tokens

    const write = Effect.fn("Audit.write")(function*(deed: Deed, now: DateTime.Utc) {
      yield* store.add(EntryId.make(yield* tokens.uuid), { target: { type: "workspace", id: deed.workspaceId }, ...deed }, now)
    })

    const list = Effect.fn("Audit.list")(function*({ user, workspaceId }: Administered, { after, limit }: Page) {
      const { nextCursor, page } = pageOf(yield* store.list(workspaceId, user.id, { after, limit: limit + 1 }), limit)
      return { entries: page, nextCursor }
    })

    return { write, list }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
