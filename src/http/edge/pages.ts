/** What an address shows in place of its document: a page and a status, and a message for programs. */
import { memberGateAt } from "../../domain/hosting/gate-addresses.ts"
import type { Closed } from "../../domain/hosting/rules.ts"
import { drawing } from "../../look/drawings.ts"
import type { Drawing } from "../../look/drawings.ts"
import { html, trusted } from "../../look/html.ts"
import type { Html } from "../../look/html.ts"
import { page, pageCspWith } from "../../look/page.ts"
import type { Wire } from "../contract/envelope.ts"

export type Shut = Closed | "history" | "newer" | "no-such-page" | "link-refused" | "entry-refused" | "crowded" | "unavailable" | "internal"

export interface ShutFacts {
  readonly requestId: string
  readonly baseUrl: string
  readonly slug: string
  /** Where the reader wanted to go, on this host. */
  readonly next: string
  /** What was wrong with the last try at a form. */
  readonly refusal?: string | undefined
}

interface Words {
  readonly status: number
  readonly code: "not_found" | "auth_required" | "invalid_token" | "forbidden" | "conflict" | "rate_limited" | "unavailable" | "internal_error"
  readonly drawing: Drawing
  readonly title: string
  readonly what: string
  readonly next: string
  readonly action?: (facts: ShutFacts) => Html
  /** Shown below the action, in place of `next`. */
  readonly aside?: (facts: ShutFacts) => Html
}

/**
 * A link may lead to a page, a line or a heading: by the fragment, which no server sees and no sign-in would bring back. Without
 * script, a member who signs in is at the beginning. A backslash would make the whole way back invalid.
 */
const CARRY = `const carry=()=>{for(const a of document.querySelectorAll("a[data-next]")){const u=new URL(a.href),h=location.hash;u.searchParams.set("next",a.dataset.next+(h.length<1000&&!h.includes("\\\\")?h:""));a.href=u}};carry();addEventListener("hashchange",carry)`

/** The `Content-Security-Policy` of a closed page. */
export const closedCsp = pageCspWith(CARRY)

/** To where a member signs in, and comes back from with a pass. */
const signIn = ({ baseUrl, next, slug }: ShutFacts, className?: string): Html =>
  html`<a${className !== undefined && html` class="${className}"`} href="${memberGateAt(baseUrl, { slug, next })}" data-next="${next}">Sign in</a><script>${trusted(CARRY)}</script>`

const signInButton = (facts: ShutFacts): Html => html`<p class="doing">${signIn(facts, "button")}</p>`

const button = (href: string, text: string): Html => html`<p class="doing"><a class="button" href="${href}">${text}</a></p>`

/** An empty address reloads the page that the reader is on, without script. */
const again = () => button("", "Try again")

/** Its button sends it to the address that the page stands at: over the redirects from there browsers keep the fragment, which no server sees. */
const doorcodeForm = ({ next, refusal }: ShutFacts): Html =>
  html`${refusal === undefined ? null : html`<p class="refusal" role="alert" id="refusal">${refusal}</p>`}
<form method="post" action="/_svc/gate/password"><input type="hidden" name="next" value="${next}"><label class="field">Doorcode<input type="text" name="password" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" inputmode="text" maxlength="512" required autofocus${
    refusal === undefined ? null : html` aria-invalid="true" aria-describedby="refusal"`
  }></label><button class="button" formaction="">Open</button></form>`

