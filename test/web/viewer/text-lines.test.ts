/** A text split into blocks, and without a terminal's codes: nothing is lost and every line is in its place, however long lines and texts are. */
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { withoutCodes } from "../../../src/domain/projects/documents/terminal-codes.ts"
import { located } from "../../../web/viewer/kinds/text/anchors.ts"
import { coloured, piecesOf } from "../../../web/viewer/kinds/text/colours.ts"
import { beginsLine, blockAt, blocksOf, lineAt, normal, offsetOf, rowAt, wordsOf } from "../../../web/viewer/kinds/text/lines.ts"
import { matchesOf, MOST } from "../../../web/viewer/kinds/text/matches.ts"
import { quoted } from "../../../web/viewer/text-anchor.ts"
import { ratio } from "../../support/growth.ts"

const piece = fc.oneof(
  fc.constantFrom("\n", "\n\n", "a", "😀", "line\n", "x".repeat(9_000), "😀".repeat(8_100), "word ".repeat(2_000)),
  fc.string({ maxLength: 30 })
)
const texts = fc.array(piece, { maxLength: 150, size: "large" }).map((pieces) => normal(pieces.join("")))

it("the end of a line is looked for once, however many rows it has", () => {
  const line = Buffer.alloc(16_000_000, "x").toString()
  assert.isBelow(ratio(() => blocksOf(line), () => line.indexOf("\n"), 50), 50)
})

it("blocks and rows are the text, in order, and none is long", () => {
  fc.assert(fc.property(texts, (text) => {
    const blocks = blocksOf(text)
    assert.strictEqual(blocks.map(({ end, start }) => text.slice(start, end)).join(""), text)
    for (const { end, rows, start } of blocks) {
      assert.strictEqual(rows[0], start)
      assert.isAtMost(rows.length, 100)
      rows.forEach((row, index) => {
        const piece = text.slice(row, rows[index + 1] ?? end)
        assert.isAtMost(piece.length, 8_002)
        assert.isTrue(piece.isWellFormed())
        assert.notInclude(piece.slice(0, -1), "\n")
      })
    }
  }), { numRuns: 60 })
})

it("a place knows its line, and a line its place", () => {
  fc.assert(fc.property(texts, fc.nat(), (text, chosen) => {
    const blocks = blocksOf(text)
    const offset = chosen % (text.length + 1)
    const block = blocks[blockAt(blocks, offset)]!
    assert.isTrue(block.start <= offset && offset <= block.end)
    assert.isTrue(block.rows[rowAt(block, offset)]! <= offset)
    const line = text.slice(0, offset).split("\n").length
    const ended = offset === text.length && text.endsWith("\n")
    assert.strictEqual(lineAt(text, blocks, offset), ended ? line - 1 : line)
    if (ended) return
    const start = text.lastIndexOf("\n", offset - 1) + 1
    assert.strictEqual(offsetOf(text, blocks, line), offset === 0 ? 0 : start)
    assert.isTrue(beginsLine(text, start))
  }), { numRuns: 200 })
})

it("reads line breaks as browsers do", () => {
  assert.strictEqual(normal("\uFEFFa\r\nb\rc\0"), "a\nb\nc\uFFFD")
})

it("finds words whatever their case, and as they are: no pattern, no end", () => {
  assert.deepStrictEqual(matchesOf("Line lInE (in] line", "LINE"), [[0, 4], [5, 9], [15, 19]])
  assert.deepStrictEqual(matchesOf("a (in] b.c", "(in] b.c"), [[2, 10]])
  assert.deepStrictEqual(matchesOf("text", ""), [])
  assert.strictEqual(matchesOf("x".repeat(50_000), "x").length, MOST)
})

it("a line that is named alone is its words, and beyond the end none", () => {
  const text = `one\n\nthree\n${"😀".repeat(600)}a\nlast\n`
  const words = (line: number, of = text) => {
    const span = wordsOf(of, blocksOf(of), line)
    return span && of.slice(...span)
  }
  assert.deepStrictEqual([1, 2, 3, 5, 6, 99].map((line) => words(line)), ["one", "", "three", "last", undefined, undefined])
  assert.strictEqual(words(4), "😀".repeat(500))
  assert.deepStrictEqual([words(1, "no break"), words(2, "no break"), words(1, "")], ["no break", undefined, ""])
})

it("of words that changed in their place and a copy of them elsewhere, those are meant whose surroundings are the same", () => {
  const quote = "The migration finished with three warnings about indexes."
  const rows = (amount: number) => Array.from({ length: amount }, (_, at) => `Row ${at} of what else happened on this day.`).join("\n")
  const text = `${rows(100)}\nWhat the evening brought us:\n${quote}\nThe morning after was quiet.\n${rows(1_000)}\nIn short:\n${quote}\n`
  const at = text.indexOf(quote)
  const said = quoted(text, [at, at + quote.length])
  const changed = text.replace("three warnings", "four warnings")
  assert.deepStrictEqual(located(changed, said, at), [at, at + quote.length - 1])
  // Moved with what is around them, they are where they went, though something like them stands in their place.
  const moved = `${rows(100)}\nThe migration finished with one warning about indexes.\n${rows(1_000)}\nWhat the evening brought us:\n${quote}\nThe morning after was quiet.\n`
  assert.deepStrictEqual(located(moved, said, at), [moved.indexOf(quote), moved.indexOf(quote) + quote.length])
})

