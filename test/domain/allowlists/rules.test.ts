/** Whom a list lets in, and what it inherits: as a table, and as properties. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import type { Level } from "../../../src/domain/allowlists/model.ts"
import { allowlistOf, change, given, inherited, mayComment } from "../../../src/domain/allowlists/rules.ts"

const level = (emails: string, commentAllowlistInherit: boolean): Level => ({
  commentAccess: "allowlist",
  commentAllowlistInherit,
  emails: emails === "" ? [] : emails.split(" ")
})

describe("inheritance", () => {
  it("takes the entries of the levels above, up to the first that does not inherit", () => {
    const top = level("w@x.io", false)
    const table: ReadonlyArray<readonly [levels: ReadonlyArray<Level>, inherits: string, lets: string]> = [
      [[top], "", "w@x.io"],
      [[level("f@x.io", true), top], "w@x.io", "f@x.io w@x.io"],
      [[level("f@x.io", false), top], "", "f@x.io"],
      [[level("p@x.io", true), top], "w@x.io", "p@x.io w@x.io"],
      [[level("p@x.io", true), level("f@x.io", true), top], "f@x.io w@x.io", "p@x.io f@x.io w@x.io"],
      [[level("p@x.io", true), level("f@x.io", false), top], "f@x.io", "p@x.io f@x.io"],
      [[level("p@x.io", false), level("f@x.io", true), top], "", "p@x.io"],
      [[level("", true), level("", true), top], "w@x.io", "w@x.io"],
      // An entry in both is counted once; a level that has the entry itself still inherits it.
      [[level("w@x.io", true), level("w@x.io", true), top], "w@x.io", "w@x.io"]
    ]
    for (const [levels, inherits, lets] of table) {
      assert.strictEqual(inherited(levels).join(" "), inherits)
      assert.strictEqual(given(levels).join(" "), lets)
      assert.deepStrictEqual(allowlistOf(levels), { ...levels[0]!, inheritedEmails: inherited(levels) })
    }
  })

  const emails = fc.uniqueArray(fc.constantFrom("a@x.io", "b@x.io", "c@x.io", "d@x.io", "e@x.io"))
  const someLevel = fc.record({ commentAccess: fc.constant("allowlist" as const), commentAllowlistInherit: fc.boolean(), emails })
  const chain = fc.array(someLevel, { minLength: 1, maxLength: 5 })

  it("lets in the levels up to the first that inherits nothing, and no other", () => {
    fc.assert(fc.property(chain, (levels) => {
      const cut = levels.findIndex((one) => !one.commentAllowlistInherit)
      const reached = cut === -1 ? levels : levels.slice(0, cut + 1)
      assert.sameMembers([...given(levels)], [...new Set(reached.flatMap((one) => one.emails))])
    }))
  })

  it("never loses an address by inheriting, nor takes one from a level that is cut off", () => {
    fc.assert(fc.property(chain, ([own, ...above]) => {
      const drawing = given([{ ...own!, commentAllowlistInherit: true }, ...above])
      const alone = given([{ ...own!, commentAllowlistInherit: false }, ...above])
      assert.deepStrictEqual(alone, own!.emails)
      assert.includeMembers([...drawing], [...alone])
      assert.includeMembers([...drawing], [...given(above)])
      assert.lengthOf(new Set(drawing), drawing.length)
    }))
  })
})

describe("who may comment", () => {
  it("members always, the listed where a list counts, anyone where anyone may, and nobody unproven", () => {
    for (const access of ["members", "allowlist", "anyone"] as const) {
      for (const isMember of [true, false]) {
        for (const listed of [true, false]) {
          const expected = isMember || access === "anyone" || (access === "allowlist" && listed)
          assert.strictEqual(mayComment({ access, isMember, listed, email: "ada@x.io" }), expected, `${access} ${isMember} ${listed}`)
          assert.isFalse(mayComment({ access, isMember, listed, email: null }))
        }
      }
    }
  })
})

describe("changes", () => {
  it("keep each address once and leave what is not given", () => {
    const project = { level: "project", slug: "report" } as const
    const kept = Result.getOrThrow(change(project, { emails: ["b@x.io", "a@x.io", "b@x.io"] }))
    assert.deepStrictEqual(kept.emails, ["b@x.io", "a@x.io"])
    assert.isUndefined(Result.getOrThrow(change(project, { commentAccess: "anyone" })).emails)
  })

  it("let a workspace inherit nothing", () => {
    const workspace = { level: "workspace", id: undefined } as const
    const refused = change(workspace, { commentAllowlistInherit: true })
    assert.strictEqual(Result.isFailure(refused) && refused.failure.field, "comment_allowlist_inherit")
    assert.isTrue(Result.isSuccess(change(workspace, { commentAllowlistInherit: false })))
  })
})
