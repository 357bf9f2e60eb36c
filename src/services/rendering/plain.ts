/** A document that could not be rendered, shown as its text, with a note that says so. */
import type { Rendered } from "../../domain/ports/renderer.ts"
import { escaped } from "../../look/html.ts"

/** Where a later try may succeed; domain/renderings/rules.ts says when there is one. */
const AGAIN = { late: " Tomorrow it is tried again.", unbegun: " Load the page again in a moment." }

/** The parser drops the first line break after <pre>. */
export const plain = (text: string, lacks: string, short: Rendered["short"]): Rendered => ({
  html: `<p class="note">This document could not be formatted, so here is its text${lacks}.${short === undefined ? "" : AGAIN[short]}</p><pre class="plain" tabindex="0">\n${escaped(text.replaceAll("\0", "\uFFFD"))}</pre>`,
  headings: [],
  title: null
})
