/** The invite's life, to the millisecond. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { InviteId, stateOf } from "../../../src/domain/invites/model.ts"
import type { Invite } from "../../../src/domain/invites/model.ts"
import { accept, create, handle, membership } from "../../../src/domain/invites/rules.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"

const made = DateTime.makeUnsafe("2026-03-10T12:00:00.000Z")
const lastMoment = DateTime.makeUnsafe("2026-03-17T11:59:59.999Z")
const over = DateTime.makeUnsafe("2026-03-17T12:00:00.000Z")

const ada = UserId.make("01890a5d-ac96-774b-bcce-b302099a8057")
const bob = UserId.make("01890a5d-ac96-774b-bcce-b302099a8058")

const draft = {
  id: InviteId.make("01890a5d-ac96-774b-bcce-b302099a8059"),
  workspaceId: WorkspaceId.make("01890a5d-ac96-774b-bcce-b302099a8060"),
  email: "guest@example.com",
  role: "member" as const,
  grantsOwnership: false,
  invitedBy: ada
}

const room = { cap: 5, taken: 1 }
const unknown = { member: undefined, live: undefined }
const held = (live: Invite) => ({ member: undefined, live })
const invite = Result.getOrThrow(create(draft, unknown, room, made))
const accepted: Invite = { ...invite, acceptedAt: made }

const visits = (id: UserId) => ({ user: { id } })

const codeOf = <A>(verdict: Result.Result<A, { readonly _tag: string }>) => Result.isFailure(verdict) ? verdict.failure._tag : "ok"

describe("an invite", () => {
  it("works for seven days less a millisecond, once", () => {
    assert.strictEqual(stateOf(invite, made), "pending")
    assert.strictEqual(stateOf(invite, lastMoment), "pending")
    assert.strictEqual(stateOf(invite, over), "expired")
    assert.strictEqual(stateOf(accepted, lastMoment), "accepted")
    assert.strictEqual(stateOf(accepted, over), "accepted")
  })

  it("needs a seat, and a re-invite gives back the one it replaces while that one holds it", () => {
    const full = { cap: 5, taken: 5 }
    assert.strictEqual(codeOf(create(draft, unknown, { cap: 5, taken: 4 }, made)), "ok")
    assert.strictEqual(codeOf(create(draft, unknown, full, made)), "quota_exceeded")
    assert.strictEqual(codeOf(create(draft, held(invite), full, lastMoment)), "ok")
    assert.strictEqual(codeOf(create(draft, held(invite), full, over)), "quota_exceeded")
    // A smaller plan since: what is pending stays, and so does what takes its place.
    assert.strictEqual(codeOf(create(draft, held(invite), { cap: 1, taken: 6 }, lastMoment)), "ok")
    assert.strictEqual(codeOf(create(draft, held(invite), { cap: 1, taken: 6 }, over)), "quota_exceeded")
  })

  it("is not for members, and a full plan says what is full", () => {
    assert.strictEqual(codeOf(create(draft, { member: { isOwner: false }, live: undefined }, { cap: 1, taken: 1 }, made)), "validation_error")
    const full = create(draft, unknown, { cap: 1, taken: 1, planPage: "https://app.example/plan" }, made)
    assert.deepInclude(Result.isFailure(full) ? full.failure : undefined, { field: "members", details: { limit: 1, billing_url: "https://app.example/plan" } })
  })

  it("is sent again and cancelled until it is accepted, never where it makes an owner", () => {
    assert.strictEqual(codeOf(handle(invite)), "ok")
    for (const none of [undefined, accepted, { ...invite, grantsOwnership: true }]) assert.strictEqual(codeOf(handle(none)), "not_found")
  })

  it("is in the way of another while it would make an owner", () => {
    const owner: Invite = { ...invite, grantsOwnership: true }
    assert.strictEqual(codeOf(create(draft, held(owner), room, lastMoment)), "conflict")
    assert.strictEqual(codeOf(create(draft, held(owner), room, over)), "ok")
  })

  it("that makes an owner needs no free seat, and is for members too, unless they own it", () => {
    const heir = { ...draft, role: "admin" as const, grantsOwnership: true }
    const full = { cap: 5, taken: 5 }
    assert.strictEqual(codeOf(create(heir, { member: { isOwner: false }, live: undefined }, full, made)), "ok")
    assert.strictEqual(codeOf(create(heir, { member: { isOwner: true }, live: undefined }, room, made)), "validation_error")
    assert.strictEqual(codeOf(create(heir, unknown, { cap: 1, taken: 1 }, made)), "ok")
    const outstanding: Invite = { ...invite, grantsOwnership: true }
    assert.strictEqual(codeOf(create(heir, { member: { isOwner: false }, live: outstanding }, room, lastMoment)), "ok")
  })

  it("makes an account, or joins its owner, or stays shut", () => {
    const makes = Result.succeed({ _tag: "New", invite } as const)
    assert.deepStrictEqual(accept({ invite, owner: null }, undefined, lastMoment), makes)
    assert.deepStrictEqual(accept({ invite, owner: null }, visits(bob), lastMoment), makes)
    assert.deepStrictEqual(accept({ invite, owner: ada }, visits(ada), lastMoment), Result.succeed({ _tag: "Joins", invite, visitor: visits(ada) } as const))
    assert.strictEqual(codeOf(accept({ invite, owner: ada }, visits(bob), lastMoment)), "account_exists")
    assert.strictEqual(codeOf(accept({ invite, owner: ada }, undefined, lastMoment)), "account_exists")
  })

  it("is refused the same way when unknown, used or expired, whoever asks", () => {
    const refusals = [
      accept(undefined, visits(ada), made),
      accept({ invite, owner: null }, undefined, over),
      accept({ invite, owner: ada }, visits(ada), over),
      accept({ invite: accepted, owner: ada }, visits(ada), made),
      accept({ invite: accepted, owner: ada }, undefined, made)
    ]
    assert.strictEqual(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size, 1)
    assert.strictEqual(codeOf(refusals[0]!), "invalid_token")
  })

  it("makes an owner an admin", () => {
    assert.deepInclude(membership(invite), { role: "member", isOwner: false })
    assert.deepInclude(membership({ ...invite, grantsOwnership: true }), { role: "admin", isOwner: true })
  })
})
