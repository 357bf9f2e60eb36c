/** What somebody new meets: a form, and what to do once it is sent. */
import { drawing } from "../../look/drawings.ts"
import { html } from "../../look/html.ts"
import { page } from "../../look/page.ts"

export interface SignUpForm {
  /** Where to go once signed in, on this origin. */
  readonly next: string
  readonly name?: string
  readonly email?: string
  readonly refusal?: string
}

const toLogin = (next: string): string => next === "/" ? "/login" : `/login?next=${encodeURIComponent(next)}`

export const signUpPage = ({ email = "", name = "", next, refusal }: SignUpForm): string =>
  page({
    title: "Sign up",
    body: html`<h1>Sign up</h1>${refusal === undefined ? null : html`<p class="refusal" role="alert">${refusal}</p>`}
<form method="post" action="/signup"><input type="hidden" name="next" value="${next}">
<label class="field">Your name<input name="name" value="${name}" maxlength="100" autocomplete="name"></label>
<label class="field">Email<input type="email" name="email" value="${email}" autocomplete="username" required></label>
<label class="field">Password<input type="password" name="password" autocomplete="new-password" required></label>
<button class="button">Sign up</button></form>
<p class="next">Have an account? <a href="${toLogin(next)}">Sign in</a>.</p>`
  })

/** The same for every address, with an account or without. */
export const signUpSentPage = ({ next }: { readonly next: string }): string =>
  page({
    title: "Check your mail",
    body: html`${drawing("letter")}<h1>Check your mail</h1>
<p>We sent you a link that shows that the address is yours. Open it, then come back to this page.</p>
<p class="doing"><a class="button" href="${toLogin(next)}">Sign in and go on</a></p>
<p class="next">Nothing after a few minutes? Look among the unwanted mail.</p>`
  })
