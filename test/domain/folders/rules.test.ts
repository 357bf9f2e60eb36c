/** Who may do what with a folder, as a table of everybody against everything. */
import { assert, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import { FolderId } from "../../../src/domain/folders/model.ts"
import type { Folder, FolderChanges } from "../../../src/domain/folders/model.ts"
import * as Rules from "../../../src/domain/folders/rules.ts"
import type { Role } from "../../../src/domain/workspaces/model.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { UserId } from "../../../src/domain/accounts/model.ts"

const id = (n: number) => `018f4a2e-0000-7000-8000-00000000000${n}`
const creator = { id: UserId.make(id(1)) }
const other = { id: UserId.make(id(2)) }

const folder = (sharing: Folder["sharing"], projectCount = 0): Folder => ({
  id: FolderId.make(id(3)),
  workspaceId: WorkspaceId.make(id(4)),
  name: "Reports",
  sharing,
  projectCount,
  createdBy: { id: creator.id, name: "Ada" },
  createdAt: DateTime.makeUnsafe(0),
  updatedAt: DateTime.makeUnsafe(0)
})

const verdict = (result: Result.Result<void, { readonly _tag: string }>) => Result.match(result, { onSuccess: () => "yes", onFailure: ({ _tag }) => _tag })

/** Sees, renames, changes its sharing, deletes. */
const may = (user: typeof creator, role: Role | null, sharing: Folder["sharing"]) => {
  const reach = { folder: folder(sharing), role }
  const change = (changes: FolderChanges) => verdict(Rules.change(reach, user, changes, 0))
  return [Rules.maySee(reach, user), change({ name: "Other" }), change({ sharing: sharing === "team" ? "private" : "team" }), verdict(Rules.remove(reach, user, false))]
}

it("a team folder is seen by members, handled by its creator and the admins, and shared by its creator alone", () => {
  assert.deepStrictEqual(may(creator, "member", "team"), [true, "yes", "yes", "yes"])
  assert.deepStrictEqual(may(other, "admin", "team"), [true, "yes", "forbidden", "yes"])
  assert.deepStrictEqual(may(other, "member", "team"), [true, "forbidden", "forbidden", "forbidden"])
  assert.deepStrictEqual(may(other, null, "team"), [false, "forbidden", "forbidden", "forbidden"])
  // Out of the workspace, its creator is a stranger too.
  assert.deepStrictEqual(may(creator, null, "team"), [false, "forbidden", "forbidden", "forbidden"])
})

it("a private folder is its creator's alone", () => {
  assert.deepStrictEqual(may(creator, "member", "private"), [true, "yes", "yes", "yes"])
  assert.deepStrictEqual(may(other, "admin", "private"), [false, "forbidden", "forbidden", "forbidden"])
  assert.deepStrictEqual(may(other, "member", "private"), [false, "forbidden", "forbidden", "forbidden"])
  assert.deepStrictEqual(may(creator, null, "private"), [false, "forbidden", "forbidden", "forbidden"])
})

it("an admin may name the sharing that a folder has", () => {
  assert.strictEqual(verdict(Rules.change({ folder: folder("team"), role: "admin" }, other, { name: "A", sharing: "team" }, 0)), "yes")
})

it("turns private only without projects of others", () => {
  const reach = { folder: folder("team", 3), role: "member" } as const
  assert.strictEqual(verdict(Rules.change(reach, creator, { sharing: "private" }, 0)), "yes")
  assert.strictEqual(verdict(Rules.change(reach, creator, { sharing: "private" }, 1)), "conflict")
  assert.isTrue(Rules.hides(reach.folder, { sharing: "private" }))
  assert.isFalse(Rules.hides(folder("private"), { sharing: "private" }))
})

it("takes any project while it is the team's, and its creator's own while it is private", () => {
  assert.strictEqual(verdict(Rules.take(folder("team"), other.id)), "yes")
  assert.strictEqual(verdict(Rules.take(folder("private"), creator.id)), "yes")
  assert.strictEqual(verdict(Rules.take(folder("private"), other.id)), "forbidden")
})

it("goes with projects in it only when told to move them out", () => {
  const full = { folder: folder("team", 1), role: "member" } as const
  assert.strictEqual(verdict(Rules.remove(full, creator, false)), "conflict")
  assert.strictEqual(verdict(Rules.remove(full, creator, true)), "yes")
  assert.strictEqual(verdict(Rules.remove(full, other, true)), "forbidden")
})

it("says before it goes that the projects of a private one come to the team, which could not see them", () => {
  const refusal = (sharing: Folder["sharing"]) =>
    Result.match(Rules.remove({ folder: folder(sharing, 2), role: "member" }, creator, false), { onSuccess: () => "", onFailure: ({ message }) => message })
  assert.match(refusal("private"), /they stay in the workspace, in no folder, where the whole team sees them\.$/)
  assert.match(refusal("team"), /they stay in the workspace, in no folder\.$/)
})

it("stops at a thousand a workspace", () => {
  assert.strictEqual(verdict(Rules.create(Rules.MAX_FOLDERS - 1)), "yes")
  assert.strictEqual(verdict(Rules.create(Rules.MAX_FOLDERS)), "conflict")
})
