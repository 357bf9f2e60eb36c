/** Where a quote is found again: by its surroundings, with other spaces, a little changed, or not at all. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { findQuoted, quoted } from "../../web/viewer/text-anchor.ts"
import type { Near, Quoted } from "../../web/viewer/text-anchor.ts"

const TEXT = "One plan for everybody. Another plan for teams.\n\nThe plan is kept for thirty days after it ends, and then it goes.\n\nOne plan for everybody."

const found = (text: string, wanted: Quoted, near?: Near): string | undefined => {
  const span = findQuoted(text, wanted, near)
  return span && text.slice(...span)
}

const SENTENCE = "The plan is kept for thirty days after it ends"

describe("a quote", () => {
  it("is described by its words and a little of what is around them", () => {
    assert.deepStrictEqual(quoted(TEXT, [4, 8]), { quote: "plan", prefix: "One ", suffix: " for everybody. Another plan for" })
    assert.strictEqual(quoted("😀".repeat(1_000), [0, 2_000]).quote.length, 1_000)
    assert.isTrue(quoted(`a${"😀".repeat(40)}b`, [40, 44]).prefix.isWellFormed())
  })

  it("among several is the one whose surroundings agree, of equals the nearest", () => {
    assert.deepStrictEqual(findQuoted(TEXT, { quote: "plan", prefix: "Another " }), [32, 36])
    assert.deepStrictEqual(findQuoted(TEXT, { quote: "plan", suffix: " is kept" }), [53, 57])
    const last = TEXT.lastIndexOf("One plan")
    assert.deepStrictEqual(findQuoted(TEXT, { quote: "One plan" }, { at: last - 5 }), [last, last + 8])
    assert.deepStrictEqual(findQuoted(TEXT, { quote: "One plan" }, { at: 3 }), [0, 8])
  })

  it("is found with its spaces changed", () => {
    assert.strictEqual(found(TEXT, { quote: "for teams. The\nplan  is" }), "for teams.\n\nThe plan is")
    assert.strictEqual(found("a b c", { quote: "abc" }), "a b c")
  })

  it("is found with its signs written in another way, as somebody types them who quotes by hand", () => {
    const ways: ReadonlyArray<readonly [string, string, string]> = [
      ["He said: “It’s not ours”.", "\"It's not ours\"", "“It’s not ours”"],
      ["Pages 3–5 — all of them", "3-5 - all", "3–5 — all"],
      ["the oﬃce’s ﬁrst ﬂoor, 20\u00a0m²", "office's first floor, 20 m2", "oﬃce’s ﬁrst ﬂoor, 20\u00a0m²"],
      ["a cafe\u0301 in Lodz", "café in", "cafe\u0301 in"],
      ["a café in Lodz", "cafe\u0301", "café"],
      ["con\u00adtract \ufeffis up", "contract is", "con\u00adtract \ufeffis"],
      ["and so on… 😀", "so on... 😀", "so on… 😀"]
    ]
    for (const [text, quote, words] of ways) assert.strictEqual(found(text, { quote }), words)
    assert.strictEqual(found("it's, and “it’s”", { quote: "it’s" }), "it’s", "as it is written, where it is")
    assert.isUndefined(found("not even alike", { quote: "\u200b\u00ad" }))
  })

  const section: Near = { section: [0, TEXT.length] }
  const changed: ReadonlyArray<readonly [string, string | undefined]> = [
    ["The plan is kept for sixty days after it ends", SENTENCE],
    ["The plans are kept for thirty days after they end", `${SENTENCE.slice(0, -1)}`],
    ["the plan stays for thirty whole days after it ends", "The plan is kept for thirty days after it ends"],
    ["Nothing of this stands anywhere in that text", undefined],
    ["The invoice was paid by somebody in another city", undefined],
    ["Anothre pln", undefined]
  ]
  for (const [quote, expected] of changed) {
    it(`“${quote}” ${expected === undefined ? "is not found" : "is found although it was changed"}`, () => {
      const there = found(TEXT, { quote }, section)
      if (expected === undefined) assert.isUndefined(there)
      else assert.include(there, "for thirty")
    })
  }

  it("that was changed is looked for in its own section alone", () => {
    const quote = "The plan is kept for sixty days after it ends"
    assert.isUndefined(findQuoted(TEXT, { quote }))
    assert.isUndefined(findQuoted(TEXT, { quote }, { section: [0, 48] }))
    assert.isDefined(findQuoted(TEXT, { quote }, { section: [48, TEXT.length] }))
    assert.isUndefined(findQuoted(TEXT, { quote: " \n" }, section))
  })

  const BEFORE = "The list of what we pay.\n\nAlpha costs 20 EUR a month.\nBeta costs 30 EUR for each seat and year.\n"
  const at = BEFORE.indexOf("30 EUR")
  const wanted = quoted(BEFORE, [at, at + 6])
  const last = "\nA deposit of 30 EUR is due at once; nobody gets it back."
  const short: ReadonlyArray<readonly [string, string, string | undefined]> = [
    ["that is where it was", BEFORE + last, "Beta costs "],
    ["that was deleted", BEFORE.replace("Beta costs 30 EUR for each seat and year.\n", "") + last, undefined],
    ["that was changed", BEFORE.replace("30", "35") + last, undefined],
    ["whose place has other words, while another line begins and ends much like it", `${BEFORE.replace("30", "35")}Delta costs 30 EUR for each seat and year.`, undefined],
    ["that moved, and half of whose surroundings were rewritten", `${last}\nWe pay Beta 30 EUR for each seat and year.`, "We pay Beta "],
    ["around which words were inserted", BEFORE.replace("30 EUR", "about 30 EUR now") + last, "Beta costs about "],
    ["with other spaces", BEFORE.replace("30 EUR", "30\nEUR").replace("each seat", "each\nseat") + last, "Beta costs "]
  ]
  for (const [what, text, before] of short) {
    it(`of a few characters ${what}, is ${before === undefined ? "gone" : "found"}, whatever else says the same`, () => {
      const span = findQuoted(text, wanted, { section: [0, text.length] })
      assert.strictEqual(span && text.slice(0, span[0]).endsWith(before ?? "?"), before === undefined ? undefined : true)
    })
  }

  it("of a few characters at an end of the text needs what is there, and one without surroundings nothing", () => {
    const first = quoted("Plan A", [0, 4])
    assert.strictEqual(found("Plan A and more", first), "Plan")
    assert.isUndefined(found("Our Plan for them", first))
    const start = quoted(BEFORE, [0, 8])
    assert.strictEqual(found(`New.\n${BEFORE}`, start), "The list")
    assert.isUndefined(found("Look at The list over there.", start))
    const end = quoted("It was all agreed on in the spring", [28, 34])
    assert.strictEqual(found("It was all agreed on in the spring of the year", end), "spring")
    assert.isUndefined(found("The next spring", end))
    assert.strictEqual(found("The next spring", { quote: "spring" }), "spring")
  })

  it("of a few characters, around which words were inserted, is found where all around it stands twice", () => {
    const text = `${BEFORE.replace("30", "35")}${last}\n${BEFORE.replace("30 EUR", "about 30 EUR now")}`
    const there = text.indexOf("about 30") + 6
    assert.deepStrictEqual(findQuoted(text, wanted, { at: there }), [there, there + 6])
    assert.isUndefined(findQuoted(text, wanted, { at }))
  })

  it("that repeats more often than its occurrences are compared is found by all that is around it", () => {
    const text = `${"so 30 or 30. ".repeat(3_000)}${BEFORE}`
    const one = text.lastIndexOf("30")
    assert.deepStrictEqual(findQuoted(text, quoted(text, [one, one + 2])), [one, one + 2])
  })

  it("of many characters is found by itself, if its surroundings were rewritten", () => {
    const one = quoted(TEXT, [53, 100])
    assert.strictEqual(found(`New words before ${one.quote}, and others after it`, one), one.quote)
  })

  it("is not found in its own section as a slight change where another one says it by chance", () => {
    const anchor = quoted("They all came by the early morning train from the north.", [21, 34])
    assert.isUndefined(found("Nobody was here in the early morning, so we went home.", anchor, { section: [0, 54] }))
    assert.strictEqual(found("They all came by the early mornings train from the north.", anchor, { section: [0, 57] }), "early morning")
  })

  it("of any text is found where it was", () => {
    fc.assert(fc.property(fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" }), fc.nat(), fc.nat(), (text, a, b) => {
      const [start, end] = [a % text.length, b % (text.length + 1)].sort((one, two) => one - two) as [number, number]
      const wanted = quoted(text, [start, end])
      if (wanted.quote.trim() === "" || text.slice(start, end) !== wanted.quote) return
      assert.strictEqual(found(text, wanted, { at: start }), wanted.quote)
    }), { numRuns: 200 })
  })

  it("is looked for in bounded time", () => {
    const spent = () => process.cpuUsage().user / 1_000
    const before = spent()
    const long = "word another thing ".repeat(60_000)
    findQuoted(long, { quote: "word unlike everything that stands in here ".repeat(20) }, { section: [0, long.length] })
    findQuoted("a".repeat(500_000), { quote: "a".repeat(900), prefix: "b".repeat(32) })
    assert.isBelow(spent() - before, 3_000)
  })

  it("that was made to be hard costs little: one of many long changed ones is found, and none of more than a reader selects", () => {
    const spent = () => process.cpuUsage().user / 1_000
    const long = Array.from({ length: 60_000 }, (_, at) => (at * 7_919 % 997).toString(36).padStart(3, "a")).join(" ")
    const changedFrom = (start: number, length: number) => long.slice(start, start + length).replace(/(.{7})./g, "$1#")
    const near = (start: number): Near => ({ section: [start - 500, start + 20_000] })
    const before = spent()
    for (let start = 4_000; start < 44_000; start += 1_000) {
      assert.strictEqual(findQuoted(long, { quote: changedFrom(start, 1_000) }, near(start))?.[0], start)
    }
    assert.isBelow(spent() - before, 3_000)
    assert.isUndefined(findQuoted(long, { quote: changedFrom(4_000, 1_100) }, near(4_000)))
  })
})
