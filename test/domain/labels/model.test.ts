/** What a label may hold: every script and emoji, and nothing that hides. */
import { assert, it } from "@effect/vitest"
import { Exit, Schema } from "effect"
import fc from "fast-check"
import { escaped, hides, labelIn, lengthOf, shown } from "../../../src/domain/labels/model.ts"
import { titleIn } from "../../../src/domain/projects/documents/titles.ts"
import { line, pathText } from "../../../src/http/contract/wire.ts"

const HONEST = [
  "Ada", "Zoë – Q3 “x”, 50 %", "עברית שלום", "می\u200cخواهم", "ক\u200dষ", "葛\u{e0100}", "1\ufe0f\u20e3 ❤\ufe0f ☎\ufe0e",
  "👩\u200d👩\u200d👧 Family", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} Team"
]

/** With what remains once it is taken out. */
const HIDING: ReadonlyArray<readonly [text: string, left: string]> = [
  ["invoice\u202efdp.exe", "invoicefdp.exe"], ["\u2066x\u2069", "x"], ["\u202ax\u202c", "x"], ["\u200fא", "א"], ["\u061cب", "ب"],
  ["a\u200bb", "ab"], ["A\u200dda", "Ada"], ["Ada\u200c", "Ada"], ["Ada\ufe0f", "Ada"], ["a\u00adb", "ab"], ["a\ufeffb", "ab"], ["a\u2060b", "ab"],
  ["\u3164", ""], ["\u2800", ""], ["x\u{e0041}\u{e0042}", "x"], ["م\u200c\u200c", "م\u200c"], ["Zoe\u0308\u200d", "Zoe\u0308"], ["x\ufff9y\ufffbz", "xyz"]
]

const accepts = (text: string, minimum = 1) => Exit.isSuccess(Schema.decodeUnknownExit(line(minimum, 100))(text))

it("takes what people write in any script, emoji and flags among it", () => {
  for (const text of HONEST) assert.deepStrictEqual([hides(text), shown(text), accepts(text)], [false, text, true], text)
})

it("is counted in code points, and looked through no further where there are too many", () => {
  fc.assert(fc.property(fc.array(fc.constantFrom("a", "\ud83d", "\ude00", "é")), (units) => lengthOf(units.join("")) === [...units.join("")].length))
  const fault = (text: string) => String(Schema.decodeUnknownExit(line(1, 100), { errors: "all" })(text))
  assert.include(fault("a\u202e"), "invisible")
  const long = fault("a\u202e\n".repeat(100))
  assert.include(long, "Between 1 and 100 characters.")
  assert.notMatch(long, /invisible|One line/)
})

it("refuses what is not seen or turns text around, even where nothing has to be said", () => {
  for (const [text, left] of HIDING) {
    assert.deepStrictEqual([hides(text), shown(text), accepts(text), accepts(text, 0)], [true, left, false, false], JSON.stringify(text))
  }
  for (const text of ["a\u2028b", "a\nb", "a\u0085b", "\ud800"]) assert.isFalse(accepts(text), JSON.stringify(text))
})

it("is seen where it is escaped, and nothing else changes", () => {
  for (const text of HONEST) assert.strictEqual(escaped(text), text)
  for (const [text, left] of HIDING) assert.strictEqual(escaped(text).replaceAll(/(?:\\u[\da-f]{4})+/g, ""), left, JSON.stringify(text))
  assert.strictEqual(escaped("a\u2028b\nc\u0085d\u{e0041}"), String.raw`a\u2028b\u000ac\u0085d\udb40\udc41`)
})

it("comes to the same when it is cleaned again", () => {
  const odd = fc.constantFrom("e", "\u0301", "\u0323", "\u200d", "\u200c", "\u202e", "\ufe0f", "\u{1f3f4}", "\u{e0067}", "\u{e007f}", "a", "م", "葛", " ", "1", "\u20e3", "👩")
  fc.assert(fc.property(fc.array(odd, { maxLength: 12 }), (signs) => {
    const text = signs.join("")
    const label = labelIn(text, 100)
    assert.deepStrictEqual([hides(shown(text)), hides(label), labelIn(label, 100)], [false, false, label])
  }), { examples: [[["e", " ", "\u{e0067}", " ", "e"]]] })
})

it("is composed before it is counted, whoever wrote it and wherever it is read", () => {
  const given = (text: string) => Schema.decodeUnknownSync(line(1, 100))(text)
  for (const letter of ["é", "ệ", "각"]) {
    const [many, apart] = [letter.repeat(100), letter.repeat(100).normalize("NFD")]
    assert.deepStrictEqual([given(apart), labelIn(apart, 100)], [many, many], letter)
    assert.isFalse(accepts(`${apart}x`), letter)
  }
  assert.strictEqual(given(" Tiê\u0301ng "), "Tiếng")
})

it("is read off a document without what hides in it", () => {
  const html = (title: string) => titleIn("site", new TextEncoder().encode(`<title>${title}</title>`), "text/html; charset=utf-8")
  assert.strictEqual(html(" Q3\u202e  report\u0007 \n 2027 "), "Q3 report 2027")
  assert.strictEqual(html("\u200b\u202e"), undefined)
  assert.strictEqual(labelIn("x".repeat(300), 200).length, 200)
  assert.strictEqual(labelIn(`${"x".repeat(199)}😀 more`, 200), "x".repeat(199))
})

it("is no rule for what a file is called", () => {
  assert.isTrue(Exit.isSuccess(Schema.decodeUnknownExit(pathText(1024))("a\u00adb.html")))
})
