/** Markdown as HTML: which of GitHub's features it has, what an author cannot do with it, and that it terminates. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import type { Root, RootContent } from "hast"
import rehypeRaw from "rehype-raw"
import { Renderer } from "../../../src/domain/ports/renderer.ts"
import type { Rendered } from "../../../src/domain/ports/renderer.ts"
import { renderDocument } from "../../../src/services/rendering/document.ts"
import { RendererMarkdown } from "../../../src/services/rendering/markdown.ts"
import { endless, hostile } from "../../support/hostile-markdown.ts"

const IMAGES = ["docs/a b.png", "x.png", "100%.svg", "docs/\u00e9t\u00e9.png"]

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** Precedes a text that could not be rendered. */
const said = (again: string) => `<p class="note">This document could not be formatted, so here is its text.${again}</p>`

const render = (text: string): Promise<Rendered> => renderDocument({ text, path: "docs/README.md", images: IMAGES }, { colours: true })

/** What the HTML of each must contain, word for word. */
const features: Readonly<Record<string, readonly [markdown: string, ...html: ReadonlyArray<string>]>> = {
  "a table with its columns aligned": ["|a|b|\n|:-:|-:|\n|1|2|", "<div class=\"table-scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>", "<th align=\"center\">a</th>", "<td align=\"right\">2</td>"],
  "a task list": ["- [x] done **so**\n- [ ] not\n  - below", "<label><input type=\"checkbox\" checked disabled> done <strong>so</strong></label>", "<label><input type=\"checkbox\" disabled> not\n</label><ul>"],
  "several checkboxes in a line": ["Who: <input type=\"checkbox\"> Ada <input type=\"checkbox\" checked> **Bob** <input type=\"checkbox\">", "<p>Who: <label><input type=\"checkbox\" disabled> Ada </label><label><input type=\"checkbox\" checked disabled> <strong>Bob</strong> </label><input type=\"checkbox\" disabled aria-label=\"Task\"></p>"],
  "strikethrough": ["~~gone~~ ~too~ ~~5~10~~", "<del>gone</del> <del>too</del> <del>5~10</del>"],
  "ranges, which strike nothing through": ["~500 of 5~10 and 6~12, 3시~5시\n\n|5~10|6~12|\n|-|-|", "<p>~500 of 5~10 and 6~12, 3시~5시</p>", "<th>5~10</th>\n<th>6~12</th>"],
  "emphasis where no spaces stand between words": ["**注意：**这是**“重点”。**后面 *斜。***「強調」**です **강조(emph)**는 他说：**好**（**是**）\n\n**结论。**\n** 空 ** a **b:**c", "<p><strong>注意：</strong>这是<strong>“重点”。</strong>后面 <em>斜。</em><strong>「強調」</strong>です <strong>강조(emph)</strong>는 他说：<strong>好</strong>（<strong>是</strong>）</p>", "<strong>结论。</strong>\n** 空 ** a **b:**c</p>"],
  "autolinks": ["www.example.com and a@example.com", "<a href=\"http://www.example.com/\" target=\"_blank\" rel=\"noopener noreferrer nofollow\">", "<a href=\"mailto:a@example.com\">"],
  "footnotes there and back": ["a[^n]\n\n[^n]: note", "<a id=\"md-fnref-n\" data-footnote-ref=\"\" aria-describedby=\"md-footnote-label\" href=\"#md-fn-n\">1</a>", "<li id=\"md-fn-n\">", "href=\"#md-fnref-n\">↩</a>"],
  "headings of one name, each with an address": ["# Same\n## Same\n[a](#same) [b](#Same-1) [c](README.md#same) [d](#none)", "<h1 id=\"md-same\">", "<h2 id=\"md-same-1\">", "<a class=\"anchor\" href=\"#md-same\" aria-label=\"Link to “Same”\">", "<a href=\"#md-same\">a</a> <a href=\"#md-same-1\">b</a> <a href=\"#md-same\">c</a> <a href=\"#none\">d</a>"],
  "headings that its contents name otherwise than GitHub does": ["## 📊 Key Findings\n## R&D – Costs\n## Step 1️⃣\n## Step-1\n[a](#key-findings) [b](#📊-key-findings) [c](#rd-costs) [d](#step1) [e](#step-1) [f](#-)", "<a href=\"#md--key-findings\">a</a> <a href=\"#md--key-findings\">b</a> <a href=\"#md-rd--costs\">c</a> <a href=\"#md-step-1%EF%B8%8F%E2%83%A3\">d</a> <a href=\"#md-step-1\">e</a> <a href=\"#-\">f</a>"],
  "addresses as a telephone writes them": ["[a](Https://example.com) Https://example.com [b](MAILTO:a@example.com) [c](JavaScript:x)", "<p><a href=\"https://example.com/\" target", "\">a</a> <a href=\"https://example.com/\" target", "<a href=\"mailto:a@example.com\">b</a> <a>c</a></p>"],
  "an old anchor": ["<a name=\"there\"></a>[go](#there)", "<a id=\"md-there\"></a><a href=\"#md-there\">go</a>"],
  "code in colours, by classes": ["```ts\nconst a = \"<b>\"\n```", "<div class=\"code\"><pre tabindex=\"0\"><code><span class=\"t-keyword\">const", "<span class=\"t-string-expression\">\"&#x3C;b>\""],
  "code in colours, whatever else its first line says": ["```rust,ignore\nfn a() {}\n```\n\n```js{1,3}\nconst a = 1\n```", "<span class=\"t-keyword\">fn ", "<span class=\"t-keyword\">const "],
  "a diagram as its source, which the viewer draws": ["```Mermaid {a}\ngraph TD\n```\n\n<pre class=\"mermaid\"><code>x</code></pre>\n\n`a`", "<div class=\"code\"><pre class=\"mermaid\" tabindex=\"0\"><code>", "<pre tabindex=\"0\"><code>x</code></pre>"],
  "code in no language that we know": ["```nonesuch\n<b>\n```", "<code>&#x3C;b>\n</code>"],
  "front matter, which only gives a title": ["---\ntitle: \"A: title\"\nsecret: yes\n---\ntext", "<h1 id=\"md-title\">A: title<a"],
  "front matter as other programs write it": ["\r\n\n---\r\n# secret\r\ntitle: A\r\nsecret: |\r\n  yes\r\n...\r\ntext\n\n---\n\nend", "<h1 id=\"md-title\">A<a", "</h1><p>text</p>\n<hr>\n<p>end</p>"],
  "front matter that says nothing": ["---\n---\n\ntext\n\n---\n\nend", "<p>text</p>\n<hr>\n<p>end</p>"],
  "what stands between two rules at its beginning": ["---\n\n# A\n\nIntro: all.\n\n---\n\n## B", "<hr>\n<h1 id=\"md-a\">A<a", "</h1>\n<p>Intro: all.</p>\n<hr>\n<h2 id=\"md-b\">B"],
  "a note between two rules at its beginning": ["---\nNote: a draft.\n\nMore of it.\n\n---\n\nend", "<hr>\n<p>Note: a draft.</p>\n<p>More of it.</p>\n<hr>\n<p>end</p>"],
  "an image of the same version": ["![there](<a b.png>) ![up](../x.png) ![odd](/100%25.svg)", "<img src=\"/docs/a%20b.png\" alt=\"there\" loading=\"lazy\" decoding=\"async\">", "<img src=\"/x.png\" alt=\"up\"", "<img src=\"/100%25.svg\""],
  "an image of the same version, named as a Mac writes it": ["![summer](e\u0301te\u0301.png) ![encoded](e%CC%81te%CC%81.png)", "<img src=\"/docs/%C3%A9t%C3%A9.png\" alt=\"summer\"", "<img src=\"/docs/%C3%A9t%C3%A9.png\" alt=\"encoded\""],
  "an image and a page, named as Windows writes it": ["![up](..\\x.png) [next](guide\\start.md?q=a%5Cb) [far](https://example.com/a%5Cb)", "<img src=\"/x.png\" alt=\"up\"", "<a href=\"/docs/guide/start.md?q=a%5Cb\">next</a>", "<a href=\"https://example.com/a%5Cb\""],
  "an image of somebody else's, which is not asked for": ["![chart](https://example.com/c.png) [![badge](https://example.com/b.svg)](https://example.org)", "<a class=\"image-elsewhere\" href=\"https://example.com/c.png\" target=\"_blank\" rel=\"noopener noreferrer nofollow\">chart</a>", "<a href=\"https://example.org/\" target=\"_blank\" rel=\"noopener noreferrer nofollow\"><span class=\"image-missing\">badge</span></a>"],
  "an image for one theme": ["![a](../x.png#gh-dark-mode-only) ![b](https://example.com/b.png#gh-light-mode-only) ![c](c.png#gh-dark-mode-only)", "<img src=\"/x.png\" alt=\"a\" loading=\"lazy\" decoding=\"async\" class=\"only-dark\">", "<a class=\"image-elsewhere only-light\"", "<span class=\"image-missing only-dark\">c</span>"],
  "an image that is not there": ["![gone](gone.png)", "<span class=\"image-missing\">gone</span>"],
  "an image that it brings along": [`![chart](data:image/png;base64,${PIXEL}) ![photo][p] <img src="data:image/webp;base64,UklGRg==" width="4">\n\n[p]: <data:image/jpeg;base64,/9j/4A+A>`, `<img src="data:image/png;base64,${PIXEL}" alt="chart" loading="lazy" decoding="async">`, "<img src=\"data:image/jpeg;base64,/9j/4A+A\" alt=\"photo\"", "<img src=\"data:image/webp;base64,UklGRg==\" alt=\"\" loading=\"lazy\" decoding=\"async\" width=\"4\">"],
  "links within the project": ["[a](other.md) [b](/top.md?x#y) [c](../up.md)", "<a href=\"/docs/other.md\">a</a> <a href=\"/top.md?x#y\">b</a> <a href=\"/up.md\">c</a>"],
  "what begins in Hebrew or Arabic from the right, with bullets and columns": ["## \u05d0\n\n1. `x` \u05d0\n   - \u05d1\n   - en\n\n> \u0627\n\n|\u05d0|b|\n|-|-|\n\n- English\n  - \u05d0", "<h2 id=\"md-א\" dir=\"rtl\">", "<ol dir=\"rtl\">\n<li><code>x</code> \u05d0\n<ul>", "<blockquote dir=\"rtl\">", "aria-label=\"Table\" dir=\"rtl\"><table dir=\"rtl\">", "<ul>\n<li>English\n<ul dir=\"rtl\">"],
  "what begins in English within it from the left": ["- \u05d0\n  - b", "<ul dir=\"rtl\">\n<li>\u05d0\n<ul dir=\"ltr\">\n<li>b"],
  "alerts, whose names are not their authors' words": ["> [!NOTE]\r\n> one *more*\n\n> [!warning]  \n> `x`\n\n> [!TIP]\n>\n> - \u05d0", "<blockquote class=\"alert alert-note\" role=\"note\"><p class=\"alert-name\" lang=\"en\"><svg width=\"20\" height=\"20\" viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path d=", "</svg>Note</p>\n<p>one <em>more</em></p>\n</blockquote>", "</svg>Warning</p>\n<p>\n<code>x</code></p>", "<blockquote dir=\"rtl\" class=\"alert alert-tip\" role=\"note\"><p class=\"alert-name\" lang=\"en\">", "</svg>Tip</p>\n\n<ul>"],
  "quotes that are no alerts": ["> [!NOTE]\n\n> [!NOTE] here\n\n> [!NOTE]**x**\n\n> [!BUG]\n> x\n\n[!NOTE]\nx", "<blockquote>\n<p>[!NOTE]</p>\n</blockquote>\n<blockquote>\n<p>[!NOTE] here</p>\n</blockquote>\n<blockquote>\n<p>[!NOTE]<strong>x</strong></p>\n</blockquote>\n<blockquote>\n<p>[!BUG]\nx</p>\n</blockquote>\n<p>[!NOTE]\nx</p>"],
  "formulas between lines, and as it is written what is no TeX": ["So:\r\n$$\r\nc^*_2 &= *x* \\\\\n  a &= \\{b\\}\n$$\nand on.\n\n- item\n\n  $$\n  x\n  $$\n\n> $$\n> y\n> $$\n\n$$\n1\n$$\n$$\n2\n$$", "<p>So:</p>\n<div class=\"code\"><pre tabindex=\"0\"><code>$$\nc^*_2 &#x26;= *x* \\\\\n  a &#x26;= \\{b\\}\n$$\n</code></pre></div>\n<p>and on.</p>", "<p>item</p>\n<div class=\"formula\" tabindex=\"0\" role=\"group\" aria-label=\"Formula\"><math display=\"block\" class=\"tml-display\" alttext=\"x\"><mi>x</mi></math></div>", "<blockquote>\n<div class=\"formula\"", "<mi>y</mi>", "<mn>1</mn></math></div>\n<div class=\"formula\""],
  "formulas whose lines are aligned, and those of a fence": ["$$\n\\begin{aligned}a&=b\\\\c&=d\\end{aligned}\n$$\n\n```math\n\\color{red}\\frac{1}{3}\n```", "<mtable displaystyle=\"true\" class=\"tml-jot\"><mtr><mtd class=\"tml-right\"><mi>a</mi></mtd><mtd class=\"tml-left\">", "<mfrac", "mathcolor=\"#ff0000\""],
  "what encloses a part of a formula, where it is drawn": ["$\\boxed{x}$ $\\overline{z}$ $\\cancel{y}$ $\\phase{w}$", "class=\"tml-border\"><mi>x</mi></mrow>", "<menclose notation=\"top\" class=\"tml-overline\"><mi>z</mi></menclose>", "<menclose notation=\"updiagonalstrike\"><mi>y</mi>", " $\\phase{w}$</p>"],
  "formulas over lines, with a command of TeX": [
    "So $$\\begin{align}\na &= b \\\\\nc_1 &= d_1\n\\end{align}$$, and\n\n- $$x = \\frac{1}{2}\n  * 3\n  $$\n\n$$\n\\begin{cases}\n1 \\\\ 2\n\\end{cases}$$\n\n$$ to\n*x* $$",
    "<p>So <math display=\"block\" class=\"tml-display\" alttext=\"\\begin{align} a &#x26;= b \\\\ c_1 &#x26;= d_1 \\end{align}\">", "</math>, and</p>", "alttext=\"\\begin{cases} 1 \\\\ 2 \\end{cases}\">", "<p>$$ to\n<em>x</em> $$</p>"
  ],
  "formulas in a line, in code none, and in headings": ["So $a^*b^*$, *$\\{x_1\\}$*, $$c^*_2 d^*$$ ($x$), $\\$_5_$. \\frac{1$.\n\n`$y$` <code>$z$</code>\n\n# Of $x_1$", "<p>So <math alttext=\"a^*b^*\"><mrow><msup><mi>a</mi><mo", "<em><math alttext=\"\\{x_1\\}\">", "<math display=\"block\" class=\"tml-display\" alttext=\"c^*_2 d^*\">", "(<math alttext=\"x\"><mi>x</mi></math>)", "<p><code>$y$</code> <code>$z$</code></p>", "<h1 id=\"md-of-x_1\">Of <math alttext=\"x_1\">"],
  "formulas in TeX’s own brackets": [
    "So \\(a^*b^*\\), \\( n \\) and \\(O(n)\\), **\\(y\\)**: \\[ c^*_2 \\] and on.\r\n\r\n\\[\r\nE = *m*c^2 \\\\[2ex]\r\n\\frac{1}{2}\r\n\\]\r\n\n> - \\[\n>   x = y\n>   \\]\n\n| \\(x_1\\) |\n|-|\n\n# Of \\(x^2\\)",
    "<p>So <math alttext=\"a^*b^*\">", "<math alttext=\"n\">", "<math alttext=\"O(n)\">", "<strong><math alttext=\"y\">", "<math display=\"block\" class=\"tml-display\" alttext=\"c^*_2\">", "</math> and on.</p>",
    "aria-label=\"Formula\"><math display=\"block\" class=\"tml-display\" alttext=\"E = *m*c^2 \\\\[2ex]\n\\frac{1}{2}\">", "<li>\n<div class=\"formula\"", "alttext=\"x = y\">", "<th><math alttext=\"x_1\">", "\">Of <math alttext=\"x^2\">"
  ],
  "brackets that are no formula’s, as they were meant": [
    "Option \\(a\\), \\(2024\\) and \\(see below\\), \\[1\\] \\[a link\\](x) \\[x^2\\](y) \\[snake_case\\] \\[--name=NAME\\]; `\\(x^2\\)` and \\\\(x^2\\\\). \\(x^2 and \\(a **b\\) c^2**\\)\n\nto \\)\n\n<pre>\\(y^2\\)</pre>",
    "<p>Option (a), (2024) and (see below), [1] [a link](x) [x^2](y) [snake_case] [--name=NAME]; <code>\\(x^2\\)</code> and \\(x^2\\). (x^2 and (a <strong>b) c^2</strong>)</p>\n<p>to )</p>", "\\(y^2\\)</pre>"
  ],
  "brackets as converters write them, about what only looks like TeX": [
    "\\[_sic_\\] \\(see _this_ thing\\) \\[foo\\_b\\] \\[\\_\\_\\_\\] \\[^1\\] \\[C:\\\\users\\\\me\\] \\[n=5\\] \\[@a_2020; @b\\] \\(see <https://example.com/c_d>\\)\n\n\\[>50%\\]\n\n\\(x^2\\) of file\\(s\\)",
    "<p>[<em>sic</em>] (see <em>this</em> thing) [foo_b] [___] [^1] [C:\\users\\me] [n=5] [@a_2020; @b] (see <a href=\"https://example.com/c_d\"", "<p>[>50%]</p>", "</math> of file(s)</p>"
  ],
  "formulas in brackets, by each sign of one": ["\\(\\|v\\|_2\\) \\([0,1]^n\\) \\(∇_x f\\) \\({}^2\\) \\(x ^ 2\\) \\(\\nabla f\\) \\(> 0\\)\nand\n\\[ x = y \\]", ...["\\|v\\|_2", "[0,1]^n", "∇_x f", "{}^2", "x ^ 2", "\\nabla f", "> 0", "x = y"].map((tex) => `alttext="${tex}"`)],
  "formulas with bars in a table": ["|a|b|\n|-|-|\n|\\(P(A\\|B)_1\\)|$P(B\\|A)$|", "<td><math alttext=\"P(A|B)_1\">", "<td><math alttext=\"P(B|A)\">"],
  "formulas of words without a sign of TeX, on lines of their own": ["So\n\\[\nF = ma\n\\]\n\n\\[\nkWh = kW h\n\\]\n\n\\[see a = b\n\\]\n\n\\[\nsee below\n\\]", "<p>So\n<math display=\"block\" class=\"tml-display\" alttext=\"F = ma\">", "alttext=\"kWh = kW h\">", "<p>[see a = b\n]</p>", "<p>[\nsee below\n]</p>"],
  "a letter in brackets, beside a formula between lines of dollars": ["$$\nE\n$$\n\nLet \\(y\\) be.", "<p>Let <math alttext=\"y\">"],
  "a letter in brackets, beside a formula of dollars, and what is no TeX": ["Let $x$ be \\(y\\), \\(\\nothing\\).\n\n\\[\n\\nothing\n\\]", "be <math alttext=\"y\">", ", \\(\\nothing\\).</p>", "<pre tabindex=\"0\"><code>\\[\n\\nothing\n\\]\n</code></pre>"],
  "no formula in the place of more than it": ["<pre>before <code class=\"language-math\">x</code> after</pre>", "before <code", "x</code> after"],
  "formulas that would do more than be drawn as they are written": ["$\\href{javascript:alert(1)}{y}$ and $\\includegraphics{x.png}$ and $\\class{bar}{z}$", "<p>$\\href{javascript:alert(1)}{y}$ and $\\includegraphics{x.png}$ and "],
  "other dollars as what they are": ["$5 *and* $6, US$7 *or* 8$, $5-*x*-$6, $a `b$` **$5** or **6$** [$7](x) or [8$](y) <b>$9</b> <i>x$</i>, $ *x*$\n\n$*x*\ny$", "<p>$5 <em>and</em> $6, US$7 <em>or</em> 8$, $5-<em>x</em>-$6, $a <code>b$</code> <strong>$5</strong> or <strong>6$</strong> <a href=\"/docs/x\">$7</a> or <a href=\"/docs/y\">8$</a> <b>$9</b> <i>x$</i>, $ <em>x</em>$</p>\n<p>$<em>x</em>\ny$</p>"],
  "prices as prices": ["$5 and $10, $$ or $$$\n\n$$\n\n**cheap**\n\n$$ to $$\n\nuse\n$$\n*x\n$$\ny*", "<p>$5 and $10, $$ or $$$</p>\n<p>$$</p>\n<p><strong>cheap</strong></p>\n<p>$$ to $$</p>\n<p>use\n$$\n<em>x\n$$\ny</em></p>"],
  "tags that are words, and all that follows them": ["An Array<Object>, <select name=\"a\">, the <title> and <input>, *<name>* or <Tabs />\n\n- <template>\n- <object/>\n\n<div>\n<applet>\n</div>\n\nafter", "<p>An Array&#x3C;Object>, &#x3C;select name=\"a\">, the &#x3C;title> and &#x3C;input>, <em>&#x3C;name></em> or &#x3C;Tabs /></p>", "<li>&#x3C;template></li>\n<li>\n&#x3C;object/>\n</li>", "<div>\n&#x3C;applet>\n</div>\n<p>after</p>"],
  "tags that are to be filled in": ["<your-token>\n\n- <your-name>\n- <insert text here>\n\nDear <your name>, <T extends U>\n\n> <Tabs>\n>\n> *a*\n>\n> </Tabs>\n\n<TOC />\n\n<font>\n\n<div>\n\nend", "<p>&#x3C;your-token></p>\n<ul>\n<li>&#x3C;your-name></li>\n<li>&#x3C;insert text here></li>\n</ul>\n<p>Dear &#x3C;your name>, &#x3C;T extends U></p>\n<blockquote>\n\n<p><em>a</em></p>\n\n</blockquote>\n\n\n<div>\n<p>end</p></div>"],
  "tags that are tags, which are not shown": ["a <Foo>b</Foo> <font>c</font> <Bar x=\"y\"/> <video>no</video> <svg/>d <select><option>no</select>\n\n<object>\n\nno\n\n</object>\n\nafter", "<p>a b c   d </p>\n\n<p>after</p>"],
  "sides as its author says": ["<ul dir=\"ltr\"><li>\u05d0<ol><li>\u05d0</li></ol></li></ul>", "<ul dir=\"ltr\"><li>\u05d0<ol><li>"],
  "the HTML that words need": ["<details><summary>More</summary>\n\n**inside**\n\n</details>\n\nH<sub>2</sub>O <kbd>Ctrl</kbd>", "<details><summary>More</summary>\n<p><strong>inside</strong></p>\n</details>", "<sub>2</sub>", "<kbd>Ctrl</kbd>"]
}

