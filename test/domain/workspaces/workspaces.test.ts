/** A second workspace beside one's first, where nobody can publish without paying. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { Erasure } from "../../../src/domain/erasure/erasure.ts"
import { Passwords } from "../../../src/domain/ports/passwords.ts"
import { Tokens } from "../../../src/domain/ports/tokens.ts"
import { Publishing } from "../../../src/domain/projects/publishing.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { Workspaces } from "../../../src/domain/workspaces/workspaces.ts"
import { houseWith } from "../../support/house.ts"

const PASSWORD = "correct horse battery staple"

layer(houseWith({ SVC_TRIAL: "enforced" }))("workspaces", (it) => {
  it.effect("a second one has no trial and publishes nothing until its first charge; the home's trial goes on", () =>
    Effect.gen(function*() {
      const accounts = yield* AccountStore
      const tokens = yield* Tokens
      const now = yield* DateTime.now
      const id = UserId.make(yield* tokens.uuid)
      const home = { id: WorkspaceId.make(yield* tokens.uuid), name: "Home", plan: "studio", trialEndsAt: DateTime.add(now, { days: 7 }) } as const
      yield* accounts.create({ id, email: "ada@example.com", name: "Ada", passwordHash: yield* (yield* Passwords).hash(PASSWORD, "test"), home }, now)
      yield* accounts.verifyEmail(id, now)
      const user = Option.getOrThrow(yield* accounts.find(id))
      const workspaces = yield* Workspaces
      const publishing = yield* Publishing
      const made = yield* workspaces.create(user, "Second")
      assert.deepInclude(made, { plan: "starter", trialEndsAt: null, billingState: "lapsed", linksDownOn: null })

      const publish = (slug: string, workspace: WorkspaceId) => {
        const bytes = { async *[Symbol.asyncIterator]() { yield new TextEncoder().encode("words") } }
        return publishing.put(user, slug, { path: undefined, contentType: "text/plain", length: undefined, bytes }, { workspace })
      }
      assert.strictEqual((yield* Effect.flip(publish("unpaid", made.id)))._tag, "payment_required")
      assert.isTrue((yield* publish("on-trial", home.id)).created)
      yield* SqlClient.SqlClient.use((sql) => Effect.orDie(sql`
        UPDATE workspaces SET needs_charge = false, subscription_status = 'active' WHERE id = ${made.id}`))
      assert.strictEqual((yield* workspaces.get(user, made.id)).billingState, "active")
      assert.isTrue((yield* publish("unpaid", made.id)).created)

      // The request was let in just before the account was deleted, and runs just after.
      yield* Erasure.use((erasure) => erasure.deleteAccount(user, PASSWORD))
      assert.strictEqual((yield* Effect.flip(workspaces.create(user, "Third")))._tag, "auth_required")
    }))
})
