/** How a document begins, in plain words: every kind, hostile contents, and how long it takes to read. */
import { assert, describe, it } from "@effect/vitest"
import { BEGINNING, excerptIn } from "../../../../src/domain/projects/documents/excerpts.ts"
import { hides } from "../../../../src/domain/labels/model.ts"
import type { Kind } from "../../../../src/domain/projects/model.ts"
import { busyFor } from "../../../support/growth.ts"

const TYPES: Readonly<Record<"site" | "markdown" | "text", string>> = { site: "text/html; charset=utf-8", markdown: "text/markdown; charset=utf-8", text: "text/plain; charset=utf-8" }

const bytes = (text: string) => new TextEncoder().encode(text)
const of = (kind: keyof typeof TYPES, text: string) => excerptIn(kind, bytes(text), TYPES[kind])
const data = (type: string, text: string) => excerptIn("data", bytes(text), type)

describe("an excerpt", () => {
  it("of Markdown is its headings, paragraphs and items without their marks", () => {
    const table: ReadonlyArray<readonly [string, string | null]> = [
      ["---\ntitle: Front\n---\n# Brief **for** autumn 🍂\n\nA paragraph with *it*,\r\nwrapped, a [link](https://a.example) and `code`.", "Brief for autumn 🍂\nA paragraph with it, wrapped, a link and code."],
      ["Over\n===\n\n> Quoted\n> further\n\nOn", "Over\nQuoted further\nOn"],
      ["One\\\ntwo\n\n- three\\\n  four\n\n> five\\\n> six\\\\", "One two\n• three four\nfive six\\"],
      ["The [One] and [`two`], not `[one]`, [three] or ![one]\n\n- [ ] [one][] [four][one]\n\n[one]: https://a.example\n[`Two`]: #two", "The One and two, not [one], [three] or\n• one four"],
      ["> [!NOTE]\n> Quoted\n\n[!NOTE]", "Quoted\n[!NOTE]"],
      ["- one\n- [x] two\n  * three\n1. four\n2) five", "• one\n• two\n• three\n1. four\n2) five"],
      ["| A | B |\n|---|--:|\n| 1 | 2 |", "A · B\n1 · 2"],
      ["One\n\nA | B\n:--|--:\n1 | 2\n`3` | [4]\n\nNo | table\nat all\n\n> C | D\n> ---|---\n> 5 | 6\n\n[4]: #four", "One\nA · B\n1 · 2\n3 · 4\nNo | table at all\nC · D\n5 · 6"],
      ["A | B\n--|--\n1 | 2\n- three | 3\n- four\n\n## Five | 5\n6 | 7", "A · B\n1 · 2\n• three | 3\n• four\nFive | 5\n6 | 7"],
      ["# [Unreleased]\n\n## [1.0.0] - 2026\n\n### [Else]\n\n[unreleased]: #a\n[1.0.0]: #b", "Unreleased\n1.0.0 - 2026\n[Else]"],
      [`${"word ".repeat(78)}\n\n- lorem\n- ipsum`, `${"word ".repeat(78).trim()}\n• lorem`],
      [`${"word ".repeat(79)}ab\n\n- item\n- two`, `${"word ".repeat(79)}ab`],
      [`${"word ".repeat(78)}ab\n\n12. item`, `${"word ".repeat(78)}ab\n12. it…`],
      ["```sh\nrm -rf /\n```\n<!--\nhidden\n-->\n\n---\n\nSeen[^1]\n\n[^1]: note\n[to]: https://a.example", "Seen"],
      ["1. Do\n\n    ```sh\n    # comment\n    - flag\n    ```\n\nOn", "1. Do\nOn"],
      ["<p align=\"center\">\n<b>Bold</b>\n</p>", "Bold"],
      ["<Tabs>\n<Tab>\n\nAn Array<T>, <name>\n\n</Tab>\n</Tabs>", "An Array<T>, <name>"],
      [`<div>\n  <a\n  href="https://a.example"\n>\n<img src="${"long".repeat(60)}">\n- One</a>\n\n- [Of([a])](#of)`, "• One\n• Of([a])"],
      [`${"<b>word</b> ".repeat(20)}<i title="${"long ".repeat(300)}">`, "word ".repeat(20).trim()],
      [`${"[](#a)".repeat(160)}word [words](${"long".repeat(300)})`, "word"],
      ["![one](a.png)\n\n[![two](b.svg)](https://a.example)\n\n![three][3]", null],
      ["<script>\nalert(1)\n</script>", null],
      ["<style>img { width: 50% }</style>\n\nOne<script async>alert(1)</script >, `<style>two</style>`, <script>, three", "One, <style>two</style>, <script>, three"],
      ["Area:\n\n$$\n\\int_0^1 x\n$$\n\n\\[ y = 2 \\]\n\nEach $$x^2$$ is one, $$ to $$$ is none", "Area:\nEach … is one, $$ to $$$ is none"],
      ["# שלום עולם\n\nטקסט עם English", "שלום עולם\nטקסט עם English"],
      ["# 四半期報告\n\n売上は予定を上回った。", "四半期報告\n売上は予定を上回った。"]
    ]
    for (const [text, excerpt] of table) assert.strictEqual(of("markdown", text), excerpt, text)
  })

  it("of a page is what is read of it, a line for each block", () => {
    const table: ReadonlyArray<readonly [string, string | null]> = [
      ["<!doctype html><title>Tab</title><style>p{}</style><h1>A &amp; B</h1>\n<p>3 < 4, <b>bold</b>\n  and <i title='a>b'>on</i><!-- not this --></p>", "A & B\n3 < 4, bold and on"],
      ["<body><script>if (a < b) document.write('<p>no')</script ><noscript>no</noscript><svg><text>no</text></svg><p>Yes", "Yes"],
      ["<h1>A</h1><svg class=icon /><p>On</p>", "A\nOn"],
      ["<nav><a>Home</a><a>About</a></nav><main><h1>Here</h1><ul><li>one<li>two</ul></main>", "Here\none\ntwo"],
      ["<table><tr><th>A<th>B<tr><td>1</td><td>2</td></table><br>C", "A B\n1 2\nC"],
      ["<p>&#x202e;evil&#8203;&#0; &lt;b&gt;</p>", "evil\uFFFD <b>"],
      ["<p dir=rtl>مرحبا بالعالم</p>", "مرحبا بالعالم"],
      ["<a href=#a>Skip to content</a><div>Menu</div><script>'<main>'</script>in<main id=a><h1>Here</h1>on</main>after", "Here\non\nafter"],
      ["<div>Menu</div><header><h1>Title</h1><p>Tagline</p></header><main>Words</main>", "Title\nTagline\nWords"],
      ["Before<main></main>", "Before"],
      ["<div id=root></div><script src=a.js></script>", null],
      ["<img src=a.png alt=a><video src=b></video>", null],
      ["<p>never <closed", "never"],
      ["<p>never <!-- closed", "never"],
      ["<p>never <script>closed", "never"],
      ["", null]
    ]
    for (const [text, excerpt] of table) assert.strictEqual(of("site", text), excerpt, text)
    assert.strictEqual(excerptIn("site", Buffer.from("<meta charset=iso-8859-2><p>\xe8esky", "latin1"), "text/html"), "česky")
    assert.strictEqual(of("site", `<style>${"a{}".repeat(4_000)}</style><h1>Behind its styles</h1>`), "Behind its styles")
  })

  it("of text and data is their first lines, and of a table its first cells", () => {
    assert.strictEqual(of("text", "\uFEFF\r\n\n  In\r\n\n\n\tfrom\u0007 the\u202e left\n"), "  In\n\n  from the left")
    assert.strictEqual(of("text", "\x1b[1;31mERROR\x1b[0m it fell"), "ERROR it fell")
    assert.strictEqual(of("text", " \n\t\n"), null)
    assert.strictEqual(data("text/csv; charset=utf-8", "sep=;\na;\"b\tc\nd\";\"say \"\"x\"\"\";d;e\n\n1;2\n"), "a\tb c d\tsay \"x\"\td\n1\t2")
    assert.strictEqual(data("text/csv", "name,remark\nAda,A longer remark than a cell shows"), "name\tremark\nAda\tA longer remark than")
    assert.strictEqual(data("application/json", "{\"a\":[1,\"b, c\"]}\n"), "{\n  \"a\": [\n    1,\n    \"b, c\"\n  ]\n}")
    assert.strictEqual(data("application/json", "{\n \"a\": 1\n}"), "{\n \"a\": 1\n}")
    assert.strictEqual(data("application/x-ndjson", "{\"a\":1}\n{\"a\":2}"), "{\"a\":1}\n{\"a\":2}")
    for (const kind of ["pdf", "image", "video"] satisfies ReadonlyArray<Kind>) assert.isNull(excerptIn(kind, bytes("words"), "text/plain"))
  })

  it("is short, and holds nothing that is not seen", () => {
    assert.strictEqual(of("text", "line\n".repeat(50)), "line\n".repeat(14).trim())
    assert.strictEqual(of("markdown", `# Sales\n\n![Chart](data:image/png;base64,${"iVBORw0KGgo".repeat(300)})\n\nThey grew.`), "Sales\nThey grew.")
    assert.strictEqual(of("markdown", "word ".repeat(500)), `${"word ".repeat(80).slice(0, 399).trimEnd()}…`)
    const pictograms = of("text", "👩🏽‍🚀".repeat(300))!
    assert.isTrue(pictograms.isWellFormed() && pictograms.length <= 400)
    const signs = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code)).join("") + "\ud800\udc00\ud800"
    for (const kind of ["text", "markdown", "site"] as const) {
      for (let from = 0; from < signs.length; from += 200) {
        const excerpt = of(kind, `a${signs.slice(from, from + 200)}`) ?? ""
        assert.isFalse(excerpt.split("\n").some((line) => hides(line) || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)), `${kind} ${from}`)
      }
    }
    assert.match(data("text/csv", "a\u202e,b\u0000\n")!, /^a\tb$/)
  })

  it("looks for words in four thousand lines", () => {
    assert.strictEqual(of("markdown", `${"#\r".repeat(3_990)}words`), "words")
    assert.isNull(of("markdown", `${"#\r".repeat(4_000)}words`))
  })

  it("takes at most so much longer as there is more of it", () => {
    const hostile: ReadonlyArray<readonly [Kind, string, ReadonlyArray<string>]> = [
      ["site", TYPES.site, ["<", "<a ", "<a b='", "<!--", "</", "<script", "<style></style>", "<nav><", "&", "&amp", " ", "\n", "<p>", "<td>", "<meta "]],
      ["markdown", TYPES.markdown, ["# #", "*", "**a", "[", "![", "[](", "`", "``a", "> ", "- ", "| ", "---\n", "```\n", "<!--\n", "<a", "$$", "$$x", "\\[", "\n", "a\n"]],
      ["text", TYPES.text, ["\n", " ", "\t\n", "\u202e", "👩‍"]],
      ["data", "text/csv", ["\"", "a,\"", ",", "\n", ";\n"]],
      ["data", "application/json", ["[", "{\"", "\\\"", ","]]
    ]
    const spent = (kind: Kind, type: string, body: Uint8Array) =>
      Math.min(...Array.from({ length: 3 }, () => {
        const before = busyFor()
        excerptIn(kind, body, type)
        return (busyFor() - before) / 1000
      }))
    for (const [kind, type, units] of hostile) {
      for (const unit of units) {
        const whole = bytes(unit.repeat(BEGINNING))
        const [part, all] = [spent(kind, type, whole.subarray(0, BEGINNING / 4)), spent(kind, type, whole.subarray(0, BEGINNING))]
        // Four times the input; quadratic work would take sixteen times as long, and seconds.
        assert.isBelow(all, part * 10 + 50, `${kind} ${JSON.stringify(unit)}: ${part} and ${all} ms`)
      }
    }
  })
})
