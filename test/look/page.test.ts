/** The frame of the server's pages: its policy fits it, nothing runs in it, and the typefaces stay small. */
import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { assetsPath, faces } from "../../src/look/faces.ts"
import { html } from "../../src/look/html.ts"
import { page, pageCsp } from "../../src/look/page.ts"

const shown = page({ title: "A <b> title", description: "\"quoted\"", body: html`<h1>Hello</h1>`, requestId: "r-1" })
const styles = [...shown.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text]) => text ?? "")

describe("page", () => {
  it("has one style block, and the policy carries its hash", () => {
    assert.lengthOf(styles, 1)
    assert.include(pageCsp, `style-src 'sha256-${createHash("sha256").update(styles[0] ?? "").digest("base64")}'`)
    assert.notMatch(shown, /\sstyle="/)
  })

  it("allows nothing that it does not need", () => {
    assert.include(pageCsp, "default-src 'none'")
    assert.notInclude(pageCsp, "script-src")
    assert.notInclude(shown, "<script")
    for (const rule of ["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"]) assert.include(pageCsp, rule)
  })

  it("escapes what it is given, and leaves out what it is not", () => {
    assert.include(shown, "<title>A &lt;b&gt; title · svc</title>")
    assert.include(shown, "content=\"&quot;quoted&quot;\"")
    assert.notInclude(page({ title: "x", body: html`x` }), "description")
    assert.notInclude(page({ title: "x", body: html`x` }), "Request ")
  })

  it("asks for no other host, and is kept out of search", () => {
    const addresses = [...shown.matchAll(/(?:src|href)="([^"]+)"|url\(([^)]+)\)/g)].map(([, a, b]) => a ?? b ?? "")
    for (const address of addresses) assert.match(address, /^(\/|data:image\/svg)/)
    assert.include(shown, "<meta name=\"robots\" content=\"noindex\">")
  })
})

describe("faces", () => {
  it("are two faces, 60 KB together at most", () => {
    assert.strictEqual(faces.size, 2)
    assert.isAtMost([...faces.values()].reduce((sum, { bytes }) => sum + bytes.identity.length, 0), 60 * 1024)
  })

  it("are named after their content, and the style names each of them", () => {
    for (const [name, { bytes, etag, type }] of faces) {
      const hash = createHash("sha256").update(bytes.identity).digest("hex")
      assert.include(name, hash.slice(0, 10))
      assert.strictEqual(etag, `"${hash.slice(0, 32)}"`)
      assert.strictEqual(type, "font/woff2")
      assert.include(styles[0], `url(${assetsPath}${name})`)
    }
  })
})
