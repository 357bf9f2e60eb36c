/** Selectors as comments carry them: ours are looked for in a page, and nothing that would take long. */
import { assert, describe, it } from "@effect/vitest"
import { isSteps } from "../../../web/viewer/selectors.ts"

describe("a comment's selector", () => {
  it("is steps from child to child, as ours are", () => {
    for (const ours of ["body", "body>h1", "#plan", "#plan>p:nth-of-type(2)>b", "body>main:nth-of-type(1)>my-part", "#\\31 2>p", "#a\\:b", "#\\31 ", "#\\\\", "#größe>p", "h1"]) {
      assert.isTrue(isSteps(ours), ours)
    }
    for (const others of ["", "*", "a b", "a~b", "a+b", "a,b", ":has(a)", "a:has(b)", "p:nth-of-type(2n)", "p:nth-child(1 of *~*)", ">p", "p>", "p>>p", "# p", "#a b", "a[b]", "a.b", "a\\"]) {
      assert.isFalse(isSteps(others), others)
    }
  })

  it("is told at once, however it is written", () => {
    for (const part of ["\\a", "\\aaaaaa ", "a", "a>", "a:nth-of-type(1)>", "\\ ", "#"]) {
      const since = performance.now()
      isSteps(`${part.repeat(1_000 / part.length)}!`)
      assert.isBelow(performance.now() - since, 50, part)
    }
  })
})
