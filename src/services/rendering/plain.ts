/** A document that defeated the renderer, as the text that it is, and says so. */
import type { Rendered } from "../../domain/ports/renderer.ts"
import { escaped } from "../../look/html.ts"

/** The first line break after <pre> is the parser's. */
export const plain = (text: string): Rendered => ({
  html: `<p class="note">This document could not be formatted, so here is its text.</p><pre class="plain" tabindex="0">\n${escaped(text.replaceAll("\0", "\uFFFD"))}</pre>`,
  headings: [],
  title: null
})
