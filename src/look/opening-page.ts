/** Between a page of another origin and what it opened: whoever opened it learns nothing, and the reader gets there all the same. */
import { html } from "./html.ts"
import { page } from "./page.ts"

/** For the moment until the browser goes on by itself. */
export const openingPage = (to: string): string =>
  page({
    title: "Opening the document",
    body: html`<h1>Opening the document</h1>
<p class="next">If nothing happens, <a href="${to}">open it yourself</a>.</p>`
  })
