/** What an account starts with. */
import { assert, it } from "@effect/vitest"
import { DateTime } from "effect"
import { home } from "../../../src/domain/accounts/rules.ts"
import { hides, lengthOf } from "../../../src/domain/labels/model.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"

const named = (name: string) => home(WorkspaceId.make("01890a5d-ac96-774b-bcce-b302099a8057"), name, DateTime.makeUnsafe(0)).name

it("a home workspace is called after its owner, in a name that a workspace may have", () => {
  assert.strictEqual(named("Ada"), "Ada’s workspace")
  assert.strictEqual(named("x".repeat(88)), `${"x".repeat(88)}’s workspace`)
  assert.strictEqual(named("x".repeat(100)), `${"x".repeat(87)}…’s workspace`)
  // Cut within a sign made of several, whose joiner would be hidden at the end.
  for (let before = 80; before < 89; before++) {
    const name = named(`${"x".repeat(before)}${"👩‍💻".repeat(4)}`)
    assert.deepStrictEqual([lengthOf(name) <= 100, hides(name)], [true, false], name)
  }
})
