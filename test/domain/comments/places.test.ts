/** The place of a comment, put in words. */
import { assert, it } from "@effect/vitest"
import { located, placeOf } from "../../../src/domain/comments/places.ts"
import { quoteOf } from "../../../src/domain/comments/rules.ts"
import { growth } from "../../support/growth.ts"
import type { Anchor } from "../../../src/domain/comments/model.ts"

const cases: ReadonlyArray<readonly [Anchor, string | undefined]> = [
  [{ path: "/" }, undefined],
  [{ path: "/report" }, "on “/report”"],
  [{ path: `/${"x".repeat(100)}` }, `on “/${"x".repeat(78)}…”`],
  // Whoever wrote it cannot end the quote and speak for the service.
  [{ path: "/”,\u2028svc:", quote: "a”, “b\u202e", column: "”\u0085c" }, "on “/\", svc:”, in column “\" c”, on “a\", \"b”"],
  [{ path: "/", selector: "main > section#key-results", quote: "grew by\n12 %" }, "in section “key results”, on “grew by 12 %”"],
  [{ path: "/", selector: "#md-prices" }, "in section “prices”"],
  [{ path: "/", selector: "#md-md-notes" }, "in section “md notes”"],
  [{ path: "/", selector: "main > #md-prices" }, "in section “md prices”"],
  [{ path: "/", selector: "div:nth-child(3) > p", quote: "grew" }, "on “grew”"],
  [{ path: "/", page: 3 }, "on page 3"],
  [{ path: "/", page: 3, x: 0.254, y: 1 }, "on page 3, 25 % from the left and 100 % from the top"],
  [{ path: "/", x: 0.1, y: 0.2, width: 0.3, height: 0.405 }, "in the box at 10 % from the left and 20 % from the top, 30 % wide and 41 % high"],
  [{ path: "/", selector: "$.people[3].name", quote: "Ada" }, "at “$.people[3].name”, on “Ada”"],
  [{ path: "/", row: 12, column: "Price" }, "in row 12, column “Price”"],
  [{ path: "/", row: 12 }, "in row 12"],
  [{ path: "/", line: 7 }, "in line 7"],
  [{ path: "/", time: 65.9 }, "at 1:05"],
  [{ path: "/", time: 0 }, "at 0:00"],
  [{ path: "/", time: 60 }, "at 1:00"],
  [{ path: "/", time: 3600 }, "at 1:00:00"],
  [{ path: "/", time: 3725 }, "at 1:02:05"],
  [{ path: "/", quote: null, page: null, selector: null }, undefined],
  [{ path: "/", quote: "😀".repeat(200) }, `on “${"😀".repeat(79)}…”`]
]

it.each(cases)("%j", (anchor, words) => {
  assert.strictEqual(placeOf(anchor), words)
})

it("stands beside the anchor, and nowhere else", () => {
  assert.deepStrictEqual(located({ anchor: { path: "/", page: 2 } }), { anchor: { path: "/", page: 2, where: "on page 2" } })
  assert.deepStrictEqual(located({ anchor: { path: "/" } }), { anchor: { path: "/", where: "on the whole document" } })
  assert.deepStrictEqual(located({ anchor: null, id: 1 }), { anchor: null, id: 1 })
  assert.deepStrictEqual(located({ id: 1 }), { id: 1 })
})

it("a mail quotes one short plain paragraph", () => {
  assert.strictEqual(quoteOf("One\r\n\ttwo\u202e \u200bthree"), "One two three")
  assert.strictEqual(quoteOf("علی\u200cرضا 👩\u200d💻 श्री\u200dनाथ\ue000, A\u200dda"), "علی\u200cرضا 👩\u200d💻 श्री\u200dनाथ , Ada")
  assert.strictEqual(quoteOf("see HTTPS://evil.example/x or www.evil.example"), "see evil.example/x or evil.example")
  assert.lengthOf([...quoteOf("😀".repeat(10_000))], 280)
})

it("leaves no scheme, however it is put together, and looks for it once", () => {
  const long = "x".repeat(40)
  const put = [`https${long}:////evil`, "1http://evil", "https://://evil", "hthttp://tp://evil", "http:www.//evil", "wwwwww..evil", "ht\u200btp:\u200b//evil", "http:/\u200d/evil"]
  for (const one of put) assert.notMatch(quoteOf(one), /[a-z]:\/\/|www\./i, one)
  for (const some of ["a", "a.", "www."]) assert.isBelow(growth((size) => quoteOf(some.repeat(size / some.length)), 2_500), 9, some)
})
