/** The page of a PDF on which words of an earlier version are now. */
import { assert, it } from "@effect/vitest"
import { pageWith } from "../../../web/viewer/kinds/pdf/page-words.ts"
import { quoted } from "../../../web/viewer/text-anchor.ts"

const LINES = ["The north sold much and paid 30 EUR for each of its seats.", "The south had a quiet year. It paid 30 EUR for a single seat.", "West and east shared an office; they paid 30 EUR in the end."]
const at = LINES[1]!.indexOf("30 EUR")
const wanted = quoted(LINES[1]!, [at, at + 6])
const page = (pages: ReadonlyArray<string>, own = 2): Promise<number | undefined> =>
  pageWith(async (number) => pages[number - 1]!, wanted, own, pages.length)

it("a few words that stand on many pages are on the page where the same is around them", async () => {
  const filler = Array.from({ length: 40 }, () => "Nothing of it.")
  assert.deepStrictEqual(await Promise.all([
    page(LINES),
    page(["A new page.", "And another 30 EUR.", ...LINES]),
    page(LINES.toSpliced(1, 1)),
    page(LINES.with(1, LINES[1]!.replace("30", "35"))),
    page([...filler, ...LINES]),
    page(["Costs", ...LINES, "It paid 30 EUR for a single desk."].with(2, "Gone."), 2)
  ]), [2, 4, undefined, undefined, undefined, 5])
})

it("where a page has other words in their place, they are on the one other page that has all that was around them", async () => {
  const bill = (total: string, due = "due") => `A bill for the month. The total is ${total} EUR, ${due} within thirty days of it.`
  const anchor = quoted(bill("30"), [bill("30").indexOf("30 EUR"), bill("30").indexOf(" EUR,") + 4])
  const on = (...bills: ReadonlyArray<string>) => pageWith(async (number) => bills[number - 1]!, anchor, 2, bills.length)
  assert.deepStrictEqual(await Promise.all([
    on(bill("20"), bill("35"), bill("30")),
    on(bill("20"), bill("35"), bill("30", "payable")),
    on(bill("30"), bill("35"), bill("30")),
    on(bill("30"), bill("30"))
  ]), [3, undefined, undefined, 2])
})

it("words quoted without what was around them are on the page that has them as they are; changed, on their own", async () => {
  const pages = Array.from({ length: 60 }, (_, at) => `Page ${at + 1} tells of the month and what it cost.`)
  const on = (quote: string, own?: number) => pageWith(async (number) => pages[number - 1]!, { quote }, own, pages.length)
  assert.deepStrictEqual(await Promise.all([
    on("Page 40 tells of the month"),
    on("Page 20 tells of the month", 12),
    on("Page 50 tells of the month", 12),
    on("Page 12 told of this month", 12),
    on("Page 12 told of this month"),
    on("Nothing of the kind", 12)
  ]), [40, 20, 50, 12, undefined, undefined])
})
