/** A link to a document that only script, or the browser's own reader, can show. */
import { html } from "../../../look/html.ts"
import type { KindViewer } from "./kind-viewer.ts"

export const linkBody = (words: string): KindViewer["body"] => ({ name, raw }) =>
  html`<p class="sheet note" id="bare"><a href="${raw(name)}">${words}</a></p>`
