/** Words quoted from a Markdown file, as its readers see them. */
import { assert, it } from "@effect/vitest"
import { unmarked } from "../../../web/viewer/kinds/markdown/unmarked.ts"
import { busyFor } from "../../support/growth.ts"

const QUOTES: ReadonlyArray<readonly [string, string]> = [
  ["## The **total** is _30_ EUR", "The total is 30 EUR"],
  ["- [ ] Ask [Ada](https://a.example/x) about `it`", "Ask Ada about it"],
  ["> 2. a ~~quiet~~ __year__, see [this][1]", "a quiet year, see this"],
  ["![A chart](chart.png) <b>of</b> <https://a.example/>", "A chart of https://a.example/"],
  ["a snake_case_name, 2 * 3, x - y and \\*stars\\*", "a snake_case_name, 2 * 3, x - y and *stars*"],
  ["| name | v |\n|:--|--:|\n| Ada | 3 |", " name  v \n\n Ada  3 "],
  ["```ts\nconst a = 1\n```", "\nconst a = 1\n"]
]

it("marks are left out, words stay", () => {
  for (const [quote, words] of QUOTES) assert.strictEqual(unmarked(quote), words)
})

it("any text is read in a moment", () => {
  for (const text of ["[".repeat(2_000), "*".repeat(2_000), "_ ".repeat(1_000), "<a".repeat(1_000), "| ".repeat(1_000), " ".repeat(2_000), "`".repeat(2_000)]) {
    const before = busyFor()
    unmarked(text)
    assert.isBelow(busyFor() - before, 200_000)
  }
})
