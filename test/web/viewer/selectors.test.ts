/** Selectors as comments carry them: ours are looked for in a page, and nothing that would take long. */
import { assert, describe, it } from "@effect/vitest"
import { isSimple } from "../../../web/viewer/selectors.ts"
import { busyFor } from "../../support/growth.ts"

describe("a comment's selector", () => {
  it("is names and places from child to child, as ours are, and at most two leaps", () => {
    for (const ours of ["body", "body>h1", "#plan", "#plan>p:nth-of-type(2)>b", "body>main:nth-of-type(1)>my-part", "#\\31 2>p", "#a\\:b", "#\\31 ", "#\\\\", "#größe>p", "h1"]) {
      assert.isTrue(isSimple(ours), ours)
    }
    for (const written of [".plan h2", "main .price > b", "section.plan[data-name=\"Pro plan\"] li:nth-child(3)", "a[href^='/x']", "[open]", "#a b", "*", "td:first-child"]) {
      assert.isTrue(isSimple(written), written)
    }
    for (const others of ["", "a b c d", "a~b", "a+b", "a,b", ":has(a)", "a:has(b)", "a:not(b)", "p:nth-of-type(2n)", "p:nth-child(1 of *~*)", ">p", "p>", "p>>p", "# p", ".", "a[b", "a[b='c]", "a\\"]) {
      assert.isFalse(isSimple(others), others)
    }
  })

  it("is told at once, however it is written", () => {
    for (const part of ["\\a", "\\aaaaaa ", "a", "a>", "a:nth-of-type(1)>", "\\ ", "#", ".a", "a ", "\\31 a ", "[a=\"", "[a=b]", "a > "]) {
      const before = busyFor()
      isSimple(`${part.repeat(1_000 / part.length)}!`)
      assert.isBelow(busyFor() - before, 50_000, part)
    }
  })
})
