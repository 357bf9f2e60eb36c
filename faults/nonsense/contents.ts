/** Files that are not what their type says, that are torn, or that were made to hurt whoever reads them. */
import { hostile } from "../../test/support/hostile-markdown.ts"
import { pdfOf } from "../../test/support/pdfs.ts"
import { pngOf } from "../../test/support/pngs.ts"
import { rawZip, zipOf } from "../../test/support/zips.ts"
import type { Chance } from "../chance.ts"

const SIGNATURES: ReadonlyArray<Buffer> = ["%PDF-1.7\n", "PK\x03\x04", "\x89PNG\r\n\x1a\n", "GIF89a", "\xff\xd8\xff\xe0", "RIFF\0\0\0\0WEBP", "\0\0\0\x18ftypmp42", "\0\0\0\x18ftypheic", "II*\0", "MM\0*", "BM", "\x1aE\xdf\xa3", "OggS"]
  .map((text) => Buffer.from(text, "latin1"))

const TYPES = ["text/html", "text/markdown", "text/plain", "text/csv", "text/tab-separated-values", "application/json", "application/x-ndjson", "application/pdf", "application/zip", "image/png", "image/svg+xml", "image/heic", "video/mp4", "application/octet-stream", ""]

const whole = [
  await zipOf({ "index.html": "<h1>A site</h1>", "a.css": "a{}" }), await zipOf({ "a.md": "# A", "b.csv": "a,b\n1,2" }), await zipOf({}), await zipOf({ "__MACOSX/._a": "x", ".DS_Store": "x" }),
  pdfOf([{ lines: ["A page"] }]), pngOf(3, 3, [255, 0, 0], [0, 0, 255]), pngOf(3, 3, [255, 0, 0], [0, 0, 255], [60_000, 60_000])
]

const texts: ReadonlyArray<string> = [
  "", "\n", "\0", "\uFEFF", "a,b\n\"1", "a;b\t,c\r\r\n", `"${"\"\"".repeat(5_000)}`, ",".repeat(20_000), "{", "[1,", "{\"a\":1}{\"a\":2}", "[".repeat(50_000), "{\"__proto__\":{\"a\":1}}", "1e999", "{\"a\":1}\n{\"a\":\n{\"b\":2}",
  "---\n- a\n--- \n# x", "---\ntitle: [\n---\n", "```mermaid\ngraph TD\n```", "$$\\frac{1}{", "> ".repeat(3_000), "- ".repeat(3_000), "[".repeat(5_000), "*a_".repeat(5_000), "|a".repeat(5_000), "|-".repeat(5_000), "<div>".repeat(5_000), "&#x110000;&#0;&bogus;", "[^1]: [^1]",
  "<!doctype html><title>\u202Etxt</title>", "<html><head></head><body>", "<!doctype html><base href=//evil.example><script src=/_svc/raw/x></script>", "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
  "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "\uD83D".repeat(9), "a".repeat(100_000), "a\n".repeat(30_000)
]

/** A file and what it is said to be. */
export const someContent = ({ below, happens, one }: Chance): { readonly type: string; readonly body: Buffer } => {
  const made = (): Buffer => {
    switch (below(5)) {
      case 0:
        return Buffer.from(one(texts))
      case 1:
        return Buffer.from(one(hostile))
      case 2:
        return Buffer.concat([one(SIGNATURES), Buffer.alloc(below(3_000), below(256))])
      case 3:
        return rawZip(Array.from({ length: 1 + below(3) }, () => ({ name: one(["index.html", "a/b.md", "../x", "/x", "a\\b", "", "_svc/x", "a\0b", "CON", "a.", "A.html", "a.html", "x".repeat(300)]), data: Buffer.from(one(texts)) })))
      default: {
        const file = Buffer.from(one(whole))
        for (let left = below(4); left > 0; left--) file[below(file.length)] = below(256)
        return happens(0.3) ? file.subarray(0, below(file.length)) : file
      }
    }
  }
  return { type: one(TYPES), body: made() }
}
