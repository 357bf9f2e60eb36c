/** What an address shows in place of its document: a page, a status, and the same said for programs. */
import type { Closed } from "../../domain/hosting/rules.ts"
import { drawing } from "../../look/drawings.ts"
import type { Drawing } from "../../look/drawings.ts"
import { html } from "../../look/html.ts"
import type { Html } from "../../look/html.ts"
import { page } from "../../look/page.ts"

export type Shut = Closed | "no-such-page" | "unavailable" | "internal"

export interface ShutFacts {
  readonly requestId: string
  readonly baseUrl: string
}

interface Words {
  readonly status: number
  readonly code: "not_found" | "auth_required" | "forbidden" | "unavailable" | "internal_error"
  readonly drawing: Drawing
  readonly title: string
  readonly what: string
  readonly next: string
  readonly action?: Html
}

/** An empty address reloads the page that the reader is on, without script. */
const again = html`<p class="doing"><a class="button" href="">Try again</a></p>`

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
    what: "This document does not open to everyone who has its address.",
    next: "Ask the person who sent you the link for a way in."
  },
  private: {
    status: 403,
    code: "forbidden",
    drawing: "members",
    title: "Open to its workspace only",
    what: "Only members of the workspace that published this document can open it.",
    next: "If it was meant for you, ask the person who sent you the link to share it with you."
  },
  "no-such-page": {
    status: 404,
    code: "not_found",
    drawing: "missing-page",
    title: "This page is not part of it",
    what: "The document is here, but it has no page at this address.",
    next: "The link that brought you here may be an old one.",
    action: html`<p class="doing"><a class="button" href="/">Go to the first page</a></p>`
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

export const closedPage = (reason: Shut, { requestId, baseUrl }: ShutFacts): string => {
  const { action = null, drawing: scene, next, title, what } = words[reason]
  return page({
    title,
    home: baseUrl,
    requestId,
    body: html`${drawing(scene)}<h1>${title}</h1><p>${what}</p><p class="next">${next}</p>${action}`
  })
}

export const closedStatus = (reason: Shut): number => words[reason].status

export const closedMessage = (reason: Shut): { readonly code: Words["code"]; readonly message: string } => ({
  code: words[reason].code,
  message: `${words[reason].what} ${words[reason].next.replace("the request id below", "the request id")}`
})