it("words that stand unchanged somewhere are there, however alike those near their line are; changed, they are near it", () => {
  const lines = Array.from({ length: 2_000 }, (_, at) => `Line ${at} of a log that goes on for a while.`)
  const at = (text: string, words: string): [number, number] => [text.indexOf(words), text.indexOf(words) + words.length]
  const quote = "Line 1900 of a log"
  const text = lines.join("\n")
  // Said by somebody who named no line, and where a version later there are a thousand lines before it.
  assert.deepStrictEqual(located(text, { quote }, 0), at(text, quote))
  assert.deepStrictEqual(located(text, { quote }, text.indexOf("Line 900 ")), at(text, quote))
  const changed = text.replace("Line 1900 of a log", "The disk of the night is full")
  assert.deepStrictEqual(located(changed, { quote: "The disk of that night is full" }, text.indexOf(quote)), at(changed, "The disk of the night is full"))
  assert.isUndefined(located(changed, { quote: "The disk of that night is full" }, 0))
  const elsewhere = `Line 1899 of a log that goes on for a while.\r\nLine\u00a01900 of`
  assert.deepStrictEqual(located(text, { quote: elsewhere }, 0), at(text, lines[1899]!.concat("\nLine 1900 of")), "spaced as in the file or by hand")
  // Of the same words at several places, those near their line are meant.
  const twice = `${text}\n${text}`
  assert.deepStrictEqual(located(twice, { quote }, twice.length), [twice.lastIndexOf(quote), twice.lastIndexOf(quote) + quote.length])
})

it("a terminal's codes colour the words and are none of them", () => {
  const all = coloured("a \x1b[1;31mred\x1b[0m \x1b[7mx\n\x1b[27;38;5;8;4my\x1b(B\x1b[m \x1b]8;;https://a/\x1b\\link\x1b[2K \x1b[95mz")
  assert.strictEqual(all.text, "a red x\ny link z")
  const red = { color: "var(--bad)", fontWeight: "600" }
  assert.deepStrictEqual(piecesOf(all, 0, all.text.length).map(([words, style]) => [words, style.color, style.background !== undefined, style.textDecoration]), [
    ["a ", undefined, false, undefined], ["red", red.color, false, undefined], [" ", undefined, false, undefined], ["x\n", undefined, true, undefined],
    ["y", "var(--muted)", false, "underline"], [" link ", undefined, false, undefined], ["z", all.styles.at(-1)!.color, false, undefined]
  ])
  assert.deepStrictEqual(piecesOf(all, 3, 5), [["ed", red]])
  // Quoted from the file itself, they are in a comment's place.
  assert.deepStrictEqual(located(all.text, { quote: "\x1b[1;31mred\x1b[0m \x1b[7mx", prefix: "a ", suffix: "\n\x1b[27;38;5;8;4my\x1b(B" }, 0), [2, 7])
  const looks = (codes: string) => piecesOf(coloured(`\x1b[${codes}mx`), 0, 1)[0]![1]
  for (const codes of ["38:2::200:10:10", "38:2:200:10:10", "1;38:2:0:200:10:10;22"]) assert.deepStrictEqual(looks(codes), looks("38;2;200;10;10"), codes)
  assert.deepStrictEqual([looks("38:5:196"), looks("48:5:8")], [looks("38;5;196"), looks("48;5;8")])
  assert.deepStrictEqual(["4:3", "4:3;4:0", "31;58;2;0;0;0", "31;58:5:0"].map((codes) => [looks(codes).textDecoration, looks(codes).color]), [["underline", undefined], [undefined, undefined], [undefined, red.color], [undefined, red.color]])
  const code = fc.oneof(fc.array(fc.constantFrom("0", "1", "31", "38;5;99", "48;2;1;2;3", "7", "", "39", "107", "38", "999"), { maxLength: 4 }).map((codes) => `\x1b[${codes.join(";")}m`), fc.constantFrom("\x1b[2K", "\x1b", "[0m", "word", "\n"))
  fc.assert(fc.property(fc.array(code), fc.nat(), fc.nat(), (parts, one, other) => {
    const text = parts.join("")
    const drawn = coloured(text)
    assert.strictEqual(drawn.text, withoutCodes(text))
    const [from, to] = [one, other].map((at) => at % (drawn.text.length + 1)).toSorted((a, b) => a - b) as [number, number]
    assert.strictEqual(piecesOf(drawn, from, to).map(([words]) => words).join(""), drawn.text.slice(from, to))
  }))
})
