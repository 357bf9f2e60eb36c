/** Who may change and remove whom, and that an admin always stays. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { administer, changeRole, create, joined, made, MAKER, MAX_MADE, remove } from "../../../src/domain/workspaces/member-rules.ts"
import { type Member, WorkspaceId } from "../../../src/domain/workspaces/model.ts"

let people = 0
const person = (role: "admin" | "member", isOwner = false): Member => ({
  userId: UserId.make(`01890a5d-ac96-774b-bcce-b302099a80${String(++people).padStart(2, "0")}`),
  name: "Ada",
  email: "ada@example.com",
  role,
  isOwner,
  joinedAt: DateTime.makeUnsafe(0)
})

const [owner, other, admin, second, member, plain] = [
  person("admin", true), person("admin", true), person("admin"), person("admin"), person("member"), person("member")
]

const verdict = <A>(result: Result.Result<A, { readonly _tag: string }>) => Result.isFailure(result) ? result.failure._tag : result.success

describe("members", () => {
  it("are managed by admins; a stranger learns nothing", () => {
    assert.deepStrictEqual([administer("admin"), administer("member"), administer(undefined)].map(verdict), [undefined, "forbidden", "not_found"])
    assert.deepStrictEqual([verdict(create(MAX_MADE - 1)), verdict(create(MAX_MADE))], [undefined, "conflict"])
  })

  it("own what they make, which has no second trial", () => {
    const id = WorkspaceId.make("01890a5d-ac96-774b-bcce-b302099a8100")
    assert.deepStrictEqual(made(id, "Second"), { id, name: "Second", plan: "starter", needsCharge: true })
    assert.deepStrictEqual(MAKER, { role: "admin", isOwner: true })
  })

  it("gain by an invitation, and are never demoted by one", () => {
    const workspaceId = WorkspaceId.make("01890a5d-ac96-774b-bcce-b302099a8100")
    const roles = (["admin", "member"] as const).map((role) => [undefined, admin, owner, member].map((held) => joined(held, { workspaceId, role, isOwner: false }).role))
    assert.deepStrictEqual(roles, [["admin", "admin", "admin", "admin"], ["member", "admin", "admin", "member"]])
  })

  it("are removed by admins, owners by owners, and anybody leaves while an admin stays behind", () => {
    const tries: ReadonlyArray<readonly [caller: Member | undefined, member: Member | undefined, others: number, expected: string]> = [
      [admin, member, 0, "removed"],
      [admin, second, 1, "removed"],
      [owner, admin, 1, "removed"],
      [owner, other, 1, "removed"],
      [member, member, 0, "left"],
      [admin, admin, 1, "left"],
      [owner, owner, 1, "left"],
      [admin, admin, 0, "conflict"],
      [owner, owner, 0, "conflict"],
      [admin, owner, 1, "forbidden"],
      [member, plain, 0, "forbidden"],
      [member, admin, 1, "forbidden"],
      [member, undefined, 1, "forbidden"],
      [admin, undefined, 1, "not_found"],
      [undefined, member, 1, "not_found"],
      [undefined, undefined, 1, "not_found"]
    ]
    assert.deepStrictEqual(tries.map(([caller, target, others]) => verdict(remove(caller, target, others))), tries.map((one) => one[3]))
  })

  it("change roles the same way", () => {
    const tries: ReadonlyArray<readonly [caller: Member | undefined, member: Member | undefined, role: "admin" | "member", others: number, expected: unknown]> = [
      [admin, member, "admin", 0, member],
      [admin, second, "member", 1, second],
      [owner, owner, "member", 1, owner],
      [admin, admin, "admin", 0, admin],
      [admin, owner, "admin", 1, owner],
      [admin, admin, "member", 0, "conflict"],
      [owner, owner, "member", 0, "conflict"],
      [admin, owner, "member", 1, "forbidden"],
      [member, member, "admin", 0, "forbidden"],
      [admin, undefined, "admin", 0, "not_found"],
      [undefined, member, "admin", 0, "not_found"]
    ]
    assert.deepStrictEqual(tries.map(([caller, target, role, others]) => verdict(changeRole(caller, target, role, others))), tries.map((one) => one[4]))
  })
})
