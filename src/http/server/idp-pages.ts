/** The page for a browser whose sign-in through the identity provider failed; programs get the envelope. */
import { drawing } from "../../look/drawings.ts"
import type { Drawing } from "../../look/drawings.ts"
import { html } from "../../look/html.ts"
import { page } from "../../look/page.ts"

interface Words {
  readonly drawing: Drawing
  readonly title: string
  readonly what: string
  readonly next: string
}

/** Every refusal shows the same page, which tells nobody whose address is known here. */
const words = {
  forbidden: {
    drawing: "members",
    title: "Your organisation’s sign-in led nowhere",
    what: "You may have turned back there, taken longer than ten minutes, begun again in another tab, or come with an address that has no way in here yet. Nothing has changed.",
    next: "Have a password here? Sign in with it, then link your organisation’s sign-in under your account. Were you invited? Then come with the address that the invitation names."
  },
  unavailable: {
    drawing: "resting",
    title: "Your organisation’s sign-in does not answer",
    what: "We could not reach it just now. Nothing has changed.",
    next: "Try again in a moment, or sign in another way."
  },
  oauth_not_configured: {
    drawing: "missing-page",
    title: "No organisation signs in here",
    what: "Whoever runs this service has not set that up.",
    next: "Sign in with your password, or have a link mailed to you."
  }
} as const satisfies Record<string, Words>

export type Nowhere = keyof typeof words

/** `login`: the address of the sign-in page, with the requested `next` in it. */
export const nowherePage = (reason: Nowhere, login: string): string => {
  const { drawing: scene, next, title, what } = words[reason]
  return page({
    title,
    body: html`${drawing(scene)}<h1>${title}</h1>
<p>${what}</p>
<p class="next">${next}</p>
<p class="doing"><a class="button" href="${login}">Back to signing in</a></p>`
  })
}
