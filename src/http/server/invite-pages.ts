/** What someone invited meets: a form for a new account, one click for whoever is signed in, and what came of it. */
import { drawing } from "../../look/drawings.ts"
import { html } from "../../look/html.ts"
import type { Html } from "../../look/html.ts"
import { page } from "../../look/page.ts"

export interface InviteForm {
  readonly token: string
  /** Whom the browser is signed in as. */
  readonly signedInAs: string | undefined
  readonly name?: string
  readonly refusal?: string
}

const loginHref = (token: string): string => `/login?next=${encodeURIComponent(`/invite?token=${encodeURIComponent(token)}`)}`

const newAccount = (name: string): Html =>
  html`<label class="field">Your name<input type="text" name="name" value="${name}" autocomplete="name" maxlength="100" required></label>
<label class="field">Password, if you want one<input type="password" name="password" autocomplete="new-password" minlength="8" maxlength="256"></label>`

/** Opening the link changes nothing: mail scanners open links too. The click does. */
export const invitePage = ({ name = "", refusal, signedInAs, token }: InviteForm): string =>
  page({
    title: "You are invited",
    body: html`${drawing("letter")}<h1>You are invited</h1>
${signedInAs === undefined ? html`<p>Join the workspace with a new account.</p>` : html`<p>This browser is signed in as <code>${signedInAs}</code>.</p>`}
${refusal === undefined ? null : html`<p class="refusal" role="alert">${refusal}</p>`}
<form method="post" action="/invite"><input type="hidden" name="token" value="${token}">
${signedInAs === undefined || refusal !== undefined ? newAccount(name) : null}<button class="button">Accept the invitation</button></form>
<p class="next">The address has an account already? <a href="${loginHref(token)}">Sign in to it first</a>.</p>`
  })

export const invitedPage = ({ email }: { readonly email: string }): string =>
  page({
    title: "You are in",
    body: html`${drawing("members")}<h1>You are in</h1>
<p><code>${email}</code> is a member of the workspace now.</p>
<p class="doing"><a class="button" href="/#publish">See how to publish</a></p>`
  })

export const signInFirstPage = ({ token }: { readonly token: string }): string =>
  page({
    title: "Sign in first",
    body: html`${drawing("members")}<h1>Sign in first</h1>
<p>The invited address has an account already. Sign in to it, then accept.</p>
<p class="doing"><a class="button" href="${loginHref(token)}">Sign in</a></p>`
  })

/** One page for unknown, used and expired invitations. */
export const inviteRefusedPage = (): string =>
  page({
    title: "This invitation does not work",
    body: html`${drawing("lapsed")}<h1>This invitation does not work</h1>
<p>It was used before, is older than seven days, or lost a piece on its way.</p>
<p class="next">Ask whoever invited you to send a new one.</p>`
  })
