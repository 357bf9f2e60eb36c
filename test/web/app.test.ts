/** The web app's build keeps its promises: the size of a first visit, chunks by route, types equal to the contract's. */
import { createHash } from "node:crypto"
import { existsSync, readFileSync, statSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import { LEFT_OUT } from "../../src/cli/publishing/folder.ts"
import type { Kind } from "../../src/domain/projects/model.ts"
import { kindOf } from "../../src/domain/projects/documents/kinds.ts"
import { kindOfFiles } from "../../src/domain/projects/site-rules.ts"
import { carriedPath } from "../../src/http/server/own-paths.ts"
import { builtFolder, manifestIn, reachedIn } from "../../src/look/built.ts"
import { typed } from "../../web/app/api/file-types.ts"
import { addressesIn } from "../../web/app/commenters/addresses.ts"
import { ownPath } from "../../web/app/entry/own-paths.ts"
import { documentsIn, isLeftOut, picked, textAsFile } from "../../web/app/library/dropped.ts"
import { initialOf } from "../../web/app/ui/initial.ts"
import { agoOf, daysBetween, timeOf } from "../../web/app/ui/times.ts"
import { growth } from "../support/growth.ts"

const BUDGET = 130 * 1024

const manifest = manifestIn(builtFolder("app"))

/** What the page itself loads. */
const PAGE = Object.keys(manifest).filter((source) => manifest[source]!.file.endsWith(".js") && readFileSync("dist/app/index.html", "utf8").includes(manifest[source]!.file))

const sizeOf = (source: string): number => {
  const file = `dist/app/${manifest[source]?.file}`
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size
}

it.each([
  ["the library", ["library/library.tsx"]],
  ["a project", ["project/project.tsx", "project/overview.tsx"]]
])("%s is there after at most 130 KB of script, in five files, the screen's own among them", (_, sources) => {
  const files = [...reachedIn(manifest, [...PAGE, ...sources])]
  assert.isAtMost(files.reduce((sum, source) => sum + sizeOf(source), 0), BUDGET)
  assert.isAtMost(files.length, 5, files.join())
})

it("a first visit does not load what only some screens need", () => {
  assert.isNotEmpty(PAGE)
  const first = [...reachedIn(manifest, PAGE)].map((source) => manifest[source]?.file)
  for (const source of ["library/library.tsx", "project/project.tsx", "frame/palette.tsx"]) assert.notInclude(first, manifest[source]?.file)
})

it("the types are those of openapi.json (npm run openapi writes them)", () => {
  const hash = createHash("sha256").update(JSON.stringify(JSON.parse(readFileSync("openapi.json", "utf8")))).digest("hex")
  assert.include(readFileSync("web/app/api/schema.d.ts", "utf8").slice(0, 300), hash)
})

it("leaves out of a folder what the CLI does", () => {
  for (const name of LEFT_OUT) assert.isTrue(isLeftOut(name.replace("*", "local").replace("[\r]", "\r"), () => false), name)
  assert.isTrue(isLeftOut("node_modules", () => true))
  for (const name of ["index.html", ".well-known", "environment", "node_modules.md", "a.env", ".github"]) assert.isFalse(isLeftOut(name, () => true), name)
  const listed = ["package.json", "node_modules/a/index.js", "deep/package.json", "deep/node_modules/b.js", "deep/.git/HEAD", "assets/node_modules/face.ttf"]
    .map((path) => Object.defineProperty(new File([], path), "webkitRelativePath", { value: `site/${path}` }))
  const { files, leftOut } = picked(listed as unknown as FileList)
  assert.deepStrictEqual(files.map(({ path }) => path), ["site/package.json", "site/deep/package.json", "site/assets/node_modules/face.ttf"])
  assert.deepStrictEqual(leftOut, [".git", "node_modules"])
})

const KINDS: Readonly<Record<string, readonly [kind: Kind | undefined, type: string]>> = {
  html: ["site", "text/html"], md: ["markdown", ""], markdown: ["markdown", "text/markdown"], txt: ["text", "text/plain"], csv: ["data", "text/csv"],
  pdf: ["pdf", "application/pdf"], png: ["image", "image/png"], jpg: ["image", "image/jpeg"], mp4: ["video", "video/mp4"], vtt: ["text", "text/vtt"], css: ["text", "text/css"]
}

it("takes several files for one document if the service does, and for one each if it refuses them together", () => {
  const among = ["index.html", "page.html", "a.md", "b.markdown", "notes.txt", "rows.csv", "p.pdf", "one.png", "two.jpg", "film.mp4", "film.vtt", "look.css"]
  const kindOf = (path: string) => KINDS[path.split(".")[1]!]!
  const sent = (path: string) => ({ path, file: new File([], path, { type: kindOf(path)[1] }) })
  for (const first of among) {
    for (const second of among) {
      for (const third of among) {
        const paths = [...new Set([first, second, third])]
        if (paths.length < 2) continue
        const isOne = Result.isSuccess(kindOfFiles(paths.map((path) => ({ path, kind: kindOf(path)[0] }))))
        // If a part of a page is among them, they stay together, and are refused together.
        const hasPart = paths.some((path) => /\.(?:css|vtt)$/.test(path))
        assert.strictEqual(documentsIn(paths.map(sent)).length, isOne || hasPart ? 1 : paths.length, paths.join(", "))
      }
    }
  }
  // A folder is one document, whatever is in it; so are more files than anybody publishes one by one.
  assert.lengthOf(documentsIn([sent("a.md"), sent("b.markdown")].map(({ file, path }) => ({ file, path: `notes/${path}` }))), 1)
  assert.lengthOf(documentsIn(Array.from({ length: 21 }, () => sent("a.md"))), 1)
})

it.each([
  ["pasted.json", "data", "application/json", ["{\"a\": [1, 2]}", " [\n  1,\n  2\n]\n"]],
  ["pasted.html", "site", "text/html", ["<!doctype html><p>One, two", "<html>\na,b\nc,d"]],
  ["pasted.tsv", "data", "text/tab-separated-values", ["Name\tPrice\r\nBolt, small\t0.20\r\n", "\tMay\nRent\t900", "Note\tBy\n\"two\nlines\t\"\tAnn", "Size\tFor\n5\"\tA\n7\"\tB"]],
  ["pasted.csv", "data", "text/csv", ["name,price\nbolt,0.20", "name, price\r\nbolt, 0.20\r\n", "id,note\n1,\"Well, yes.\"\n2,\"two\nlines\"", "id,who\n1,Acme Inc.\n-2,", "a,b,\n1,2,\n"]],
  ["pasted.md", "markdown", "text/markdown", [
    "# Minutes", "[a link](https://example.com)", "{ not json }", "Roses are red,\nviolets are blue,", "Dear Ann, dear Bob\nyours, Carl", "one,two", "a,b\nc,d,e",
    "We came, we saw 1,000.\nThey left, all 2,000!", "- red,green\n- blue,white", "# a,b\n# c,d", "f(a,b);\nf(c,d);", "\tindented\n\ttwice", "| a,b |\n| c,d |", "a\tb", "a\tb\nc"
  ]]
])("a pasted text is %s, published as %s, where it reads as that", async (name, kind, type, texts) => {
  for (const text of texts) {
    const { file, path } = textAsFile(text)
    assert.deepStrictEqual([path, file.name, file.type, await file.text()], [name, name, type, text], text)
    assert.strictEqual(typed(file), file, "sent with the type that it has")
    const found = kindOf({ declared: type, fileName: name, head: await file.bytes(), utf8: true, beyondAscii: new Uint8Array(), sniffed: undefined })
    assert.strictEqual("kind" in found ? found.kind : undefined, kind, text)
  }
})

it("takes four times as long to tell what a text is that is four times as long, whatever stands in its one line", () => {
  for (const words of ["0.1, ", "( ", "a. ", "1,\t"]) assert.isBelow(growth((size) => textAsFile(words.repeat(size)), 5_000, 11), 11, words)
})

it("a name stands by its first sign, however many characters that is written in", () => {
  const names = ["ada", " \u{1f469}\u200d\u{1f4bb} Ann", "\u{1f1e9}\u{1f1ea} Team", "e\u0301mile", "ßen", ""]
  assert.deepStrictEqual(names.map(initialOf), ["A", "\u{1f469}\u200d\u{1f4bb}", "\u{1f1e9}\u{1f1ea}", "E\u0301", "SS", ""])
})

it("takes addresses as they are typed, or as a mail has them", () => {
  for (const text of ["ada@one.example, ben@two.example", " ada@one.example;ben@two.example\n", "Ada <ada@one.example>, \"Ben, the other\" <ben@two.example>", "Ada Lo <ada@one.example>\nben@two.example"]) {
    assert.deepStrictEqual(addressesIn(text), ["ada@one.example", "ben@two.example"], text)
  }
  assert.deepStrictEqual(addressesIn("ada@one.example ben"), ["ada@one.example", "ben"])
})

it("says of a file what the service takes at its word, and nothing where it would not take it", () => {
  const kindBy = (name: string, type: string, declared: string) => {
    const head = new TextEncoder().encode("words\n")
    const found = kindOf({ declared, fileName: name, head, utf8: true, beyondAscii: head.subarray(0, 0), sniffed: undefined })
    return "kind" in found ? found.kind : undefined
  }
  const unsaid = "application/octet-stream"
  for (const [name, type, sent] of [
    ["a.md", "text/markdown", "text/markdown"], ["a.pdf", "application/pdf", "application/pdf"], ["a.zip", "application/x-zip-compressed", "application/x-zip-compressed"],
    ["a.jsonl", "application/jsonlines", "application/jsonlines"], ["a.svg", "image/svg+xml", "image/svg+xml"], ["a.mp4", "video/mp4", "video/mp4"],
    ["a.csv", "application/vnd.ms-excel", "text/csv"], ["a.csv", "", unsaid], ["a", "", unsaid], ["a.bin", unsaid, unsaid],
    ["a.js", "text/javascript", unsaid], ["a.css", "text/css", unsaid], ["a.xml", "text/xml", unsaid], ["a.tsv", "text/tab-separated-values", "text/tab-separated-values"],
    ["a.ipynb", "application/x-ipynb+json", unsaid], ["a.ts", "video/mp2t", unsaid], ["a.MTS", "video/mp2t", unsaid], ["a.ts", "text/plain", "text/plain"]
  ] as const) {
    const given = typed(new File(["words\n"], name, { type, lastModified: 1 }))
    assert.deepStrictEqual([given.type, given.name, given.size, given.lastModified], [sent, name, 6, 1], name)
    assert.isDefined(kindBy(name, type, sent), name)
    // The app withholds only types that the server does not take, or would take for video or find to be JSON by itself.
    if (sent === unsaid && type !== unsaid && type !== "" && !/^video\/|\+json$/.test(type)) assert.isUndefined(kindBy(name, type, type), name)
  }
})

const timesIn = async (language: string) => {
  const { DateTimeFormat } = Intl
  const anew = `../../web/app/ui/times.ts?${language}`
  Intl.DateTimeFormat = class extends DateTimeFormat { constructor(_?: unknown, options?: Intl.DateTimeFormatOptions) { super(language, options) } } as typeof DateTimeFormat
  return (await import(anew).finally(() => Intl.DateTimeFormat = DateTimeFormat)) as typeof import("../../web/app/ui/times.ts")
}

it("a sentence that ends with a day ends with one dot, where months are abbreviated with one", async () => {
  const { dayOf, endOf } = await timesIn("de")
  const now = new Date("2026-12-01T12:00")
  const at = (text: string) => new Date(text).toISOString()
  assert.strictEqual(dayOf(at("2026-12-18T12:00"), now), "18. Dez")
  assert.strictEqual(endOf(at("2026-12-18T23:59:59"), now), "18. Dez")
  assert.strictEqual(endOf(at("2026-12-18T09:00"), now), "18. Dez at 09:00")
  assert.strictEqual(endOf(at("2027-12-18T09:00"), now), "18. Dez. 2027 at 09:00")
  assert.strictEqual((await timesIn("th")).dayOf(at("2026-12-18T12:00"), now), "18 ธ.ค.")
})

it("a day or a time of day that runs from the right is set apart from the sentence around it, and whether it is this year is told by the reader's calendar", async () => {
  const now = new Date("2026-12-01T12:00")
  const at = (text: string) => new Date(text).toISOString()
  const { dayOf, endOf } = await timesIn("he")
  assert.strictEqual(endOf(at("2026-12-18T09:00"), now), "\u206818 בדצמ׳\u2069 at 09:00")
  assert.strictEqual(dayOf(at("2027-12-18T09:00"), now), "\u206818 בדצמ׳ 2027\u2069")
  // The Persian year began in March.
  const { dayOf: persian } = await timesIn("fa")
  assert.strictEqual(persian(at("2026-12-18T12:00"), now), "\u2068۲۷ آذر\u2069")
  assert.match(persian(at("2026-02-18T12:00"), now), /۱۴۰۴/)
  assert.strictEqual(persian(at("2027-02-18T12:00"), now), "\u2068۲۹ بهمن\u2069")
})

it("tells days as the calendar has them", () => {
  const at = (text: string) => new Date(text).toISOString()
  const words = (then: string, now: string) => timeOf(at(then), new Date(now).getTime())
  assert.strictEqual(daysBetween(at("2026-08-04T18:00"), new Date("2026-08-04T09:00")), 0)
  assert.strictEqual(daysBetween(at("2026-08-05T00:30"), new Date("2026-08-04T23:45")), 1)
  assert.strictEqual(words("2026-08-02T23:00", "2026-08-04T01:00"), words("2026-08-02T01:00", "2026-08-04T22:00"))
  assert.notStrictEqual(words("2026-08-03T00:30", "2026-08-04T01:00"), words("2026-08-02T23:00", "2026-08-04T01:00"))
  assert.strictEqual(daysBetween(at("2026-03-28T12:00"), new Date("2026-03-30T12:00")), -2)
  const now = new Date("2026-08-04T12:00").getTime()
  assert.strictEqual(timeOf(new Date(now - 3_580_000).toISOString(), now), timeOf(new Date(now - 3_600_000).toISOString(), now))
  for (const seconds of [-44, 5]) assert.strictEqual(agoOf(new Date(now + seconds * 1_000).toISOString(), now), "just now")
})

it("leads on after signing in where the server does: to pages and gates, and nowhere else in the API", () => {
  const base = "https://svc.example"
  const followed = (next: string) => [carriedPath(next, base), ownPath(next, base)]
  for (const next of ["/v1/gate/comment?slug=a&next=%2Fb", "/v1/gate/member?slug=a&next=%2Fv1%2Fauth", "/device?code=ABCDE-FGHI", "/v1x", "/a?b=/v1/auth", "/oauth/authorize?x=%"]) {
    assert.deepStrictEqual(followed(next), [next, next])
    assert.deepStrictEqual(followed(base + next), [next, next])
  }
  for (const next of [
    "/v1/auth/idp/link", "/v1/auth/idp", "/v1", "/v1?x", "/v1//auth/idp/link", "/%761/auth/idp/link", "/v%31/auth/idp/link", "/./v1/auth/idp/link", "/a/../v1/auth/idp/link",
    "/a/%2E%2e/v1/auth/idp/link", "/a/..//v1/auth/idp/link", "/v1/gate/../auth/idp/link", "/v1/gate/comment/../../auth/idp/link", "/v1/gate/%2e./auth/idp/link", "/v1%2fauth/idp/link",
    `${base}/v1/auth/idp/link`, "//evil.example", "https://evil.example/v1/gate/member", "/"
  ]) assert.deepStrictEqual(followed(next), [undefined, undefined], next)
})