describe("a document", () => {
  for (const [name, [markdown, ...expected]] of Object.entries(features)) {
    it(`has ${name}`, async () => {
      const { html } = await render(markdown)
      for (const part of expected) assert.include(html, part)
      assert.notMatch(html, / style=|secret/)
    })
  }

  it("tells its title and its headings", async () => {
    const { headings, title } = await render("# A *b*\n\n## C\n\n#### deep\n\n> # quoted\n")
    assert.deepStrictEqual(headings, [{ id: "md-a-b", depth: 1, text: "A b" }, { id: "md-c", depth: 2, text: "C" }])
    assert.strictEqual(title, "A b")
    assert.strictEqual((await render("+++\ntitle = 'T'\n+++\n# H")).title, "T")
    assert.isNull((await render("only words")).title)
    const pictured = await render("# svc ![](https://a.example/b.svg) [![build](b.svg)](https://a.example)\n\n## ![Logo](https://a.example/l.svg)\n\n## 🎉")
    assert.deepStrictEqual(pictured.headings.map(({ depth, text }) => [depth, text]), [[1, "svc"], [2, "Logo"], [2, "🎉"]])
    assert.strictEqual(new Set(pictured.headings.map(({ id }) => id)).size, 3)
  })

  it("says the words around a thousand checkboxes once", async () => {
    const text = `${"word ".repeat(2_000)}${"<input type=\"checkbox\"> x ".repeat(1_000)}`
    assert.isBelow((await render(text)).html.length, 2 * text.length)
  })

  it("cuts what is long, and no sign in two", async () => {
    const [long, mark] = ["a".repeat(199), "a".repeat(79)]
    const { headings, title } = await render(`# ${long}😀 text`)
    assert.deepStrictEqual([title, headings[0]?.text], [long, long])
    assert.strictEqual((await render(`---\ntitle: ${long}😀 text\n---\nwords`)).title, long)
    assert.include((await render(`# ${mark}😀 text`)).html, `“${mark}”`)
  })

  it("comes out the same every time, in colours as far as they go", async () => {
    const block = (lines: number) => "```json\n" + `${"0".repeat(999)}\n`.repeat(lines) + "```\n\n"
    const colours = async (markdown: string) => (await render(markdown)).html.split("<pre").slice(1).map((pre) => pre.includes("t-"))
    assert.deepStrictEqual(await colours(block(64) + block(66)), [true, false])
    assert.deepStrictEqual(await colours(block(60).repeat(4) + block(10)), [true, true, true, false, true])
    const mixed = features["code in colours, by classes"]![0]
    assert.strictEqual((await render(mixed)).html, (await render(mixed)).html)
  })
})

