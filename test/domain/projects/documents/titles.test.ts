/** A document's title if nobody gives one: its own title, as plain text. */
import { assert, describe, it } from "@effect/vitest"
import { titleIn, titleOfName } from "../../../../src/domain/projects/documents/titles.ts"
import { busyFor, growth } from "../../../support/growth.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

describe("a page's title", () => {
  const html = (head: string | Uint8Array, type = "text/html; charset=utf-8") => titleIn("site", typeof head === "string" ? bytes(head) : head, type)

  it("has its characters decoded once", () => {
    assert.strictEqual(html("<title>Preise &ndash; M&uuml;ller &#8222;A&#x201c; &amp; S&ouml;hne&nbsp;GmbH</title>"), "Preise – Müller „A“ & Söhne GmbH")
    assert.strictEqual(html("<title>On &amp;lt;b&amp;gt;, &lt;b&gt; &apos;x&apos; &quot;y&quot;</title>"), `On &lt;b&gt;, <b> 'x' "y"`)
    assert.strictEqual(html("<title>AT&T &unheard; a < b</title>"), "AT&T &unheard; a < b")
  })

  it("is the page's, in the encoding of the page", () => {
    assert.strictEqual(html("<!-- <title>Template</title> --><titles>x</titles><TITLE lang=en>\n Real \n</TITLE>"), "Real")
    const latin = (text: string) => html(Buffer.from(text, "latin1"), "text/html")
    assert.strictEqual(latin("<meta charset=iso-8859-2><title>\xe8esky</title>"), "česky")
    assert.strictEqual(latin("<title>M\xfcller</title>"), "Müller")
    assert.strictEqual(html(Buffer.from("\uFEFF<title>東京</title>", "utf16le"), "text/html; charset=utf-16le"), "東京")
    assert.strictEqual(html(Buffer.from("\uFEFF<title>東京</title>", "utf16le"), "text/html"), "東京")
    const unknown = (head: string) => html(Buffer.from(head, "latin1"), "text/html; charset=no-such-encoding")
    assert.strictEqual(unknown("<meta charset=iso-8859-2><title>\xe8esky</title>"), "česky")
    assert.strictEqual(unknown("<meta charset=none-such><title>M\xfcller</title>"), "Müller")
    assert.strictEqual(html("<script>var a = '<!--'</script><!--><title>Doc</title><!-- never closed"), "Doc")
    assert.isUndefined(html("<title> </title>"))
    assert.isUndefined(html("<title>never closed"))
    assert.isUndefined(html("<script>let a = '<title>words of a script</title>'"))
  })

  it("is looked for once, whatever the page begins again and again", () => {
    const hostile: ReadonlyArray<readonly [what: string, page: (size: number) => string]> = [
      ["encodings that are none", (size: number) => "<META=0".repeat(size / 14) + "CHARSET=" + "\t".repeat(size / 2) + "=R"],
      ["beginnings of titles", (size: number) => "<title ".repeat(size / 7)],
      ["beginnings of scripts", (size: number) => "<script <style ".repeat(size / 15)],
      ["comments", (size: number) => "<!--".repeat(size / 4)]
    ]
    for (const [what, page] of hostile) assert.isBelow(growth((size) => html(page(size), "text/html"), 1_024), 9, what)
  })
})

