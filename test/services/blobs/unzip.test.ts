/** Hostile zips, made by hand: each is refused whole, with a reason, in bounded memory. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { crc32, deflateRawSync } from "node:zlib"
import { Effect, Layer } from "effect"
import { Packs } from "../../../src/domain/ports/packs.ts"
import { PacksDisk } from "../../../src/services/blobs/packs-disk.ts"
import { readDirectory } from "../../../src/services/blobs/zip-directory.ts"
import { ZipWindow } from "../../../src/services/blobs/zip-window.ts"
import { busyFor } from "../../support/growth.ts"
import type { RawArchive, RawEntry } from "../../support/zips.ts"
import { rawZip, zip64End, zipOf } from "../../support/zips.ts"
import { chunksOf } from "./packs-contract.ts"

/** How much V8's young generation grows before a collection depends on how busy the machine is. */
const SMALL_NURSERY = "--max-semi-space-size=2"
const MB = 1024 * 1024
const root = mkdtempSync(join(tmpdir(), "unzip-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const unpack = (zip: Uint8Array, limits = { bytes: 100 * MB, files: 100 }) =>
  Effect.gen(function*() {
    const draft = yield* (yield* Packs).draft
    return yield* draft.unzip(yield* draft.append(chunksOf(zip), 1024 * MB), limits)
  }).pipe(Effect.scoped, Effect.provide(Layer.orDie(PacksDisk({ root }))))

const page: RawEntry = { name: "index.html", data: "<p>hi" }
const zeros = Buffer.alloc(4 * MB)
const refused: ReadonlyArray<readonly [name: string, entries: ReadonlyArray<RawEntry>, archive?: RawArchive]> = [
  ["climbs out", [page, { name: "../evil", data: "x" }]],
  ["climbs out from inside", [page, { name: "a/../../evil", data: "x" }]],
  ["climbs out of a folder of litter", [page, { name: "__MACOSX/../../evil", data: "x" }]],
  ["is absolute", [page, { name: "/etc/passwd", data: "x" }]],
  ["names a drive", [page, { name: "C:/evil", data: "x" }]],
  ["turns its name around", [page, { name: "evil\u202egnp.exe", data: "x" }]],
  ["has a backslash", [page, { name: "a\\b", data: "x" }]],
  ["climbs out by backslashes", [page, { name: "a\\..\\..\\evil", data: "x", system: 0 }]],
  ["has a backslash beside a slash", [page, { name: "a\\b/c", data: "x", system: 0 }]],
  ["has a NUL", [page, { name: "a\0b", data: "x" }]],
  ["has a line break", [page, { name: "a\nb", data: "x" }]],
  ["has a C1 control", [page, { name: "a\u0085b", data: "x" }]],
  ["has an empty segment", [page, { name: "a//b", data: "x" }]],
  ["has a dot segment", [page, { name: "a/./b", data: "x" }]],
  ["has no name", [page, { name: "", data: "x" }]],
  ["is not UTF-8 but says so", [page, { name: Buffer.from([0x61, 0xff, 0xfe]), data: "x" }]],
  ["has an overlong segment", [page, { name: "a".repeat(256), data: "x" }]],
  ["has an overlong path", [page, { name: "abcdefgh/".repeat(120) + "a", data: "x" }]],
  ["is ours", [page, { name: "_svc/raw", data: "x" }]],
  ["is ours, in another case", [page, { name: "_SVC/raw", data: "x" }]],
  ["is ours under the common folder", [{ name: "top/index.html", data: "x" }, { name: "top/_svc/raw", data: "x" }]],
  ["is ours as the common folder", [{ name: "_svc/index.html", data: "x" }]],
  ["names a drive under the common folder", [{ name: "top/index.html", data: "x" }, { name: "top/C:/x", data: "x" }]],
  ["is a link", [page, { name: "link", data: "/etc/passwd", mode: 0o120777 }]],
  ["is a device", [page, { name: "device", data: "", mode: 0o020666 }]],
  ["is a pipe", [page, { name: "pipe", data: "", mode: 0o010666 }]],
  ["is a folder that holds bytes", [page, { name: "folder/", data: "x" }]],
  ["is a folder without saying so", [page, { name: "folder", data: "", mode: 0o040755 }]],
  ["is encrypted", [page, { name: "a", data: "x", flags: 0x801 }]],
  ["is strongly encrypted", [page, { name: "a", data: "x", flags: 0x841 }]],
  ["is packed in an unknown way", [page, { name: "a", data: "x", method: 9 }]],
  ["comes twice", [page, page]],
  ["comes twice, by case", [page, { name: "Index.HTML", data: "x" }]],
  ["comes twice, by Unicode", [page, { name: "caf\u00e9", data: "x" }, { name: "cafe\u0301", data: "x" }]],
  ["is a file and a folder", [page, { name: "a", data: "x" }, { name: "a-b", data: "x" }, { name: "a/b", data: "x" }]],
  ["says another name in its header", [page, { name: "a.html", data: "x", local: { name: "b.html" } }]],
  ["says another method in its header", [page, { name: "a.html", data: "x", local: { method: 0 } }]],
  ["says another size in its header", [page, { name: "a.html", data: "x", local: { size: 2 } }]],
  ["has a wrong checksum", [page, { name: "a", data: "x", crc: 1, local: { crc: 1 } }]],
  ["has a wrong checksum, stored", [page, { name: "a", data: "x", stored: true, crc: 1 }]],
  ["unpacks to more than it says", [page, { name: "a", data: Buffer.alloc(1000), size: 10 }]],
  ["unpacks to less than it says", [page, { name: "a", data: "x", size: 10 }]],
  ["unpacks to less than it says, being empty", [page, { name: "a", data: "", size: 10, crc: 0 }]],
  ["unpacks to nothing it says of", [page, { name: "a", data: "xyz", size: 0, crc: 0 }]],
  ["has bytes after its end", [page, { name: "a", data: "x", packed: Buffer.concat([deflateRawSync("x"), Buffer.from("more")]) }]],
  ["is cut short", [page, { name: "a", data: "x".repeat(500), packed: deflateRawSync(randomBytes(500)).subarray(0, 300) }]],
  ["is not deflated at all", [page, { name: "a", data: "x", packed: Buffer.alloc(100, 0xff) }]],
  ["stored, has another size", [page, { name: "a", data: "xyz", stored: true, size: 2 }]],
  ["is large and unpacks to more than it says", [page, { name: "a", data: zeros, size: 2 * MB }]],
  ["is large and unpacks to less than it says", [page, { name: "a", data: zeros, size: 5 * MB }]],
  ["is large and has a wrong checksum", [page, { name: "a", data: zeros, crc: 5 }]],
  ["is large, stored, and has a wrong checksum", [page, { name: "a", data: zeros, stored: true, crc: 5 }]],
  ["is large and has bytes after its end", [page, { name: "a", data: zeros, packed: Buffer.concat([deflateRawSync(zeros), Buffer.alloc(10)]) }]],
  ["is large and has much after its end", [page, { name: "a", data: zeros, packed: Buffer.concat([deflateRawSync(zeros), randomBytes(3 * MB)]) }]],
  ["is large and cut short", [page, { name: "a", data: zeros, packed: deflateRawSync(zeros).subarray(0, 2000) }]],
  ["overlaps another", [page, { name: "index2.html", data: "<p>hi", offset: 0, local: { name: "index.html" } }]],
  ["lies in the table of contents", [page, { name: "a", data: "x", packedSize: 60 }]],
  ["lies outside the archive", [page, { name: "a", data: "x", offset: 0x7fffffff }]],
  ["has a broken extra field", [page, { name: "a", data: "x", extra: Buffer.from([1, 0, 255, 255]) }]]
]

const archives: ReadonlyArray<readonly [name: string, zip: Buffer]> = [
  ["nothing", Buffer.alloc(0)],
  ["no zip", Buffer.from("<p>hello".repeat(100))],
  ["an empty archive", rawZip([])],
  ["folders and litter only", rawZip([{ name: "a/", data: "" }, { name: "a/.DS_Store", data: "x" }, { name: "__MACOSX/a/._b", data: "x" }, { name: "Thumbs.db", data: "x" }, { name: "a/desktop.ini", data: "x" }, { name: "a/._c.html", data: "x" }, { name: "a/Icon\r", data: "" }])],
  ["fewer entries than the table holds", rawZip([page, { name: "a", data: "x" }], { count: 1 })],
  ["more entries than the table holds", rawZip([page], { count: 2 })],
  ["bytes between the table and its end", rawZip([page], { gap: Buffer.from("surprise") })],
  ["bytes after the end", rawZip([page], { tail: Buffer.from("surprise") })],
  ["bytes after zeros after the end", rawZip([page], { tail: Buffer.from("\0".repeat(500) + "surprise") })],
  ["zeros after a cut off end", Buffer.concat([rawZip([page]).subarray(0, -10), Buffer.alloc(2_000)])],
  ["bytes before the beginning, unaccounted for", Buffer.concat([Buffer.from("surprise"), rawZip([page])])],
  ["a cut off end", rawZip([page]).subarray(0, -30)],
  ["a claim of 65,535 entries", rawZip([page], { count: 65_535 })],
  ["a hundred and one files", rawZip(Array.from({ length: 101 }, (_, n) => ({ name: `f${n}`, data: "x" })))],
  ["more than a hundred to one", rawZip([page, { name: "zeros", data: Buffer.alloc(11 * MB) }])]
]

const check = (zip: Buffer) =>
  Effect.gen(function*() {
    const refusal = yield* Effect.flip(unpack(zip))
    assert.strictEqual(refusal._tag, "validation_error", refusal.message)
    assert.strictEqual(refusal.field, "file")
    JSON.stringify(refusal.details)
  })

describe("zips that are refused", () => {
  for (const [name, entries, archive] of refused) it.effect(`an entry that ${name}`, () => check(rawZip(entries, archive)))
  for (const [name, zip] of archives) it.effect(name, () => check(zip))

  it.effect("an entry is named in the refusal", () =>
    Effect.gen(function*() {
      const refusal = yield* Effect.flip(unpack(rawZip([page, { name: "a/link", data: "b", mode: 0o120777 }])))
      assert.strictEqual(refusal.details.entry, "a/link")
      for (const [name, said] of [["a//b", "A name in the zip has two slashes in a row. Rename it, and pack it again."], ["a/../b", "A name in the zip leads out of the site. Rename it, and pack it again."]] as const) {
        assert.strictEqual((yield* Effect.flip(unpack(rawZip([page, { name, data: "x" }])))).message, said)
      }
    }))

  it.effect("one that is protected by a password is called that", () =>
    Effect.gen(function*() {
      for (const flags of [0x801, 0x841]) {
        const refusal = yield* Effect.flip(unpack(rawZip([page, { name: "a", data: "x", flags }])))
        assert.strictEqual(refusal.message, "The zip is protected by a password. Pack it again without one.")
      }
    }))

  it.effect("more unpacked bytes than the plan has are too large, to the byte", () =>
    Effect.gen(function*() {
      const zip = rawZip([{ name: "a", data: randomBytes(1000) }, { name: "b", data: randomBytes(24) }])
      assert.strictEqual((yield* unpack(zip, { bytes: 1024, files: 2 })).length, 2)
      assert.strictEqual((yield* Effect.flip(unpack(zip, { bytes: 1023, files: 2 })))._tag, "upload_too_large")
    }))
})

describe("zips that are fine", () => {
  const paths = (zip: Uint8Array) => Effect.map(unpack(zip), (files) => files.map((file) => file.path))

  it.effect("one common folder is stripped, one level only, and only where it holds everything", () =>
    Effect.gen(function*() {
      const strip = (...names: ReadonlyArray<string>) => paths(rawZip(names.map((name) => ({ name, data: name.endsWith("/") ? "" : "x" }))))
      assert.deepStrictEqual(yield* strip("site/", "site/index.html", "site/a/b"), ["index.html", "a/b"])
      assert.deepStrictEqual(yield* strip("a/b/c", "a/b/d"), ["b/c", "b/d"])
      assert.deepStrictEqual(yield* strip("index.html", "a/b"), ["index.html", "a/b"])
      assert.deepStrictEqual(yield* strip("a/x", "A/y"), ["a/x", "A/y"])
      assert.deepStrictEqual(yield* strip("site/index.html", "__MACOSX/", "__MACOSX/._site", "site/Icon\r", "__MACOSX/site/._Icon\r"), ["index.html"])
      assert.deepStrictEqual(yield* strip("./index.html", "./", "./a"), ["index.html", "a"])
    }))

  it.effect("zeros fill the last block of one that was written into a pipe", () =>
    Effect.gen(function*() {
      for (const zeros of [1, 22, 9_000, 60_000]) {
        const tail = Buffer.alloc(zeros)
        assert.deepStrictEqual(yield* paths(rawZip([page, { name: "a", data: "x" }], { tail })), ["index.html", "a"], String(zeros))
        assert.deepStrictEqual(yield* paths(Buffer.concat([rawZip([page], { comment: Buffer.from("made by hand\0\0") }), tail])), ["index.html"], String(zeros))
      }
    }))

  it.effect("names are NFC, whichever way they are written", () =>
    Effect.gen(function*() {
      const field = (name: Buffer, unicode: string) => {
        const data = Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from(unicode)])
        data.writeUInt32LE(crc32(name), 1)
        return Buffer.concat([Buffer.from([0x75, 0x70, data.length, 0]), data])
      }
      assert.deepStrictEqual(
        yield* paths(rawZip([
          page,
          { name: "cafe\u0301.txt", data: "x" },
          { name: "ü.txt", data: "x", flags: 0 },
          { name: Buffer.from([0x94, 0x2e, 0x74]), data: "x", flags: 0 },
          { name: "#U4f60.txt", data: "x", flags: 0, extra: field(Buffer.from("#U4f60.txt"), "你.txt") }
        ])),
        ["index.html", "caf\u00e9.txt", "ü.txt", "ö.t", "你.txt"]
      )
    }))

  it.effect("names in no UTF-8 are read as Windows writes them in Western Europe", () =>
    Effect.gen(function*() {
      const named = (name: string) => ({ name: Buffer.from(name, "latin1"), data: "x", flags: 0 })
      const names = [named("sm\x9brrebr\x9bd.html"), named("\x9d\xb5\xb7\xb6\xd2\xd6\xc6\xc7\xe4\xe5"), named("\x8et\x81\xe1\x82.txt")]
      assert.deepStrictEqual(yield* paths(rawZip([page, ...names])), ["index.html", "smørrebrød.html", "ØÁÀÂÊÍãÃõÕ", "Ätüßé.txt"])
    }))

  it.effect("names in no UTF-8 are read as Windows writes them in East Asia, where they show it together", () =>
    Effect.gen(function*() {
      // Some letters of Shift_JIS end with the byte of a backslash.
      const archives: Readonly<Record<string, string>> = {
        "89e6919c2f955c8e8682cc8eca905e2e706e67 89e6919c2f89ef8ed08a5497762e706e67 82a896e282a28d8782ed82b92e68746d6c": "画像/表紙の写真.png 画像/会社概要.png お問い合わせ.html",
        "cdbcc6ac2fb7e2c3e62e706e67 b9d8d3daced2c3c72e68746d6c c1aacfb5b7bdcabd2e68746d6c b2fac6b7bde9c9dc2e68746d6c": "图片/封面.png 关于我们.html 联系方式.html 产品介绍.html",
        "c0ccb9ccc1f62fc7a5c1f62e706e67 c8b8bbe7bcd2b0b32e68746d6c bfacb6f4c3b32e68746d6c c1a6c7b02e68746d6c": "이미지/표지.png 회사소개.html 연락처.html 제품.html"
      }
      for (const [bytes, names] of Object.entries(archives)) {
        const files = bytes.split(" ").map((hex) => ({ name: Buffer.from(hex, "hex"), data: "x", flags: 0, system: 0 }))
        assert.sameMembers([...yield* paths(rawZip([page, ...files, { name: "ü.txt", data: "x", flags: 0 }]))], ["index.html", "ü.txt", ...names.split(" ")])
      }
    }))

  it.effect("so is a single such name, unless its words are of the West", () =>
    Effect.gen(function*() {
      const archives: Readonly<Record<string, string>> = {
        "83658358836787402e68746d6c": "テスト①.html",
        "b1a8b8e62e706466": "报告.pdf",
        // Korean syllables, too, but with letters that Koreans hardly use.
        "b0c4b4f3c0fbd1c72e68746d6c": "澳大利亚.html",
        "c0ccb9ccc1f62e706e67": "이미지.png",
        // These have bytes that are letters of Japan, China or Taiwan.
        "426f6ca1766961": "Bolívia",
        "42a2736e6961": "Bósnia",
        "9a6265722047728ae1652e68746d6c": "Über Grèße.html"
      }
      for (const [bytes, name] of Object.entries(archives)) {
        assert.sameMembers([...yield* paths(rawZip([page, { name: Buffer.from(bytes, "hex"), data: "x", flags: 0, system: 0 }]))], ["index.html", name])
      }
      // In Russia, no capital follows a small letter.
      assert.sameMembers([...yield* paths(rawZip([page, { name: Buffer.from("89e6919c2e706e67", "hex"), data: "x", flags: 0, system: 0 }]))], ["index.html", "ëµæ£.png"])
    }))

  it.effect("names in no UTF-8 are read as Windows writes them in Russia, where all of them are such words", () =>
    Effect.gen(function*() {
      const named = (hex: string) => ({ name: Buffer.from(hex, "hex"), data: "x", flags: 0, system: 0 })
      assert.deepStrictEqual(yield* paths(rawZip([page, named("8ee2e7f1e22e68746d6c"), named("a4aeaa2f94aee2ae20fc322e6a7067")])), ["index.html", "Отчёт.html", "док/Фото №2.jpg"])
    }))

  it.effect("folders are separated by backslashes where Windows PowerShell packed them", () =>
    Effect.gen(function*() {
      const names = ["site\\index.html", "site\\empty\\", "site\\img\\a.png"]
      assert.deepStrictEqual(yield* paths(rawZip(names.map((name) => ({ name, data: name.endsWith("\\") ? "" : "x", mode: 0, system: 0 })))), ["index.html", "img/a.png"])
    }))

  it.effect("sizes after the data, stored entries, empty files, comments, folders of any kind", () =>
    Effect.gen(function*() {
      const big = randomBytes(3 * MB)
      const streamed = { flags: 0x808, local: { size: 0, crc: 0 } }
      const files = yield* unpack(
        rawZip([
          { ...page, ...streamed },
          { name: "stored", data: "abc", stored: true },
          { name: "empty", data: "" },
          { name: "empty-stored", data: "", stored: true },
          { name: "folder/", data: "", mode: 0o100644 },
          { name: "other/", data: "", mode: 0o040755 },
          { name: "big", data: big },
          { name: "big-stored", data: big, stored: true },
          { name: "zeros", data: zeros }
        ], { comment: Buffer.from("made by hand") })
      )
      assert.deepStrictEqual(files.map((file) => file.length), [5, 3, 0, 0, big.length, big.length, zeros.length])
      assert.strictEqual(files[4]!.hash, files[5]!.hash)
    }))

  it.effect("a hundred files are not a hundred and one, and an expansion below ten megabytes is nobody's business", () =>
    Effect.gen(function*() {
      const many = yield* Effect.promise(() => zipOf(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, `${n}`]))))
      assert.strictEqual((yield* unpack(many)).length, 100)
      assert.strictEqual((yield* unpack(rawZip([{ name: "zeros", data: Buffer.alloc(9 * MB) }]))).length, 1)
    }))
})

