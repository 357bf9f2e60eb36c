/** An account with a proven address and a workspace of its own, made beneath the programs; it has no password. */
import { DateTime, Effect, Option } from "effect"
import { UserId } from "../../src/domain/accounts/model.ts"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import { Tokens } from "../../src/domain/ports/tokens.ts"
import { WorkspaceId } from "../../src/domain/workspaces/model.ts"
import type { Plan } from "../../src/domain/workspaces/model.ts"

export const somebody = Effect.fnUntraced(function*({ plan = "starter", trialDays = 0 }: { readonly plan?: Plan; readonly trialDays?: number } = {}) {
  const store = yield* AccountStore
  const tokens = yield* Tokens
  const now = yield* DateTime.now
  const id = UserId.make(yield* tokens.uuid)
  const home = { id: WorkspaceId.make(yield* tokens.uuid), name: "Home", plan, trialEndsAt: DateTime.add(now, { days: trialDays }) }
  yield* store.create({ id, email: `${id}@example.com`, name: "Ada", passwordHash: "none", home }, now)
  yield* store.verifyEmail(id, now)
  return Option.getOrThrow(yield* store.find(id))
})
