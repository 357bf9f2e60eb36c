/** Which files pages and Markdown name, and which of them a version lacks. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { missingAmong, namesIn } from "../../../src/domain/projects/missing-files.ts"
import { pathsNamed } from "../../../src/domain/projects/documents/named-files.ts"
import { growth } from "../../support/growth.ts"

const page = (html: string, from = "index.html") => [...pathsNamed("site", html, from)]
const markdown = (text: string, from = "brief.md") => [...pathsNamed("markdown", text, from)]

it("finds what a page loads or links to, as a browser would look for it", () => {
  const table: Readonly<Record<string, ReadonlyArray<string>>> = {
    "<IMG SRC=a.png><img alt='>' src='b.png'/><img src = \"c d.png\">": ["a.png", "b.png", "c d.png"],
    "<link rel=stylesheet href=/css/site.css?v=1><link rel='preload icon' href=no.png><link rel=canonical href=no.html>": ["css/site.css"],
    "<script src=./js/../app.js></script><video poster=still.jpg src=a.mp4><source src=b.webm><track src=c.vtt></video>": ["app.js", "still.jpg", "a.mp4", "b.webm", "c.vtt"],
    "<embed src=a.pdf><object data=b.pdf></object><iframe src=c.html></iframe>": ["a.pdf", "b.pdf", "c.html"],
    "<img srcset='a.png 1x, img/b.png 2x' src=a.png>": ["a.png", "img/b.png"],
    "<a href=other.html#part>x</a><a href='a%20b.pdf?x'>x</a><a href=/made/up>x</a><a href=#top>x</a><a href=index.html#x>x</a><a href=img/>x</a>": ["other.html", "a b.pdf"],
    "<img src='Gr&ouml;&szlig;e.png'><img src=Gro%CC%88%C3%9Fe.png>": ["Größe.png"],
    "<img src=img\\a.png><img src='C:\\Users\\ada\\b.png'><img src=file:///home/ada/c.png>": ["img/a.png", "C:\\Users\\ada\\b.png", "file:///home/ada/c.png"],
    "<img src=https://cdn.example/a.png><img src=//cdn.example/a.png><img src=data:image/png;base64,AA><a href=mailto:a.png>x</a><img src=''>": [],
    "<img src=%ff><img src=..%2fa.png><img src=/_svc/a.png><img src='{{ logo }}.png'><img src='<%= logo %>.png'>": [],
    "<!-- <img src=a.png> --><script>'<img src=a.png>'</script><style><img src=a.png></style><noscript><img src=a.png></noscript><textarea><img src=a.png></textarea>": [],
    "<img src=a.png><base href=deep/><base href=other/>": ["deep/a.png"],
    "<base href=https://cdn.example/><img src=a.png>": [],
    "1 < 2 <img data-src=a.png x='src=a.png'": []
  }
  for (const [html, paths] of Object.entries(table)) assert.deepStrictEqual(page(html), paths, html)
  assert.deepStrictEqual(page("<img src=a.png><img src=../b.png><a href=two.html>x</a>", "docs/a b/two.html"), ["docs/a b/a.png", "docs/b.png"])
})

it("finds the pictures that a Markdown shows, and none in its code", () => {
  const table: Readonly<Record<string, ReadonlyArray<string>>> = {
    "![A chart](chart.png \"Title\") ![](<a map.svg>)": ["chart.png", "a map.svg"],
    "[![linked](a.png)](far) ![x](b(1).png)![over\ntwo lines](c.png)": ["a.png", "b(1).png", "c.png"],
    "![one][s] ![S][] ![s]\n\n  [s]: ./shot.webp 'Shot'\n[t]: other.png\n": ["shot.webp"],
    "<p><img src='img/b.JPG' width=9></p>": ["img/b.JPG"],
    "[words](a.png) \\![x](b.png) ![x] (c.png)": [],
    "`![x](a.png)` ``![x](`b.png)``\n```\n![x](c.png)\n```\n<!--\n![x](d.png)\n-->\n": [],
    "` ![x](a.png)": ["a.png"],
    "---\ncover: '![x](a.png)'\n---\n![x](b\\_c.png)": ["b_c.png"],
    "![x](https://cdn.example/a.png) ![x](data:image/png;base64,AA)": []
  }
  for (const [text, paths] of Object.entries(table)) assert.deepStrictEqual(markdown(text), paths, text)
  assert.deepStrictEqual(markdown("![x](a.png)", "docs/brief.md"), ["docs/a.png"])
})

it("reads every character once, whatever a document begins again and again", () => {
  const hostile = [[page, ["<img ", "<img src=\"", "<!--", "<base href=a ", "<img srcset='a, a, '>"]], [markdown, ["![", "![](<", "![a][", "[a]: ", "`x``x```x````", "![](a("]]] as const
  for (const [read, parts] of hostile) for (const part of parts) assert.isBelow(growth((size) => read(part.repeat(size / part.length)), 8_192), 9, part)
})

it("looks at five thousand names, one element's or many's, and at fewer behind a long address of its own", () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `${at}.png`)
  const deep = `${"d/".repeat(500)}index.html`
  const inOne = `<img srcset="${names.join(", ")}">`
  for (const found of [page(inOne), page(names.map((name) => `<img src=${name}>`).join("")), markdown(inOne), markdown(names.map((name) => `![](${name})`).join(""))]) assert.lengthOf(found, 5_000)
  for (const found of [page(inOne, deep), page(`<base href="/${deep}">${inOne}`), page(`<base href="/${"d/".repeat(60_000)}">${inOne}`)]) assert.isBelow(found.length, 500)
})

const missing = (named: ReadonlyArray<string>, ...held: ReadonlyArray<string>) => missingAmong(new Set(named), () => held)

it("says what is missing, and nothing where all is there", () => {
  assert.isUndefined(missing([]))
  assert.isUndefined(missing(["a.png", "page", "dir"], "a.png", "page.html", "dir/index.html"))
  assert.deepStrictEqual(missing(["a.png", "B.png"], "A.png", "B.png"), { count: 1, paths: ["a.png"], message: "It names a file that is not there: \"a.png\"." })
  const many = Array.from({ length: 60 }, (_, at) => `${at}.png`)
  const told = missing(many)!
  assert.deepStrictEqual([told.count, told.paths], [60, many.slice(0, 50)])
  assert.strictEqual(told.message, "It names 60 files that are not there: \"0.png\", \"1.png\", \"2.png\", \"3.png\", \"4.png\" and 55 more.")
  const [path] = missing([`a\u200b${"x".repeat(300)}.png`])!.paths
  assert.match(path!, /^a\\u200bx+…?$/)
  assert.isAtMost(path!.length, 210)
})

it.effect("reads the first page first, twenty pages, and so much of them", () =>
  Effect.gen(function*() {
    const read: Array<readonly [path: string, bytes: number]> = []
    const names = (kind: "markdown" | "site" | "text", files: ReadonlyArray<{ readonly path: string; readonly type: string; readonly length: number }>) =>
      namesIn(kind, files, ({ length, path }, most) => Effect.sync(() => {
        const bytes = Math.min(length, most)
        read.push([path, bytes])
        return new TextEncoder().encode(`<img src="${path}.png">`.padEnd(bytes))
      }))
    const html = (path: string, length = 100) => ({ path, type: "text/html; charset=utf-8", length })
    const pages = Array.from({ length: 30 }, (_, at) => html(`${at}.html`))
    const found = yield* names("site", [...pages, { path: "a.md", type: "text/markdown", length: 9 }, html("index.html")])
    assert.deepStrictEqual([found.size, read.length, read[0]], [20, 20, ["index.html", 100]])
    read.length = 0
    yield* names("site", [html("a.html", 200 * 1024), html("b.html", 200 * 1024), html("c.html")])
    assert.deepStrictEqual(read, [["a.html", 200 * 1024], ["b.html", 56 * 1024]])
    read.length = 0
    assert.strictEqual((yield* names("text", [html("a.html")])).size, 0)
    assert.isEmpty(read)
  }))
