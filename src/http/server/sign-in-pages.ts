/** What a person meets on the way in: sign in, ask for a link, choose a new password. Forms that need no script. */
import { drawing } from "../../look/drawings.ts"
import { html } from "../../look/html.ts"
import type { Html } from "../../look/html.ts"
import { page } from "../../look/page.ts"

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`

const refusalLine = (refusal: string | undefined): Html | null => refusal === undefined ? null : html`<p class="refusal" role="alert">${refusal}</p>`

/** An address of ours with the way on beside it; without one where that is the front page. */
const going = (path: string, next: string | undefined): string =>
  next === undefined || next === "/" ? path : `${path}?next=${encodeURIComponent(next.toWellFormed())}`

const emailField = (email: string): Html =>
  html`<label class="field">Email<input type="email" name="email" value="${email}" autocomplete="username" required></label>`

export interface LoginForm {
  /** Where to go afterwards, on this origin. */
  readonly next: string
  readonly email?: string
  readonly refusal?: string
  /** Whether an identity provider is there to sign in with. */
  readonly provider: boolean
}

export const loginPage = ({ email = "", next, provider, refusal }: LoginForm): string =>
  page({
    title: "Sign in",
    body: html`<h1>Sign in</h1>${refusalLine(refusal)}
<form method="post" action="/login">${hidden("next", next)}${emailField(email)}
<label class="field">Password<input type="password" name="password" autocomplete="current-password" required></label>
<button class="button">Sign in</button></form>
${provider ? html`<p class="doing"><a class="button quiet" href="${going("/v1/auth/idp", next)}">Sign in with your organisation</a></p>` : null}
<p class="next"><a href="/forgot-password">Forgot your password?</a> Or <a href="${going("/magic-link", next)}">get a link by mail</a>.</p>`
  })

export const signedInPage = ({ email }: { readonly email: string }): string =>
  page({
    title: "You are signed in",
    body: html`${drawing("sealed")}<h1>You are signed in</h1>
<p>This browser is signed in as <code>${email}</code>.</p>
<p class="doing"><a class="button" href="/#publish">See how to publish</a></p>`
  })

export const goingOnPage = ({ next }: { readonly next: string }): string =>
  page({
    title: "You are signed in",
    body: html`${drawing("sealed")}<h1>You are signed in</h1>
<p class="doing"><a class="button" href="${next}">Go on to the document</a></p>`
  })

const ways = {
  "/magic-link": { title: "Get a link by mail", sentence: "We mail a link that signs you in. It works once, for 15 minutes.", button: "Mail me a link" },
  "/forgot-password": { title: "Choose a new password", sentence: "We mail a link to choose a new password. It works once, for an hour.", button: "Mail me a link" }
} as const

export type Way = keyof typeof ways

interface LinkForm {
  /** Where to go once the link is opened, on this origin. */
  readonly next?: string | undefined
  readonly refusal?: string
}

export const askForLinkPage = (way: Way, { next, refusal }: LinkForm = {}): string =>
  page({
    title: ways[way].title,
    body: html`<h1>${ways[way].title}</h1><p>${ways[way].sentence}</p>${refusalLine(refusal)}
<form method="post" action="${way}">${next === undefined ? null : hidden("next", next)}${emailField("")}<button class="button">${ways[way].button}</button></form>
<p class="next"><a href="${going("/login", next)}">Back to signing in</a></p>`
  })

/** The same for every address, with an account or without. */
export const linkSentPage = (): string =>
  page({
    title: "Check your mail",
    body: html`${drawing("letter")}<h1>Check your mail</h1>
<p>If there is an account with this address, a link is on its way.</p>
<p class="next">Nothing after a few minutes? Look among the unwanted mail, then ask again.</p>`
  })

/** Opening the link changes nothing: mail scanners open links too. The click does. */
export const openMagicLinkPage = ({ next, token }: { readonly token: string; readonly next: string | undefined }): string =>
  page({
    title: "Sign in",
    body: html`${drawing("letter")}<h1>Sign in</h1><p>One click signs this browser in.</p>
<form method="post" action="/magic-link">${hidden("token", token)}${next === undefined ? null : hidden("next", next)}<button class="button">Sign in</button></form>`
  })

export const resetPasswordPage = ({ refusal, token }: { readonly token: string; readonly refusal?: string }): string =>
  page({
    title: "Choose a new password",
    body: html`<h1>Choose a new password</h1><p>Every session ends and every token is revoked.</p>${refusalLine(refusal)}
<form method="post" action="/reset-password">${hidden("token", token)}
<label class="field">New password<input type="password" name="password" autocomplete="new-password" minlength="8" maxlength="256" required></label>
<button class="button">Keep this password</button></form>`
  })

export const passwordChosenPage = (): string =>
  page({
    title: "Your password is new",
    body: html`${drawing("sealed")}<h1>Your password is new</h1><p>Sign in with it wherever you were signed in before.</p>
<p class="doing"><a class="button" href="/login">Sign in</a></p>`
  })

/** One page for unknown, used and expired links. */
export const linkRefusedPage = (way: Way, next?: string): string =>
  page({
    title: "This link does not work",
    body: html`${drawing("lapsed")}<h1>This link does not work</h1>
<p>It was used before, is too old, or lost a piece on its way.</p>
<p class="doing"><a class="button" href="${going(way, next)}">Get a new link</a></p>`
  })

export const foreignFormPage = (): string =>
  page({
    title: "This form came from elsewhere",
    body: html`${drawing("missing-page")}<h1>This form came from elsewhere</h1>
<p>Another site sent it in your name, so nothing was done.</p>
<p class="doing"><a class="button" href="/login">Sign in here</a></p>`
  })