/** None of them names the project: to somebody outside, even a title is content. */
const words: Record<Shut, Words> = {
  unknown: {
    status: 404,
    code: "not_found",
    drawing: "gone",
    title: "Nothing is at this address",
    what: "There is no document here. It may have been renamed or taken away.",
    next: "Check the address for a slip, or ask the person who sent it for a new one."
  },
  empty: {
    status: 404,
    code: "not_found",
    drawing: "blank",
    title: "Nothing published yet",
    what: "This address is kept for a document that is still to come.",
    next: "Look in again later, or ask the person who sent it when it will be there."
  },
  deleted: {
    status: 410,
    code: "not_found",
    drawing: "put-away",
    title: "This document is gone",
    what: "Whoever published it has deleted their workspace, and this document with it.",
    next: "If you still need it, ask the person who sent you the link."
  },
  "taken-down": {
    status: 410,
    code: "not_found",
    drawing: "put-away",
    title: "This document was taken down",
    what: "Whoever runs this service has taken it off the web.",
    next: "If it is yours, ask them why. If you still need it, ask the person who sent you the link."
  },
  expired: {
    status: 410,
    code: "not_found",
    drawing: "lapsed",
    title: "This document’s time is up",
    what: "It was put here for a limited time, and that time has passed.",
    next: "If you still need it, ask the person who sent you the link."
  },
  down: {
    status: 410,
    code: "not_found",
    drawing: "put-away",
    title: "This document is put away",
    what: "The workspace that published it is not active any more, so its links do not open.",
    next: "If you still need it, ask the person who sent you the link."
  },
  doorcode: {
    status: 401,
    code: "auth_required",
    drawing: "doorcode",
    title: "Protected with a doorcode",
    what: "It opens with the doorcode that goes with its address.",
    next: "Ask the person who sent you the link for its doorcode.",
    action: doorcodeForm,
    aside: (facts) =>
      html`<div class="doing"><p class="next">No doorcode? Ask the person who sent you the link.</p><p class="next">A member of its workspace? ${signIn(facts)}</p></div>`
  },
  private: {
    status: 403,
    code: "forbidden",
    drawing: "members",
    title: "This document is private",
    what: "It opens only within the workspace that published it, or for its owner alone.",
    next: "If it was meant for you, ask the person who sent you the link to share it with you.",
    action: signInButton
  },
  history: {
    status: 403,
    code: "forbidden",
    drawing: "members",
    title: "Earlier versions are its workspace’s",
    what: "You can read the document as it is now. What it was before is shown to members of the workspace that published it.",
    next: "If you are one of them, sign in.",
    action: (facts) => html`${signInButton(facts)}<p class="next"><a href="/">Go to the document</a></p>`
  },
  newer: {
    status: 409,
    code: "conflict",
    drawing: "lapsed",
    title: "A newer version is here",
    what: "This address is of a version that was replaced since.",
    next: "Nothing is lost: the document is where it was.",
    action: () => button("/", "Go to the document")
  },
  "no-such-page": {
    status: 404,
    code: "not_found",
    drawing: "missing-page",
    title: "This page is not part of it",
    what: "The document is here, but it has no page at this address.",
    next: "The link that brought you here may be an old one.",
    action: () => button("/", "Go to the first page")
  },
  "link-refused": {
    status: 404,
    code: "not_found",
    drawing: "lapsed",
    title: "This link does not open anything",
    what: "Its time may be up, it may have been withdrawn, or it lost a piece on its way to you.",
    next: "Ask the person who sent it for a new one."
  },
  "entry-refused": {
    status: 401,
    code: "invalid_token",
    drawing: "members",
    title: "This way in is closed again",
    what: "It opens once, within a minute of signing in.",
    next: "Nothing is lost: the next one opens as soon as you go back.",
    action: signInButton
  },
  crowded: {
    status: 429,
    code: "rate_limited",
    drawing: "resting",
    title: "So many at once",
    what: "This document was opened from your network thousands of times within the hour, so it rests there for a while.",
    next: "Your link still works: try it again later, or from another network.",
    action: again
  },
  unavailable: {
    status: 503,
    code: "unavailable",
    drawing: "resting",
    title: "Out of reach for a moment",
    what: "The document is still here, but we cannot get to it right now.",
    next: "Give it a minute.",
    action: again
  },
  internal: {
    status: 500,
    code: "internal_error",
    drawing: "torn",
    title: "Something broke on our side",
    what: "We could not show you this page. It is nothing you did.",
    next: "If it happens again, tell whoever runs this service the request id below.",
    action: again
  }
}

export const closedPage = (reason: Shut, facts: ShutFacts): string => {
  const { action, aside, drawing: scene, next, title, what } = words[reason]
  const further = html`<p class="next">${next}</p>`
  return page({
    title,
    home: facts.baseUrl,
    requestId: facts.requestId,
    body: html`${drawing(scene)}<h1>${title}</h1><p>${what}</p>${aside === undefined && further}${action?.(facts) ?? null}${
      aside?.(facts) ?? null
    }`
  })
}

/** What a link preview gets in place of the document: a page that is the same for all and reveals nothing. */
export const previewPage = ({ baseUrl, requestId }: Pick<ShutFacts, "baseUrl" | "requestId">): string =>
  page({
    title: "A shared document",
    home: baseUrl,
    requestId,
    body: html`${drawing("sealed")}<h1>A shared document</h1><p>This link is for one person. It opens in their browser.</p>`
  })

export const closedStatus = (reason: Shut): number => words[reason].status

/** The same for programs. */
export const closedFailure = (reason: Shut): Wire<Words["code"]> => ({
  _tag: words[reason].code,
  message: `${words[reason].what} ${words[reason].next.replace("the request id below", "the request id")}`,
  field: null,
  details: reason === "doorcode" || reason === "private" ? { reason } : {}
})