describe("a document beyond the bounds", () => {
  const count = (html: string, part: string) => html.split(part).length - 1

  it("nests no deeper than a hundred: further signs are signs", async () => {
    for (const sign of [">", "> ", "- ", "1. ", ">- "]) {
      const { html } = await render(`${sign.repeat(5_000)}x`)
      assert.isAtMost(count(html, "<blockquote>") + count(html, "<li>"), 100, sign)
      assert.include(html.replace(/<[^>]*>/g, ""), sign.trimEnd(), sign)
    }
    const ten = await render(`${"> ".repeat(10)}${"- ".repeat(10)}x`)
    assert.deepStrictEqual([count(ten.html, "<blockquote>"), count(ten.html, "<li>")], [10, 10])
    assert.strictEqual(count((await render(Array.from({ length: 200 }, (_, deep) => `${"  ".repeat(deep)}- x\n`).join(""))).html, "<ul>"), 50)
  })

  it("or well within them has lists and quotes that go on from line to line", async () => {
    const { html } = await render("- a\n- b\n\n  c\n- d\n\n1. e\n2. f\n\n> g\n>\n> h\n> - i\n> - j\n")
    assert.deepStrictEqual(["<ul>", "<ol>", "<blockquote>", "<li>"].map((part) => count(html, part)), [2, 1, 1, 7])
  })

  it("has a thousand pairs of signs in a paragraph, and as many again in the next", async () => {
    for (const [pair, tag] of [["*x* ", "<em>"], ["~~x~~ ", "<del>"], ["[x](y) ", "<a "]] as const) {
      const paragraph = pair.repeat(1_100).trim()
      const { html } = await render(`${paragraph}\n\n${paragraph}`)
      assert.strictEqual(count(html, tag), 2_000, pair)
      assert.include(html, pair.trim())
    }
  })
})

