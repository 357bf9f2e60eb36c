/** Whom a list lets in, and what it inherits: as a table, and as properties. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { MAX_EMAILS } from "../../../src/domain/allowlists/model.ts"
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
  const project = { level: "project", slug: "report" } as const
  const before = level("a@x.io b@x.io c@x.io", true)

  it("keep each address once and leave what is not given", () => {
    const kept = Result.getOrThrow(change(project, before, { emails: ["b@x.io", "a@x.io", "b@x.io"] }))
    assert.deepStrictEqual(kept.emails, ["b@x.io", "a@x.io"])
    assert.isUndefined(Result.getOrThrow(change(project, before, { commentAccess: "anyone" })).emails)
  })

  it("put on the list as it is and take off it, the rest in its order, and a whole list in place of both", () => {
    const table: ReadonlyArray<readonly [add: string | undefined, remove: string | undefined, left: string]> = [
      ["d@x.io", undefined, "a@x.io b@x.io c@x.io d@x.io"],
      [undefined, "b@x.io nobody@x.io", "a@x.io c@x.io"],
      ["d@x.io e@x.io", "a@x.io", "b@x.io c@x.io d@x.io e@x.io"],
      ["a@x.io a@x.io", undefined, "a@x.io b@x.io c@x.io"],
      // What is both is on it, and goes to its end.
      ["a@x.io", "a@x.io", "b@x.io c@x.io a@x.io"],
      ["", "", "a@x.io b@x.io c@x.io"]
    ]
    const split = (emails: string | undefined) => emails?.split(" ").filter((one) => one !== "")
    for (const [add, remove, left] of table) {
      const changed = Result.getOrThrow(change(project, before, { commentAccess: "anyone", addEmails: split(add), removeEmails: split(remove) }))
      assert.deepStrictEqual(changed, { commentAccess: "anyone", emails: left.split(" ") })
      const both = change(project, before, { emails: [], addEmails: split(add), removeEmails: split(remove) })
      assert.strictEqual(Result.isFailure(both) && both.failure.field, "emails")
    }
  })

  it("fill a list to its last place and not beyond", () => {
    const many = (count: number, name = "p") => Array.from({ length: count }, (_, at) => `${name}${at}@x.io`)
    const full = { ...before, emails: many(MAX_EMAILS) }
    const added = (given: Parameters<typeof change>[2]) => change(project, full, given)
    assert.lengthOf(Result.getOrThrow(added({ addEmails: many(MAX_EMAILS) })).emails!, MAX_EMAILS)
    assert.lengthOf(Result.getOrThrow(added({ addEmails: many(3, "q"), removeEmails: many(3) })).emails!, MAX_EMAILS)
    const refused = added({ addEmails: many(3, "q"), removeEmails: many(2) })
    assert.strictEqual(Result.isFailure(refused) && refused.failure.field, "add_emails")
  })

  it("let a workspace inherit nothing", () => {
    const workspace = { level: "workspace", id: undefined } as const
    const refused = change(workspace, before, { commentAllowlistInherit: true })
    assert.strictEqual(Result.isFailure(refused) && refused.failure.field, "comment_allowlist_inherit")
    assert.isTrue(Result.isSuccess(change(workspace, before, { commentAllowlistInherit: false })))
  })
})
