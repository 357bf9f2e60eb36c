/** The answer to one of our forms where another site sent it. */
import { drawing } from "../../look/drawings.ts"
import { html } from "../../look/html.ts"
import { page } from "../../look/page.ts"

export const foreignFormPage = (): string =>
  page({
    title: "This form came from elsewhere",
    body: html`${drawing("missing-page")}<h1>This form came from elsewhere</h1>
<p>Another site sent it in your name, so nothing was done.</p>
<p class="doing"><a class="button" href="/">Go to the front page</a></p>`
  })
