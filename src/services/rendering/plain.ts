/** A document that could not be rendered, shown as its text, with a note that says so. */
import type { Rendered } from "../../domain/ports/renderer.ts"
import { escaped } from "../../look/html.ts"

/** The parser drops the first line break after <pre>. */
export const plain = (text: string, lacks: string): Rendered => ({
  html: `<p class="note">This document could not be formatted, so here is its text${lacks}.</p><pre class="plain" tabindex="0">\n${escaped(text.replaceAll("\0", "\uFFFD"))}</pre>`,
  headings: [],
  title: null
})
