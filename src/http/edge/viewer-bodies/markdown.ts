/** A rendered document on its sheet, beside the list of its headings where there are enough of them. */
import type { Heading } from "../../../domain/ports/renderer.ts"
import { html, trusted } from "../../../look/html.ts"
import type { KindViewer } from "./kind-viewer.ts"
import { textBody } from "./text.ts"

const ENOUGH = 4

const contents = (headings: ReadonlyArray<Heading>) => {
  const [first, ...rest] = headings
  // A single title above everything is not listed.
  const listed = first?.depth === 1 && rest.every(({ depth }) => depth > 1) ? rest : headings
  const least = Math.min(...listed.map(({ depth }) => depth))
  return html`<nav class="contents" aria-label="Contents"><details><summary>Contents</summary><ol dir="auto">${listed.map(({ depth, id, text }) =>
    html`<li class="step-${depth - least}"><a href="#${encodeURIComponent(id)}">${text}</a></li>`
  )}</ol></details></nav>`
}

export const markdownBody: KindViewer["body"] = async (facts, read) => {
  const rendered = await facts.rendered()
  if (rendered === undefined || rendered === "coming") {
    const why = rendered === undefined ? "is too long to be formatted, so here is its text." : "is still being formatted, so here is its text. Load the page again in a moment."
    return html`<p class="note">This document ${why}</p>${await textBody(facts, read)}`
  }
  const { headings } = rendered
  if (rendered.html.trim() === "") return html``
  return html`<div class="markdown"><div class="desk">${headings.length >= ENOUGH && contents(headings)}<article id="document" class="sheet document" lang="" aria-label="${facts.title}">${
    trusted(rendered.html)
  }</article></div></div>`
}
