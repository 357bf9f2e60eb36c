/** Where a document can only be shown by script, or by the browser's own reader: the way to it. */
import { html } from "../../../look/html.ts"
import type { KindViewer } from "./kind-viewer.ts"

export const linkBody = (words: string): KindViewer["body"] => ({ name, raw }) =>
  html`<p class="sheet note" id="bare"><a href="${raw(name)}">${words}</a></p>`
