/** The page for a browser that follows a mailed link to an export which is not there; programs get the envelope. */
import { drawing } from "../../look/drawings.ts"
import { html } from "../../look/html.ts"
import { page } from "../../look/page.ts"

/** The same for every reason: it tells nobody whether there was one. `exports`: where a new one is asked for. */
export const noSuchExportPage = (exports: string): string =>
  page({
    title: "This download is over",
    body: html`${drawing("gone")}<h1>This download is over</h1>
<p>The link works for seven days, while whoever asked for the export is an admin of the workspace.</p>
<p class="next">If the address is whole, take a new export: it is ready in a few minutes, and its link comes by mail.</p>
<p class="doing"><a class="button" href="${exports}">Take a new export</a></p>`
  })
