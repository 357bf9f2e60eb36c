/** Which kind a published file is taken for. */
import { isUtf8 } from "node:buffer"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { pathFault } from "../../../../src/domain/projects/file-paths.ts"
import type { Clues, FoundKind } from "../../../../src/domain/projects/documents/kinds.ts"
import { asBefore, kindOf, typeOf } from "../../../../src/domain/projects/documents/kinds.ts"
import { Sniffer } from "../../../../src/domain/ports/sniffer.ts"
import { SnifferFileType } from "../../../../src/services/blobs/sniff.ts"
import { growth } from "../../../support/growth.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
/** As the writer of a body knows them. */
const letters = (head: Uint8Array, cut = 0) => ({
  head: head.subarray(0, 4_100),
  utf8: isUtf8(head.subarray(0, head.length - cut)),
  beyondAscii: head.subarray(head.findIndex((byte) => byte > 0x7f) >>> 0)
})
const found = (clues: Partial<Clues>) =>
  kindOf({ declared: undefined, fileName: undefined, sniffed: undefined, ...letters(clues.head ?? bytes("plain words")), ...clues })
const is = (kind: FoundKind["kind"], type: string, name: string): FoundKind => ({ kind, type, name })
const png = { ext: "png", mime: "image/png" }
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0)
const sniff = (head: Uint8Array) => Effect.runPromise(Effect.provide(Sniffer.use((sniffer) => sniffer.sniff(head)), SnifferFileType))

describe("kinds by Content-Type", () => {
  it("every supported one, whatever its case and parameters", () => {
    const table: ReadonlyArray<readonly [string, FoundKind["kind"], string, string]> = [
      ["text/html", "site", "text/html; charset=utf-8", "index.html"],
      ["Text/HTML; Charset=UTF-8", "site", "text/html; charset=utf-8", "index.html"],
      ["text/markdown; variant=GFM", "markdown", "text/markdown; charset=utf-8", "document.md"],
      ["text/plain", "text", "text/plain; charset=utf-8", "text.txt"],
      ["text/csv;header=present", "data", "text/csv; charset=utf-8", "data.csv"],
      ["text/tab-separated-values", "data", "text/tab-separated-values; charset=utf-8", "data.tsv"],
      ["application/json", "data", "application/json; charset=utf-8", "data.json"],
      ["application/x-ndjson", "data", "application/x-ndjson; charset=utf-8", "data.ndjson"],
      ["application/jsonl", "data", "application/x-ndjson; charset=utf-8", "data.ndjson"],
      ["application/x-jsonlines", "data", "application/x-ndjson; charset=utf-8", "data.ndjson"],
      ["application/pdf", "pdf", "application/pdf", "document.pdf"],
      ["application/zip", "zip", "application/zip", "site.zip"],
      ["application/x-zip-compressed", "zip", "application/zip", "site.zip"],
      ["image/png", "image", "image/png", "image.png"],
      ["image/jpg", "image", "image/jpeg", "image.jpg"],
      ["image/svg+xml", "image", "image/svg+xml", "image.svg"],
      ["video/mp4", "video", "video/mp4", "video.mp4"],
      ["video/quicktime", "video", "video/quicktime", "video.mov"],
      ["image/x-unheard-of", "image", "image/x-unheard-of", "image"]
    ]
    for (const [declared, kind, type, name] of table) assert.deepStrictEqual(found({ declared }), is(kind, type, name))
  })

  it("decides against name and bytes", () => {
    assert.deepStrictEqual(found({ declared: "text/plain", fileName: "README.md" }), is("text", "text/plain; charset=utf-8", "README.md"))
    assert.deepStrictEqual(
      found({ declared: "text/plain", fileName: "page.html", head: bytes("<!doctype html>") }),
      is("text", "text/plain; charset=utf-8", "page.html.txt")
    )
    assert.deepStrictEqual(found({ declared: "text/plain", sniffed: png }), is("text", "text/plain; charset=utf-8", "text.txt"))
  })

  it("anything else is a fault that names the header", () => {
    const others = [
      "application/msword", "text/css", "text/javascript", "application/xhtml+xml", "application/xml", "audio/mpeg", "image", "image/",
      "image/*", "text/html, text/plain", "nonsense", "constructor", "__proto__", "image/png\u0000", "multipart/form-data; boundary=x"
    ]
    for (const declared of others) {
      const fault = found({ declared, fileName: "index.html" })
      assert.strictEqual("field" in fault && fault.field, "Content-Type", declared)
    }
  })
})

