/** Where the links of mails land: they act on a click, since mail scanners open every link they see. */
import { drawing } from "../../look/drawings.ts"
import { html } from "../../look/html.ts"
import { page } from "../../look/page.ts"

/** The form posts `token` (urlencoded) to `/verify-email`. */
export const verifyEmailPage = ({ token }: { readonly token: string }): string =>
  page({
    title: "Confirm your email address",
    body: html`${drawing("letter")}<h1>Confirm your email address</h1>
<p>One click shows that the address is yours. Then you can publish.</p>
<form method="post" action="/verify-email"><input type="hidden" name="token" value="${token}"><button class="button">Confirm my address</button></form>`
  })

export const verifiedPage = ({ email }: { readonly email: string }): string =>
  page({
    title: "Address confirmed",
    body: html`${drawing("sealed")}<h1>Address confirmed</h1>
<p><code>${email}</code> is yours, and you can publish.</p>
<p class="doing"><a class="button" href="/#publish">See how to publish</a></p>`
  })

/** One page for unknown, used and expired links: which of them it was is nobody’s business but the owner’s. */
export const tokenRefusedPage = ({ baseUrl }: { readonly baseUrl: string }): string =>
  page({
    title: "This link does not work",
    body: html`${drawing("lapsed")}<h1>This link does not work</h1>
<p>It was used before, is older than 48 hours, or lost a piece on its way. If your address is confirmed already, there is nothing left to do.</p>
<p class="next">Otherwise ask for a new link from a terminal:</p>
<pre><code>curl ${baseUrl}/v1/auth/verify-email/resend \\
  --json '{"email":"you@example.com"}'</code></pre>`
  })