/** A directory of a million entries of four bytes each, whose end record states this count or another. */
const million = (said: number): Buffer => {
  const [one, at] = [rawZip([{ name: "a", data: "x" }]), rawZip([{ name: "a", data: "x" }]).indexOf("PK\x01\x02", 0, "latin1")]
  const entry = one.subarray(at, at + 47)
  const table = Buffer.alloc(47 * 1_000_000, entry)
  return Buffer.concat([one.subarray(0, at), table, zip64End(said, at, table.length)])
}

describe("zips made to hurt", () => {
  const layer = deflateRawSync(Buffer.alloc(50 * MB))
  const bomb = () => rawZip([page, ...Array.from({ length: 80 }, (_, n) => ({ name: `zeros${n}`, packed: layer, size: 50 * MB, crc: 0 }))])
  const cases: ReadonlyArray<readonly [name: string, make: () => Buffer, bytes: number, code: string]> = [
    ["a bomb that is honest", bomb, 500 * MB, "upload_too_large"],
    ["a bomb under a large cap", bomb, 100_000 * MB, "validation_error"],
    ["a bomb that lies about its size", () => rawZip([page, { name: "z", packed: layer, size: 5 * MB, crc: 0 }]), 500 * MB, "validation_error"],
    ["a million entries", () => million(1_000_000), 500 * MB, "validation_error"],
    ["a million entries, said to be three", () => million(3), 500 * MB, "validation_error"]
  ]
  for (const [name, make, bytes, code] of cases) {
    it.live(`${name}: refused, and the process grows by less than 64 MB`, () =>
      Effect.promise(async () => {
        const zip = join(root, "hostile.zip")
        writeFileSync(zip, make())
        const probe = join(import.meta.dirname, "memory-probe.ts")
        const { stdout } = await promisify(execFile)(process.execPath, [SMALL_NURSERY, probe, join(root, "probe"), "unzip", zip, `${bytes}`])
        const answer = JSON.parse(stdout) as { code: string; growth: number; scratch: number; packs: number }
        assert.strictEqual(answer.code, code)
        assert.deepStrictEqual([answer.scratch, answer.packs], [0, 0])
        assert.isBelow(answer.growth, 64 * MB)
      }))
  }

  it.live("200 MB of upload grow the process by less than 64 MB", () =>
    Effect.promise(async () => {
      const probe = join(import.meta.dirname, "memory-probe.ts")
      const { stdout } = await promisify(execFile)(process.execPath, [SMALL_NURSERY, probe, join(root, "probe"), "append", `${200 * MB}`])
      assert.isBelow((JSON.parse(stdout) as { growth: number }).growth, 64 * MB)
    }))
})

it("other work has its turn while the table of contents of ten thousand files is read", async () => {
  const zip = rawZip(Array.from({ length: 10_000 }, (_, at) => ({ name: `folder-${at % 100}/page-${at}.html`, data: "" })))
  /** The longest turn, as a part of them all. */
  const longest = async (): Promise<number> => {
    const source = new ZipWindow({ read: async (position, length) => zip.subarray(position, position + length), length: zip.length })
    const turns: Array<number> = []
    let before = busyFor()
    const note = () => {
      turns.push(busyFor() - before)
      before = busyFor()
    }
    const others = setInterval(note, 0)
    const { entries } = await readDirectory(source, { bytes: MB, files: 10_000 }, new AbortController().signal)
    note()
    clearInterval(others)
    assert.lengthOf(entries, 10_000)
    return Math.max(...turns) / turns.reduce((sum, one) => sum + one, 0)
  }
  // The median of three: new code, and a collection of garbage, may make one turn long.
  const [, middle] = [await longest(), await longest(), await longest()].sort((one, two) => one - two)
  assert.isBelow(middle!, 0.5)
})