describe("kinds without a telling Content-Type", () => {
  it("come from the bytes, then from the name", () => {
    for (const declared of [undefined, "", " ", "application/octet-stream", "application/x-www-form-urlencoded"]) {
      const html = bytes("\ufeff\n <!-- hi -->\n<!DOCTYPE html><title>x</title>")
      assert.deepStrictEqual(found({ declared, sniffed: png, fileName: "x.html", head: PNG }), is("image", "image/png", "x.html.png"))
      assert.deepStrictEqual(found({ declared, fileName: "notes.md" }), is("markdown", "text/markdown; charset=utf-8", "notes.md"))
      assert.deepStrictEqual(found({ declared, fileName: "T.CSV" }), is("data", "text/csv; charset=utf-8", "T.CSV"))
      assert.deepStrictEqual(found({ declared, fileName: "rows.tsv" }), is("data", "text/tab-separated-values; charset=utf-8", "rows.tsv"))
      for (const fileName of ["log.ndjson", "log.JSONL"]) {
        assert.deepStrictEqual(found({ declared, fileName, head: bytes(`{"a":1}\n{"a":2}\n`) }), is("data", "application/x-ndjson; charset=utf-8", fileName))
      }
      assert.deepStrictEqual(found({ declared, head: html }), is("site", "text/html; charset=utf-8", "index.html"))
      assert.deepStrictEqual(found({ declared, head: bytes(`{"a":1}`) }), is("data", "application/json; charset=utf-8", "data.json"))
      assert.deepStrictEqual(found({ declared, head: bytes("{not json") }), is("text", "text/plain; charset=utf-8", "text.txt"))
      assert.deepStrictEqual(
        found({ declared, sniffed: { ext: "xml", mime: "application/xml" }, head: bytes(`<?xml version="1.0"?><svg xmlns="x">`) }),
        is("image", "image/svg+xml", "image.svg")
      )
      // As drawing programs write it, with entities of their own.
      assert.deepStrictEqual(
        found({ declared, head: bytes(`<!DOCTYPE svg PUBLIC "x" "y" [\n<!ENTITY ns "http://www.w3.org/2000/svg">\n]>\n<svg xmlns="&ns;">`) }),
        is("image", "image/svg+xml", "image.svg")
      )
      assert.deepStrictEqual(found({ declared, fileName: "main.rs" }), is("text", "text/plain; charset=utf-8", "main.rs"))
    }
  })

  it("a type that systems give TypeScript by its extension says nothing of a text", () => {
    const [words, film] = [bytes("export const one = 1\n"), Uint8Array.of(0x47, 0x40, 0x11, 0x10, 0)]
    assert.deepStrictEqual(found({ declared: "video/mp2t", fileName: "main.ts", head: words }), is("text", "text/plain; charset=utf-8", "main.ts"))
    assert.deepStrictEqual(found({ declared: "video/mp2t", fileName: "talk.ts", head: film }), is("video", "video/mp2t", "talk.ts"))
  })

  it("JSON longer than its head is data, wherever the head ends", () => {
    const json = JSON.stringify([{ id: 1, "a \\ \"key\"": "grüße, [x] {y} \n", list: [1.5e-7, -2, true, false, null, [], {}], deep: { text: "" } }, "x"])
    for (let pad = 0; pad <= json.length; pad++) {
      const whole = Buffer.concat([bytes(`[${" ".repeat(4_099 - pad)}`), bytes(json)])
      assert.deepStrictEqual(found(letters(whole)), is("data", "application/json; charset=utf-8", "data.json"), String(pad))
    }
    const others = [`[1] says ${"words, and ".repeat(400)}`, `[link](x) ${"words ".repeat(700)}`, `{words ${"and more ".repeat(500)}`, `[notes ${"and more ".repeat(500)}`, `{"a":1}\n`.repeat(600), `{"a" ${"b, ".repeat(1_500)}`, `{"a":1}`.repeat(600), `[1,]${" ".repeat(4_100)}`, `[1}${" ".repeat(4_100)}`, "[draft]\nname = x\n".repeat(300)]
    for (const other of others) assert.deepStrictEqual(found({ head: bytes(other).subarray(0, 4_100) }), is("text", "text/plain; charset=utf-8", "text.txt"), other.slice(0, 20))
  })

  it("a file that its name or type says is some sort of JSON is data", () => {
    for (const fileName of ["map.geojson", "calls.har", "book.ipynb", "app.js.map", "site.webmanifest"]) {
      assert.deepStrictEqual(found({ fileName, head: bytes(`{"a":`) }), is("data", "application/json; charset=utf-8", fileName))
    }
    assert.deepStrictEqual(found({ declared: "application/geo+json", fileName: "map.geojson" }), is("data", "application/json; charset=utf-8", "map.geojson"))
  })

  it("a file that reads as text is text, whatever format begins with the same bytes", async () => {
    const table: ReadonlyArray<readonly [text: string, fileName: string | undefined, type: string, name: string]> = [
      ["BMI,Age\n22,31\n", "health.csv", "text/csv", "health.csv"], ["BMI and age", undefined, "text/plain", "text.txt"],
      ["GIFTS\n=====\n", "gifts.md", "text/markdown", "gifts.md"], ["MZ is a mark\n", "notes.txt", "text/plain", "notes.txt"],
      ["solid ground\n", undefined, "text/plain", "text.txt"], ["%! all of it", "a.txt", "text/plain", "a.txt"], ["ID3,Title\n", "tags.csv", "text/csv", "tags.csv"],
      ["BEGIN:VCALENDAR\nVERSION:2.0\n", undefined, "text/plain", "text.txt"], ["0707070,1\n", "a.csv", "text/csv", "a.csv"]
    ]
    for (const [text, fileName, type, name] of table) {
      const sniffed = await sniff(bytes(text.padEnd(600, "x\n")))
      const one = found({ head: bytes(text.padEnd(600, "x\n")), fileName, sniffed })
      assert.isDefined(sniffed, text)
      assert.deepStrictEqual("type" in one && [one.type, one.name], [`${type}; charset=utf-8`, name], text)
    }
    const latin = Buffer.from("BMI;Gr\xf6\xdfe\n", "latin1")
    assert.deepStrictEqual(found({ head: latin, fileName: "bmi.csv", sniffed: { ext: "bmp", mime: "image/bmp" } }), is("data", "text/csv; charset=windows-1252", "bmi.csv"))
  })

  it("but nothing with bytes that no text has, nor a document that may be all letters", async () => {
    const gif = Buffer.from("GIF89a\x01\x00\x01\x00<script>", "latin1")
    for (const fileName of [undefined, "evil.html", "evil.csv"]) {
      assert.strictEqual((found({ head: gif, fileName, sniffed: await sniff(gif) }) as FoundKind).type, "image/gif")
      const pdf = bytes("%PDF-1.4\n1 0 obj".padEnd(600, "x\n"))
      assert.strictEqual((found({ head: pdf, fileName, sniffed: await sniff(pdf) }) as FoundKind).type, "application/pdf")
      assert.property(found({ head: Buffer.from("MZ\x90\x00\x03"), fileName, sniffed: { ext: "exe", mime: "application/x-msdownload" } }), "message")
    }
  })

  it("a PDF begins within its first 1,024 bytes, if its name says that it is one", () => {
    const behind = (length: number) => Buffer.concat([Buffer.alloc(length, "\n"), bytes("%PDF-1.3\n%"), Uint8Array.of(0x93, 0x8c, 0)])
    for (const length of [4, 1_019]) assert.deepStrictEqual(found({ head: behind(length), fileName: "a.pdf" }), is("pdf", "application/pdf", "a.pdf"))
    assert.property(found({ head: behind(1_020), fileName: "a.pdf" }), "message")
    assert.property(found({ head: behind(4), fileName: "a.txt" }), "message")
    assert.strictEqual((found({ head: bytes("Files begin with %PDF-1.4"), fileName: "a.md" }) as FoundKind).kind, "markdown")
    assert.strictEqual((found({ head: Buffer.concat([PNG, bytes("%PDF-1.4")]), fileName: "a.pdf", sniffed: png }) as FoundKind).kind, "image")
  })

  it("a zip is the document that its name says, whatever its first entry; a name that says nothing of the kind changes nothing", () => {
    const zip = { head: Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0), sniffed: { ext: "zip", mime: "application/zip" } }
    const said = (clues: Partial<Clues>) => {
      const one = found({ ...zip, ...clues })
      return "message" in one ? one.message : one.kind
    }
    for (const declared of [undefined, "application/octet-stream"]) {
      for (const [fileName, advice] of [
        ["pandas.xlsx", "Save it as CSV or PDF, then publish that."], ["a.ods", "Save it as CSV or PDF, then publish that."], ["Deck.PPTX", "Save it as PDF, then publish that."], ["a.odt", "Save it as PDF, then publish that."],
        ["a.epub", "Save it as PDF, then publish that."], ["a.pages", "Save it as PDF, then publish that."], ["a.key", "Save it as PDF, then publish that."], ["tool.jar", "Publish HTML, Markdown"]
      ] as const) assert.include(said({ declared, fileName }), `svc cannot show .${fileName.split(".")[1]!.toLowerCase()} files. ${advice}`)
      for (const fileName of [undefined, "site.zip", "site", "index.html", "notes.md", "www.example.com", "v1.2"]) assert.strictEqual(said({ declared, fileName }), "zip", fileName)
    }
  })

  it("a refusal says what the file is taken for, and what to publish in its place", () => {
    const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    const [head, pdf, sheet, sound] = [Uint8Array.of(0, 1, 2, 255), "Save it as PDF, then publish that.", "Save it as CSV or PDF, then publish that.", "Sound is for sites: publish it in a folder whose index.html plays it."]
    for (const [clues, says] of [
      [{ declared: word }, `svc cannot show .docx files. ${pdf}`], [{ declared: word, fileName: "index.html" }, `svc cannot show .docx files. ${pdf}`],
      [{ fileName: "offer", sniffed: { ext: "docx", mime: word } }, `svc cannot show .docx files. ${pdf}`], [{ fileName: "a.doc", sniffed: { ext: "cfb", mime: "application/x-cfb" } }, `svc cannot show .doc files. ${pdf}`],
      [{ fileName: "a.xls", declared: "application/vnd.ms-excel" }, `svc cannot show .xls files. ${sheet}`], [{ sniffed: { ext: "rtf", mime: "application/rtf" } }, `svc cannot show .rtf files. ${pdf}`],
      [{ fileName: "a.m4a", sniffed: { ext: "m4a", mime: "audio/x-m4a" } }, `svc cannot show .m4a files. ${sound}`], [{ declared: "audio/mpeg" }, `svc cannot show .mp3 files. ${sound}`],
      ...[["gz", "application/gzip"], ["tar", "application/x-tar"], ["7z", "application/x-7z-compressed"], ["rar", "application/x-rar-compressed"], ["xz", "application/x-xz"]]
        .map(([ext = "", mime = ""]) => [{ fileName: `site.${ext}`, sniffed: { ext, mime } }, `svc cannot show .${ext} files. Unpack it, then publish what is in it; several files as a zip.`] as const),
      [{ fileName: "site.rar" }, "svc cannot show .rar files. Unpack it,"],
      [{ declared: "multipart/form-data; boundary=x", fileName: "a.md" }, "A form goes to POST /v1/projects."],
      [{ fileName: "a.ogg", sniffed: { ext: "ogg", mime: "audio/ogg" } }, `svc cannot show .ogg files. ${sound}`], [{ fileName: "a.bin" }, "svc cannot show .bin files. Publish HTML,"],
      ...["image/png", "image/svg+xml", "video/mp4", "application/pdf", "application/zip"].map((declared) => [{ head: new Uint8Array(0), declared }, "The file is empty."] as const),
      ...["a.mp4", "a.pdf", "a.zip"].map((fileName) => [{ head: new Uint8Array(0), fileName }, "The bytes of this file are not"] as const),
      ...["a.csv", "a.mp4", "a.PNG", "a.zip"].map((fileName) => [{ fileName }, `The bytes of this file are not those of a ${fileName.slice(1).toLowerCase()} file. It may be damaged or cut short:`] as const), [{}, "Publish HTML,"], [{ fileName: "a.<b>\u202e" }, "Publish HTML,"]
    ] as const) {
      const fault = found({ head, ...clues })
      assert.isTrue("message" in fault && fault.message.startsWith(says), JSON.stringify([clues, fault]))
    }
  })

  it("a text may hold what terminals and printers take, and anything else if its name says text", () => {
    const [output, broken] = [bytes("page\f*\b*\x07 done\v\n"), bytes("cut\0off\x1a\n")]
    for (const fileName of [undefined, "build.log", "a.txt"]) assert.strictEqual((found({ head: output, fileName }) as FoundKind).kind, "text", fileName)
    assert.deepStrictEqual(found({ head: broken, fileName: "a.log" }), is("text", "text/plain; charset=utf-8", "a.log"))
    assert.deepStrictEqual(found({ head: broken, fileName: "a.csv" }), is("data", "text/csv; charset=utf-8", "a.csv"))
    for (const fileName of [undefined, "a.svg", "a.png", "a.bin"]) assert.property(found({ head: broken, fileName }), "message", fileName)
  })

  it("bytes that are no text and nothing known are a fault, whatever the name says", () => {
    const head = Uint8Array.of(0, 1, 2, 3, 255)
    for (const fileName of [undefined, "index.html", "a.txt", "a.png"]) assert.property(found({ head, fileName }), "message")
    assert.property(found({ head: Uint8Array.of(0x50, 0x4b, 3, 4), sniffed: { ext: "docx", mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.document" } }), "message")
  })
})

describe("a text that takes the place of one and says nothing", () => {
  const after = (type: string, head: string | Uint8Array, clues: Partial<Clues> = {}) => {
    const bare = typeof head === "string" ? bytes(head) : head
    const all = { declared: undefined, fileName: undefined, sniffed: undefined, ...letters(bare), ...clues }
    const one = kindOf(asBefore(all, { name: "before.txt", type }))
    return "type" in one ? one.type.split(";")[0] : undefined
  }
  it("stays what that was", () => {
    const table = [
      ["text/html; charset=utf-8", "<h1>words", "text/html"],
      ["text/markdown; charset=utf-8", "- words", "text/markdown"],
      ["application/json; charset=utf-8", `{"cut": `, "application/json"],
      ["application/x-ndjson; charset=utf-8", `{"one":1}`, "application/x-ndjson"],
      ["text/csv; charset=windows-1252", "a,b", "text/csv"]
    ] as const
    for (const [before, head, type] of table) assert.strictEqual(after(before, head), type)
  })
  it("unless something says otherwise, or that was no text", () => {
    assert.strictEqual(after("text/markdown", "<!doctype html>"), "text/html")
    assert.strictEqual(after("text/csv", `{"a":1}`), "application/json")
    assert.strictEqual(after("application/json", "# words"), "text/plain")
    assert.strictEqual(after("text/html", "<p>", { fileName: "a.csv" }), "text/csv")
    assert.strictEqual(after("text/html", "<p>", { declared: "text/plain" }), "text/plain")
    assert.strictEqual(after("text/html", PNG, { sniffed: png }), "image/png")
    assert.strictEqual(after("image/svg+xml", "words"), "text/plain")
    assert.strictEqual(after("image/png", "words"), "text/plain")
    assert.isUndefined(after("text/html", Uint8Array.of(0, 1, 2, 3, 255)))
  })
})

describe("encodings", () => {
  const type = (clues: Partial<Clues>) => {
    const one = found(clues)
    return "type" in one ? one.type : undefined
  }
  it("UTF-8 where the bytes are, even cut inside a character; never a claim that the bytes refute", () => {
    const cut = bytes("grüße ü").slice(0, -1)
    const latin = Uint8Array.of(0x67, 0x72, 0xfc, 0xdf, 0x65)
    assert.strictEqual(type({ declared: "text/plain", ...letters(cut, 1) }), "text/plain; charset=utf-8")
    assert.strictEqual(type({ declared: "text/plain; charset=iso-8859-1", ...letters(cut, 1) }), "text/plain; charset=utf-8")
    assert.strictEqual(type({ declared: "text/html; charset=\"ISO-8859-1\"", head: latin }), "text/html; charset=windows-1252")
    assert.strictEqual(type({ declared: "text/html; charset=utf-8", head: latin }), "text/html")
    assert.strictEqual(type({ declared: "text/html; charset=utf-7", head: bytes("a") }), "text/html; charset=utf-8")
    assert.strictEqual(type({ declared: "text/csv; charset=shift_jis", head: bytes("a,b") }), "text/csv; charset=shift_jis")
    assert.strictEqual(type({ declared: "text/plain", head: Uint8Array.of(0xff, 0xfe, 0x61, 0) }), "text/plain; charset=utf-16le")
    // As spreadsheets save it; one broken byte does not make it another encoding, whatever was declared.
    assert.strictEqual(type({ declared: "text/csv", head: latin }), "text/csv; charset=windows-1252")
    assert.strictEqual(type({ declared: "text/plain", head: Uint8Array.of(...bytes("grün"), 0xff) }), "text/plain; charset=utf-8")
    for (const declared of ["text/html; charset=utf-8", "text/html"]) {
      assert.strictEqual(type({ declared, ...letters(Uint8Array.of(...bytes("Grüße, wörld"), 0xe4)) }), "text/html; charset=utf-8")
    }
    // Looks like a single UTF-8 character among many broken ones: Пётр Ильич in windows-1251.
    assert.strictEqual(type({ declared: "text/html", head: Uint8Array.of(0xcf, 0xb8, 0xf2, 0xf0, 0x20, 0xc8, 0xeb, 0xfc, 0xe8, 0xf7) }), "text/html")
    assert.strictEqual(type({ declared: "text/html", ...letters(Uint8Array.of(...bytes("<meta charset=latin1>grün"), 0xff)) }), "text/html")
    assert.strictEqual(type({ declared: "text/plain", head: new Uint8Array() }), "text/plain; charset=utf-8")
  })

  it("by all of the text, however late its first letter beyond ASCII comes", () => {
    const late = (text: string) => letters(Buffer.concat([bytes("a;b\n".repeat(2_000)), Buffer.from(text, "latin1")]))
    assert.strictEqual(type({ declared: "text/csv", ...late("gr\xfc\xdfe") }), "text/csv; charset=windows-1252")
    assert.strictEqual(type({ declared: "text/csv", ...late("gr\xc3\xbc\xc3\x9fe") }), "text/csv; charset=utf-8")
    assert.strictEqual(type({ declared: "text/csv", ...late("gr\xc3\xbc \xff") }), "text/csv; charset=utf-8")
    assert.strictEqual(type({ declared: "text/csv; charset=shift_jis", ...late("gr\xfc\xdfe") }), "text/csv; charset=shift_jis")
    // An HTML page names its own charset, which ours would override.
    assert.strictEqual(type({ declared: "text/html", ...late("gr\xfc\xdfe") }), "text/html")
  })

  it("by the letters that the bytes show, where nothing else says", () => {
    // Names and addresses as a Japanese spreadsheet saves them.
    const japanese = Buffer.from("8e81 96bc 2c 8f5a 8f8a 0a 8db2 93a1 88ea 9859 2c 938c 8b9e 9373 9056 8f68 8be6 90bc 9056 8f68 2c 82a8 93cd 82af 8dcf 82dd 0a 97e9 96d8 89d4 8e71 2c 91e5 8de3 957b 91e5 8de3 8e73 966b 8be6 2c 82a8 93cd 82af 8dcf 82dd 0a".replaceAll(" ", ""), "hex")
    const cyrillic = (text: string) => Uint8Array.from(text, (letter) => letter > "\u03ff" ? letter.codePointAt(0)! - 0x350 : letter.codePointAt(0)!)
    const russian = cyrillic("\u0412\u044b\u0440\u0443\u0447\u043a\u0430 \u0437\u0430 \u043a\u0432\u0430\u0440\u0442\u0430\u043b \u0432\u044b\u0440\u043e\u0441\u043b\u0430 \u043d\u0430 \u0434\u0432\u0435\u043d\u0430\u0434\u0446\u0430\u0442\u044c \u043f\u0440\u043e\u0446\u0435\u043d\u0442\u043e\u0432 \u0438 \u043f\u0440\u0435\u0432\u044b\u0441\u0438\u043b\u0430 \u043e\u0436\u0438\u0434\u0430\u043d\u0438\u044f\n".repeat(4))
    for (const [head, charset] of [[japanese, "shift_jis"], [russian, "windows-1251"]] as const) {
      assert.strictEqual(type({ fileName: "a.csv", head }), `text/csv; charset=${charset}`)
      assert.strictEqual(type({ declared: "text/plain", ...letters(Buffer.concat([bytes("a;b\n".repeat(2_000)), head])) }), `text/plain; charset=${charset}`)
      assert.strictEqual(type({ declared: "text/csv; charset=iso-8859-1", head }), "text/csv; charset=windows-1252")
    }
    const western = ["un caf\xe9", "Stra\xdfe;Umsatz\nM\xfcller;19,90\n", "na\xefve\n", "f\xfcr K\xf6ln", "\xc4\xd6\xdc;\xc9\xc8\xca;\xd1\xc7\n".repeat(20), "R\xf8dgr\xf8d p\xe5 \xc6r\xf8, \xe5h!\n".repeat(20), "\xabD\xe9j\xe0 vu\xbb \x96 5 \x80\n".repeat(20)]
    for (const text of western) assert.strictEqual(type({ fileName: "a.csv", head: Buffer.from(text, "latin1") }), "text/csv; charset=windows-1252", text)
  })

  it("a source or a subtitle is text in an older encoding too, in the one that it names", () => {
    const of = (fileName: string | undefined, text: string) => found({ fileName, head: Buffer.from(text, "latin1") })
    assert.deepStrictEqual(of("a.py", "# M\xfcller\n"), is("text", "text/plain; charset=windows-1252", "a.py"))
    assert.deepStrictEqual(of("film.srt", "1\n00:00:06,500 --> 00:00:09,000\nD\xe9j\xe0 vu\n"), is("text", "text/plain; charset=windows-1252", "film.srt"))
    const named: ReadonlyArray<readonly [name: string, text: string, charset: string]> = [
      ["a.xml", "<?xml version=\"1.0\" encoding='windows-1255'?>\n<a>\xe0</a>", "windows-1255"], ["a.py", "#!/usr/bin/python\n# -*- coding: iso-8859-2 -*-\n'\xe8'", "iso-8859-2"],
      ["a.rb", "# encoding: Latin-1\n'\xe8'", "windows-1252"], ["a.el", ";; -*- mode: lisp; coding: koi8-r -*-\n\xc1", "koi8-r"], ["a.py", "# coding: none-such\n\xe8", "windows-1252"],
      ["a.py", "# coding: utf-8\n\xe8", "windows-1252"], ["a.txt", "The encoding: koi8-r it is not\n\xe8", "windows-1252"]
    ]
    for (const [name, text, charset] of named) assert.propertyVal(of(name, text), "type", `text/plain; charset=${charset}`, text)
    for (const [name, text] of [[undefined, "# M\xfcller"], ["a", "# M\xfcller"], ["a.py", "\xfc\x00"], ["a.png", "\xfc\xfc"], ["a.pdf", "\xfc"]] as const) assert.property(of(name, text), "message", text)
  })

  it("a file named as text is text in an older encoding too, if it has no control characters", () => {
    const latin = Buffer.from("Stra\xdfe;Umsatz\nM\xfcller;19,90\n", "latin1")
    assert.deepStrictEqual(found({ fileName: "umsatz.csv", head: latin }), is("data", "text/csv; charset=windows-1252", "umsatz.csv"))
    assert.deepStrictEqual(found({ fileName: "umsatz.html", head: latin }), is("site", "text/html", "umsatz.html"))
    assert.property(found({ head: latin }), "message")
    assert.property(found({ fileName: "umsatz.csv", head: Buffer.concat([latin, Uint8Array.of(0)]) }), "message")
  })
})

describe("names", () => {
  const named = (fileName: string, declared = "application/pdf") => {
    const one = found({ declared, fileName })
    return "name" in one ? one.name : undefined
  }
  it("keep what is safe of what was given", () => {
    assert.strictEqual(named("Größe & Co.pdf"), "Größe & Co.pdf")
    assert.strictEqual(named("../../etc/passwd"), "passwd.pdf")
    assert.strictEqual(named("log.ndjson", "application/json"), "log.ndjson")
    assert.strictEqual(named("log.jsonl", "application/x-ndjson"), "log.jsonl")
    assert.strictEqual(named("log.json", "application/x-ndjson"), "log.json.ndjson")
    assert.strictEqual(named("C:\\Users\\ada\\offer.pdf"), "offer.pdf")
    assert.strictEqual(named("offer"), "offer.pdf")
    assert.strictEqual(named("offer.exe"), "offer.exe.pdf")
    assert.strictEqual(named("a\r\nSet-Cookie: x.pdf"), "aSet-Cookie x.pdf")
    assert.strictEqual(named("photo\u202egpj.exe", "image/jpeg"), "photogpj.exe.jpg")
    for (const empty of ["", " ", "..", "/", "_svc", "\0", "...", "\u202e"]) assert.strictEqual(named(empty), "document.pdf", JSON.stringify(empty))
  })

  it("are always one safe segment of bounded length", () => {
    const types = fc.constantFrom("text/html", "text/plain", "application/pdf", "image/png", "application/zip", undefined)
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), types, (fileName, declared) => {
      const one = found({ declared, fileName })
      if (!("name" in one)) return
      assert.isUndefined(pathFault(one.name), JSON.stringify(one.name))
      assert.notInclude(one.name, "/")
      assert.isAtMost([...one.name].length, 140)
      assert.notMatch(one.name, /[\p{Cc}\p{Cf}"<>|]/u)
    }), { numRuns: 200 })
  })
})

describe("types inside a site", () => {
  it("by extension, with a charset for text", () => {
    const table: Readonly<Record<string, string>> = {
      "index.html": "text/html; charset=utf-8",
      "css/site.CSS": "text/css; charset=utf-8",
      "Saved_files/app.js.download": "text/javascript; charset=utf-8",
      "Saved_files/css2(1)": "text/css; charset=utf-8",
      "Saved_files/js": "text/javascript; charset=utf-8",
      "css": "text/plain; charset=utf-8",
      "app.js": "text/javascript; charset=utf-8",
      "app.mjs": "text/javascript; charset=utf-8",
      "app.cjs": "text/javascript; charset=utf-8",
      "app.js.map": "application/json; charset=utf-8",
      "data.json": "application/json; charset=utf-8",
      "log.ndjson": "application/x-ndjson; charset=utf-8",
      "x.wasm": "application/wasm",
      "f.woff2": "font/woff2",
      "f.ttf": "font/ttf",
      "i.svg": "image/svg+xml",
      "site.webmanifest": "application/manifest+json; charset=utf-8",
      "favicon.ico": "image/vnd.microsoft.icon",
    }
    const of = (path: string, head: Uint8Array) => typeOf(path, { declared: undefined, ...letters(head) })
    for (const [path, type] of Object.entries(table)) assert.strictEqual(of(path, bytes("plain words")), type, path)
    const others: Readonly<Record<string, string>> = {
      "LICENSE": "application/octet-stream", "html": "application/octet-stream", ".htaccess": "application/octet-stream",
      "a.html/file": "application/octet-stream", "x.unheard-of": "application/octet-stream", "x.constructor": "application/octet-stream",
      "": "application/octet-stream", "tool.bin": "application/octet-stream", "main.py": "application/octet-stream",
      "segment.ts": "video/mp2t", "q.sql": "application/sql", "p.toml": "application/toml", "main.rs": "application/rls-services+xml"
    }
    // Text whose extension tells nothing is shown as text; what has other bytes is what its extension says.
    for (const [path, type] of Object.entries(others)) {
      assert.strictEqual(of(path, bytes("plain words")), "text/plain; charset=utf-8", path)
      assert.strictEqual(of(path, Uint8Array.of(0x47, 0x40, 0, 1)), type, path)
    }
  })

  it("with the charset that the bytes are in, and none where they name it themselves", () => {
    const type = (path: string, head: Uint8Array, declared?: string) => typeOf(path, { declared, ...letters(head) })
    const latin = Buffer.from("gr\xfc\xdfe", "latin1")
    const table: Readonly<Record<string, string>> = {
      "index.html": "text/html", "site.css": "text/css", "app.js": "text/javascript", "data.json": "application/json",
      "a.md": "text/markdown; charset=windows-1252", "a.txt": "text/plain; charset=windows-1252", "a.csv": "text/csv; charset=windows-1252",
      "a.tsv": "text/tab-separated-values; charset=windows-1252", "a.png": "image/png", "LICENSE": "application/octet-stream", "main.py": "application/octet-stream"
    }
    for (const [path, expected] of Object.entries(table)) assert.strictEqual(type(path, latin), expected, path)
    // A file that only claims to be text has letters in no encoding.
    assert.strictEqual(type("lies.txt", Uint8Array.of(0xff, 0x00, 0xfe)), "text/plain")
    assert.strictEqual(type("index.html", latin, "text/html; charset=iso-8859-2"), "text/html; charset=iso-8859-2")
    assert.strictEqual(type("index.html", Buffer.from("\uFEFFa", "utf16le")), "text/html; charset=utf-16le")
    assert.strictEqual(type("index.html", bytes("grüße"), "text/plain; charset=iso-8859-1"), "text/html; charset=utf-8")
  })
})

it("an encoding that a text may name is looked for once", () => {
  const told = (size: number) => {
    const head = Buffer.concat([Buffer.from("<meta ".repeat(size / 6)), Buffer.from("\xc3\xa9\xff", "latin1")])
    return typeOf("style.css", { declared: undefined, head, utf8: false, beyondAscii: head.subarray(-3) })
  }
  assert.isBelow(growth(told, 1_020), 9)
})
