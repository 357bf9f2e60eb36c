/** What a file inside a version may be called, and how long that takes to check. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import mime from "mime-types"
import { clashIn, documentOf, lookForClash, MAX_NAMES_BYTES, namesImage, pathFault } from "../../../src/domain/projects/file-paths.ts"
import { kindOfFiles } from "../../../src/domain/projects/site-rules.ts"
import { ratio } from "../../support/growth.ts"

describe("a path", () => {
  it("stays in its version and can be kept anywhere", () => {
    const long = "é".repeat(127)
    for (const path of ["a", ".a", "a/.b", "a/...", "..a/b..", "_svcs/a", "a/_svc/b", `${long}a/${long}a`, "d/".repeat(511) + "dd"]) assert.isUndefined(pathFault(path), path)
    for (const path of [".", "..", "./a", "a/.", "a/..", "a/./b", "a/../b", "../a"]) assert.strictEqual(pathFault(path), "leads out of the site", path)
    for (const path of ["a//b", "a//../b"]) assert.strictEqual(pathFault(path), "has two slashes in a row", path)
    for (const path of ["می\u200cخواهم.html", "👩\u200d👩.png", "❤\ufe0f.svg", "עברית.txt", "\u200fc", "d\u061c", "a\u200eb"]) assert.isUndefined(pathFault(path), path)
    for (const path of ["evil\u202egnp.exe", "a/\u2066b"]) assert.strictEqual(pathFault(path), "has a character that turns text around", JSON.stringify(path))
    for (const path of ["a\ud800", "a\u2028b", "a\u2029b", "a\0", "a\u0085"]) assert.strictEqual(pathFault(path), "has characters that no address can hold", JSON.stringify(path))
    for (const path of ["_svc", "_SVC/a", "_svc/"]) assert.isDefined(pathFault(path), path)
    for (const path of [`${long}ab`, `a/${long}ab`, `${long}ab/a`, "€".repeat(86), "d/".repeat(511) + "ddd"]) assert.strictEqual(pathFault(path), "is too long", path)
  })

  it("takes about as long to judge in five hundred pieces as in five", () => {
    const paths = ["d/".repeat(500) + "a", `${"d".repeat(199)}/`.repeat(5) + "a"] as const
    assert.isBelow(ratio(() => pathFault(paths[0]), () => pathFault(paths[1]), 10), 10)
  })
})

describe("files without a first page", () => {
  const names = ["a.md", "b.MARKDOWN", "one.png", "two.HEIC", "three.tif", "film.mp4", "film.de.vtt", "more.webm", "table.csv", "look.css"]
  const typeOf = (path: string) => mime.lookup(path) || ""
  const kindOf = (path: string) => typeOf(path) === "text/markdown" ? "markdown" as const : (["image", "video"] as const).find((kind) => typeOf(path).startsWith(`${kind}/`))

  it("are by their names what the service takes them for", () => {
    for (const first of names) {
      for (const second of names) {
        for (const third of names) {
          const paths = [...new Set([first, second, third])]
          const kind = Result.match(kindOfFiles(paths.map((path) => ({ path, kind: kindOf(path) }))), { onFailure: () => undefined, onSuccess: (found) => found.kind === "image" ? undefined : found.kind })
          assert.strictEqual(documentOf(paths), kind, paths.join(", "))
        }
      }
    }
    for (const ending of ["apng", "avif", "bmp", "gif", "heic", "heif", "ico", "jfif", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp"]) assert.deepStrictEqual([namesImage(`a.${ending}`), ending === "jfif" || kindOf(`a.${ending}`) === "image"], [true, true], ending)
  })
})

describe("paths that clash", () => {
  it("are the same one, by case and spelling too, or a file where another needs a folder", () => {
    assert.deepStrictEqual(clashIn(["b", "A/b", "a/B"]), { path: "A/b, a/B", message: "Two names differ only in what many systems ignore, such as capitals. Rename one of them." })
    assert.deepStrictEqual(clashIn(["\u00e9", "e\u0301"]), { path: "\u00e9", message: "Two entries have the same name." })
    assert.deepStrictEqual(clashIn(["a/b", "a!b", "a-b", "a", "ab"]), { path: "a", message: "An entry is both a file and a folder." })
    for (const [one, other] of [["σ.txt", "ς.txt"], ["ΟΔΟΣ", "οδος"], ["STRASSE", "straße"], ["STRAẞE", "straße"], ["ﬁ", "fi"], ["\u212a", "k"], ["İ", "i\u0307"]] as const) assert.isDefined(clashIn([one, other]), one)
    for (const other of ["a.txt.", "a.txt ", "A.txt. .", "a.txt/b", "a.txt./b"]) assert.isDefined(clashIn(["a.txt", other]), other)
    assert.isDefined(clashIn(["d/a", "d./a"]))
    assert.isUndefined(clashIn(["a/b", "a!b", "a-b", "ab", "a/bc", "a/b.c", ".a", " a", "a.b/c", "kapı", "kapi"]))
  })

  it("or there are more names than a version may have, to the byte", () => {
    const paths = Array.from({ length: MAX_NAMES_BYTES / 1_000 }, (_, at) => `${"d".repeat(200)}/${"é".repeat(100)}/${"x".repeat(200)}/${"y".repeat(200)}/${"z".repeat(192)}${1_000 + at}`)
    assert.strictEqual(Buffer.byteLength(paths.join("")), MAX_NAMES_BYTES)
    assert.isUndefined(clashIn(paths))
    assert.deepStrictEqual(clashIn([...paths, "a"]), { message: "The paths of all files together are longer than 2 MB. Shorten the names of folders." })
  })

  it("are looked for a hundred paths at a time, among letters that take long to fold too", () => {
    const paths = Array.from({ length: 1_000 }, (_, at) => `${"\u0130".repeat(400)}${at}`)
    assert.lengthOf([...lookForClash(paths)], 10)
    assert.isUndefined(clashIn(paths))
    assert.isDefined(clashIn([...paths, `${"i\u0307".repeat(400)}999`]))
  })

  it("are found about as soon among deep ones as among shallow ones", () => {
    const within = (folder: string) => Array.from({ length: 200 }, (_, at) => `${folder}${at * 7 % 200}`)
    const [deep, dotted, shallow] = [within("d/".repeat(480)), within(`${".".repeat(238)}d/`.repeat(4)), within(`${"d".repeat(239)}/`.repeat(4))]
    assert.isBelow(ratio(() => clashIn(deep), () => clashIn(shallow), 10), 10)
    assert.isBelow(ratio(() => clashIn(dotted), () => clashIn(shallow), 10), 10)
  })
})
