/** Decisions about projects that need nothing but their facts. */
import { assert, it } from "@effect/vitest"
import { pruning } from "../../../src/domain/projects/rules.ts"

it("a publish prunes what its plan does not keep, and never more than the one that it adds", () => {
  assert.deepStrictEqual([3, 4, 50].map((next) => pruning(next, "starter")), [0, 1, 47].map((upTo) => ({ upTo, atMost: 1 })))
  assert.deepStrictEqual(pruning(50, "studio"), { upTo: 30, atMost: 1 })
})