type Node = Root | RootContent

/** Parsed as a browser would. */
const parsed = (html: string): Root => rehypeRaw()({ type: "root", children: [{ type: "raw", value: html }] }, undefined as never) as Root

const all = (node: Node): ReadonlyArray<Node> => [node, ...("children" in node ? node.children.flatMap(all) : [])]

const ELEMENTS = /^(?:a|abbr|b|blockquote|br|caption|code|del|details|div|em|h[1-6]|hr|i|img|input|label|li|m(?:ath|enclose|frac|i|n|o|over|padded|row|space|sqrt|style|su[bp]|subsup|table|td|text|tr|under|underover)|ol|p|pre|s|section|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|ul)$/
const ATTRIBUTES = /^(?:align|alt|alttext|aria(?:DescribedBy|Label)|checked|className|colSpan|dataFootnote(?:Ref|s|Backref)|decoding|dir|disabled|display|displaystyle|fence|form|height|href|id|lang|loading|lspace|mathcolor|movablelimits|notation|open|rel|rspace|role|scriptlevel|src|stretchy|tabIndex|target|title|type|width)$/

describe("a hostile document", () => {
  const inert = ({ html }: Rendered, source: string) => {
    for (const node of all(parsed(html)).filter(({ type }) => type !== "root" && type !== "text")) {
      assert.match(node.type === "element" ? node.tagName : node.type, ELEMENTS, source)
      for (const [name, given] of Object.entries(node.type === "element" ? node.properties : {})) {
        const value = String(given)
        assert.match(name, ATTRIBUTES, source)
        if (name === "href") assert.match(value, /^(?:https?:\/\/[^/]|mailto:|tel:|#|\/(?!\/|_svc|%5fsvc|\.\/)[^\\]*$|\/$)/i, source)
        if (name === "src") assert.match(value, /^\/(?:docs\/a%20b|x)\.png$/, source)
        if (name === "id") assert.match(value, /^md-/, source)
      }
    }
  }

  it(`is words and nothing else, in ${hostile.length} ways and all of them at once`, async () => {
    for (const piece of hostile) inert(await render(piece), piece)
    inert(await render(hostile.join("\n\n")), "all")
    inert(await render(hostile.slice(0, -1).join(" ")), "all in one paragraph")
  })

  it("is formulas and nothing else, which end however they are nested and named", async () => {
    const nested = (begin: string, end: string) => `${begin.repeat(3_000)}x${end.repeat(3_000)}`
    for (const tex of [
      "\\href{javascript:alert(1)}{y}", "\\url{https://evil.example}", "\\includegraphics[height=9em]{https://evil.example/x.png}", "\\class{bar}{z}", "\\id{a}{b}", "\\style{position:fixed}{x}",
      "\\data{a=b}{c}", "\\text{<script>alert(1)</script>}", "x \\tag{<img src=x onerror=1>}", "\\color{url(javascript:alert(1))}x", "\\colorbox{red}{x}", "\\rule{1e9em}{1e9em}", "\\cancel{x}", "\\phase{x}", "\\boxed{x}", "\\unicode{x3c}",
      "\\def\\a{\\a\\a}\\a", "\\def\\a{xx}\\def\\b{\\a\\a\\a\\a\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b\\b\\b\\b\\b}\\c\\c\\c\\c\\c\\c\\c\\c", nested("{", "}"), nested("\\sqrt{", "}"), nested("\\left(", "\\right)")
    ]) inert(await render(`So $${tex}$ and \\(${tex}\\).\n\n$$\n${tex}\n$$\n\n\\[\n${tex}\n\\]`), tex)
  })
})

layer(Layer.merge(RendererMarkdown({ ms: 150, megabytes: 8 }), Logger.layer([])), { excludeTestServices: true })("a renderer without room for its threads", (it) => {
  it.effect("shows the text, and says that this is nothing of the document's doing", () =>
    Effect.gen(function*() {
      const { render } = yield* Renderer
      for (const text of ["# One", "# Two\n\n```js\nlet a\n```"]) {
        const { html, short } = yield* render({ text, path: "a.md", images: [] })
        assert.deepStrictEqual([html.startsWith(`${said(" Load the page again in a moment.")}<pre class="plain"`), short], [true, "unbegun"])
      }
      // A text that pictures were taken out of has something in their place that people can read; and no name makes it useless.
      const { html, short, spilled } = yield* render({ text: "![a](data:image/png;base64,picture-0f-35-5000)", path: "a.md", images: [], pictures: { mark: "picture-0f", address: "/x?v=1" } })
      assert.deepStrictEqual([html.includes("its text without its pictures. Load the page again in a moment.</p>"), html.includes("![a](data:image/png;base64,…)"), short, spilled], [true, true, "unbegun", undefined])
    }))
})

const within = (ms: number) => Layer.merge(RendererMarkdown({ ms, secondMs: 100, megabytes: 96 }), Logger.layer([]))

layer(within(150), { excludeTestServices: true })("an impatient renderer", (it) => {
  it.effect("ends whatever it is given, and shows as text what defeats it", () =>
    Effect.gen(function*() {
      const { render } = yield* Renderer
      const outcomes = yield* Effect.forEach(Object.entries(endless), ([name, text]) =>
        Effect.map(render({ text, path: "a.md", images: [] }), ({ html, short }) => ({ name, html, short })), { concurrency: 2 })
      for (const { html, name } of outcomes) assert.isTrue(html.length > 20, name)
      const plain = outcomes.find(({ name }) => name === "nested elements")!
      // Ended by the time limit, or on a fast machine by the limit of depth.
      assert.oneOf(plain.short, ["late", undefined])
      assert.isTrue(plain.html.startsWith(`${said(plain.short === "late" ? " Tomorrow it is tried again." : "")}<pre class="plain" tabindex="0">\n&lt;div&gt;&lt;div&gt;`))
    }))
})

layer(within(400), { excludeTestServices: true })("the renderer", (it) => {
  it.effect("goes on after one that took too long, and never in the way of this thread", () =>
    Effect.gen(function*() {
      const { render } = yield* Renderer
      let ticks = 0
      const timer = setInterval(() => ticks++, 5)
      const [slow, next] = yield* Effect.all([
        render({ text: endless["a million brackets"]!, path: "a.md", images: [] }),
        Effect.retry(Effect.flatMap(render({ text: "# Next", path: "a.md", images: [] }), ({ headings, html }) =>
          headings.length === 1 ? Effect.succeed(html) : Effect.fail("slow")), { times: 50 })
      ], { concurrency: 2 })
      clearInterval(timer)
      assert.strictEqual(slow.short, "late")
      assert.include(next, "<h1 id=\"md-next\">")
      assert.isAbove(ticks, 5)
    }))
})
