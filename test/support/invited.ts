/** Invites made beneath the API, for tests of what follows from them. */
import { DateTime, Effect } from "effect"
import { InviteId } from "../../src/domain/invites/model.ts"
import type { Invite } from "../../src/domain/invites/model.ts"
import { LIFETIME } from "../../src/domain/invites/rules.ts"
import { InviteStore } from "../../src/domain/invites/store.ts"
import { Tokens } from "../../src/domain/ports/tokens.ts"
import { Service } from "./service.ts"
import type { Account } from "./service.ts"

type Options = Partial<Pick<Invite, "role" | "grantsOwnership">> & { readonly daysAgo?: number }

/** The raw token of the invite's link. */
export const invited = (host: Account, email: string, { daysAgo = 0, grantsOwnership = false, role = "member" }: Options = {}) =>
  Service.use(({ inside }) =>
    inside(Effect.gen(function*() {
      const tokens = yield* Tokens
      const createdAt = DateTime.subtract(yield* DateTime.now, { days: daysAgo })
      const { hash, raw } = yield* tokens.mint()
      yield* (yield* InviteStore).add({
        id: InviteId.make(yield* tokens.uuid),
        workspaceId: host.workspaceId,
        email,
        role,
        grantsOwnership,
        invitedBy: host.id,
        createdAt,
        expiresAt: DateTime.add(createdAt, LIFETIME),
        acceptedAt: null
      }, hash)
      return raw
    })))
