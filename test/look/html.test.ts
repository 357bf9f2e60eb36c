/** The template escapes everything that is not HTML already. */
import { assert, describe, it } from "@effect/vitest"
import { html, trusted } from "../../src/look/html.ts"

describe("html", () => {
  it("escapes text in content and in quoted attributes", () => {
    const name = `<script>alert("1")</script>'&`
    assert.strictEqual(
      html`<p title="${name}">${name}</p>`.text,
      `<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;</p>`
    )
  })

  it("keeps HTML, joins lists, and leaves absent things out", () => {
    assert.strictEqual(html`<ul>${["<", html`<li>${1}</li>`, trusted("<hr>")]}${null}${false}</ul>`.text, "<ul>&lt;<li>1</li><hr></ul>")
  })
})
