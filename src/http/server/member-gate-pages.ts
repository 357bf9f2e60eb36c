/** The pages of the member gate for those whom it does not let in. */
import { drawing } from "../../look/drawings.ts"
import { html } from "../../look/html.ts"
import { page } from "../../look/page.ts"

/** Says nothing about the document: to somebody outside, even a title is content. */
export const notAMemberPage = ({ email, login }: { readonly email: string; readonly login: string }): string =>
  page({
    title: "This document is private",
    body: html`${drawing("members")}<h1>This document is private</h1>
<p>You are signed in as <code>${email}</code>. That account may not open this document.</p>
<p class="next">Ask the person who sent you the link to share it with you.</p>
<p class="doing"><a class="button" href="${login}">Sign in as someone else</a></p>`
  })

export const noSuchDocumentPage = (): string =>
  page({
    title: "Nothing is at this address",
    body: html`${drawing("gone")}<h1>Nothing is at this address</h1>
<p>There is no document here. It may have been renamed or taken away.</p>
<p class="next">Check the address for a slip, or ask the person who sent it for a new one.</p>`
  })