describe("a Markdown document's title", () => {
  const markdown = (text: string) => titleIn("markdown", bytes(text), "text/markdown; charset=utf-8")

  it("is its front matter's, or its first heading of the first level", () => {
    const table: Readonly<Record<string, string | undefined>> = {
      "# Plain\n# Second": "Plain",
      "Words\n\n## Lower\n\n# Late\r\n": "Late",
      "---\ntitle: From the front\n# a comment\n---\n# Heading": "From the front",
      "---\n# a comment\nauthor: Ada\n---\n\n# Heading": "Heading",
      "---\ntitle: \"Quoted: yes\"\n---\n": "Quoted: yes",
      "+++\ntitle = 'Tom'\n+++\n# Heading": "Tom",
      "---\ntitle: |\n  block\n---\n# Heading": "Heading",
      "---\n\n# After a rule": "After a rule",
      "\n  \n---\ntitle: Behind blank lines\n---\n# Heading": "Behind blank lines",
      " ---\ntitle: A rule\n---\n# Heading": "Heading",
      "---\ntitle:Without a space\n---\n# Heading": "Without a space",
      "---\nog:title: b\ntitle: Behind a colon\n---\n# Heading": "Behind a colon",
      "---\nhttps://a.example\n\n# After an address\n\n---\n": "After an address",
      "---\n2:1 for us\n\n# After a number\n\n---\n": "After a number",
      "---\n\n# Between rules\n\nDate: today\n\n---\n\n# Later": "Between rules",
      "---\n# Between rules\n---\n# Later": "Between rules",
      "---\n**Date:** today\n\n# After words\n---\n": "After words",
      "---\nNote: this is a draft,\nwhich goes on.\n\n# After a note\n\n---\n": "After a note",
      "---\nNote: this is a draft.\n---\n# After a sentence": "After a sentence",
      "---\nSummary: >\n  Words of a summary.\ntags: [\na, b\n]\ntitle: A folded text\n---\n# Heading": "A folded text",
      "---\n\n\"a key\": b\ntitle: A blank line\n---\n# Heading": "A blank line",
      "---\nÄra: b\ntitle: Ends with dots\n...\n# Heading": "Ends with dots",
      "```sh\n# install\n```\n# Real": "Real",
      "~~~\n```\n# no\n~~~~\n# Real": "Real",
      "````\n```\n# no\n````\n# Real": "Real",
      "    # code\n\n# Real": "Real",
      "<!--\n# hidden\n-->\n# Real": "Real",
      "<!-- one line -->\n# Real": "Real",
      "<pre>\n# no\n</pre>\n# Real": "Real",
      "Over\nlines\n===\n": "Over lines",
      "Words.\n\nUnderlined\n======\n\n# Later": "Underlined",
      "Lower\n---\n\n# Real": "Real",
      "- item\n===\n\n# Real": "Real",
      "#hashtag\n\n#\n\n# Real ##": "Real",
      "# C# and F#": "C# and F#",
      "<div align=\"center\">\n\n    <h1>code</h1>\n\n<a href=\"x\"><img src=\"y\"></a>\n  <h1 align=\"center\">\n  <b>In</b>\nHTML</h1>\n</div>\n\n# Later": "In HTML",
      "<h1>Banner</h1>\n\n# Real": "Real",
      "<h1>Alone</h1>": "Alone",
      "<h1><a href=\"x\"><img src=\"y\" alt=\"A logo\"></a></h1>\n\nWords\n\n# Later": "A logo",
      "<h1><img alt=\"\"></h1>\n\n# Real": "Real",
      "<h1>never closed\n\n# Real": "Real",
      "```html\n<h1>no</h1>\n```": undefined,
      "```\n# never closed": undefined,
      "no heading": undefined,
      "": undefined
    }
    for (const [text, title] of Object.entries(table)) assert.strictEqual(markdown(text), title, JSON.stringify(text))
  })

  it("is its words without the marks around them", () => {
    const table: Readonly<Record<string, string | undefined>> = {
      "# **Bold** and *soft* and ~~gone~~ ###": "Bold and soft and gone",
      "# ***All** of* it": "All of it",
      "# _So_ __it__ is, snake_case_name": "So it is, snake_case_name",
      "# The `main()` of ``a ` b``": "The main() of a ` b",
      "# `*not soft*` \\*nor this\\*": "*not soft* *nor this*",
      "# See [the **docs**](https://a.example/x_(y) \"T\")": "See the docs",
      "# [![Build](b.svg)](https://ci) svc": "Build svc",
      "# [Guide][1] for [Unreleased]": "Guide for [Unreleased]",
      "# [Guide] for `[guide]`\n\n[guide]: #a": "Guide for [guide]",
      "# <a id=\"x\"></a>Tagged <br> &amp; &uuml;ber[^1]": "Tagged & über",
      "# By <https://a.example/a_b_c>": "By https://a.example/a_b_c",
      "# 2 * 3 * 4 = 24, 1 < 2": "2 * 3 * 4 = 24, 1 < 2",
      "# List<T> and <name>, <b>bold</b>, <Foo>no</Foo> <Bar x=\"y\"> <br/>": "List<T> and <name>, bold, no",
      "# Dear <your name>, <T extends U>": "Dear <your name>, <T extends U>",
      "# ![](logo.png)\n# Real": "Real",
      "# `&amp;`": "&amp;"
    }
    for (const [text, title] of Object.entries(table)) assert.strictEqual(markdown(text), title, JSON.stringify(text))
  })

  it("is read in the document's encoding", () => {
    assert.strictEqual(titleIn("markdown", Buffer.from("# Z\xfcrich", "latin1"), "text/markdown; charset=windows-1252"), "Zürich")
  })

  it("takes no time, whatever is made up to take it", () => {
    const signs = ["[", "![", "](", "*", "**a", "_", "`", "` ``", "<", "<a ", "&", "\\", "~~a", "[^", "# ", "\n===\n", "---\n", "<title>", "<!--", "[a](b", "(", "*a **b "]
    for (const sign of signs) {
      for (const text of [`# ${sign.repeat(4_000)}`, sign.repeat(4_000)]) {
        const head = bytes(text).subarray(0, 4_100)
        const since = busyFor()
        titleIn("markdown", head, "")
        titleIn("site", head, "")
        assert.isBelow(busyFor() - since, 200_000, sign)
      }
    }
  })
})

it("a file's name is a title unless it says nothing", () => {
  const table = {
    "acme-prices.csv": "acme-prices", "in/meeting notes.txt": "meeting notes", "Preise 2026.v2.pdf": "Preise 2026.v2", "LICENSE": "LICENSE", ".env": ".env", "a\u202eb.md": "ab",
    "index.html": undefined, "README.md": undefined, "document.pdf": undefined, "pasted.csv": undefined, "\u202e.txt": undefined, "": undefined
  }
  for (const [path, title] of Object.entries(table)) assert.strictEqual(titleOfName(path), title, path)
})
