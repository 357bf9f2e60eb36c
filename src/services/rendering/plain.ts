/** A document that defeated the renderer, as the text that it is. */
import type { Rendered } from "../../domain/ports/renderer.ts"
import { escaped } from "../../look/html.ts"

/** The first line break after <pre> is the parser's. */
export const plain = (text: string): Rendered => ({
  html: `<pre class="plain" tabindex="0">\n${escaped(text.replaceAll("\0", "\uFFFD"))}</pre>`,
  headings: [],
  title: null
})
