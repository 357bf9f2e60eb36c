/** The front page of the service's own address: what it is, and the shortest way to a first published document. */
import { drawing } from "../../look/drawings.ts"
import { html } from "../../look/html.ts"
import { page } from "../../look/page.ts"
import { sessionUrl } from "./local-names.ts"
import { mailboxPath } from "./mailbox-pages.ts"

export const homePage = ({ appUrl, baseUrl, devMailbox }: { readonly appUrl: string; readonly baseUrl: string; readonly devMailbox: boolean }): string =>
  page({
    title: "Publish a document at an address of its own",
    description: "A service that publishes documents at addresses of their own.",
    layout: "wide",
    body: html`<h1>Publish a document at an address of its own</h1>
<p class="lead">Give svc an HTML page, a PDF, Markdown, pictures, a video, data or a zipped site. It gives you a link to send.</p>
<div class="actions doing"><a class="button" href="${appUrl}/signup">Sign up</a><a class="button quiet" href="${appUrl}/login">Sign in</a></div>
<ol class="steps" role="list">
<li id="sign-up"><h2>Sign up</h2>
<pre><code>curl ${baseUrl}/v1/auth/signup \\
  --json '{"email":"you@example.com","password":"a long phrase of your own"}'</code></pre>
<p>${
      devMailbox
        ? html`A mail with a link comes to <a href="${mailboxPath}">the mailbox on this machine</a>. Open it to confirm the address.`
        : "A mail with a link comes to you. Open it to confirm the address."
    }</p></li>
<li id="token"><h2>Make a token</h2>
<pre><code>csrf=$(curl -s -c jar ${sessionUrl(baseUrl)}/v1/auth/login \\
  --json '{"email":"you@example.com","password":"a long phrase of your own"}' \\
  | sed 's/.*"csrf_token":"\\([^"]*\\)".*/\\1/')
curl -b jar -H "X-CSRF-Token: $csrf" ${sessionUrl(baseUrl)}/v1/tokens --json '{"label":"laptop"}'</code></pre>
<p>The answer shows the token once. Keep it: <code class="term">export TOKEN=svc_…</code></p></li>
<li id="publish"><h2>Publish</h2>
<pre><code>curl -T report.html ${baseUrl}/v1/projects/my-report \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: text/html"</code></pre>
<p>The answer carries the address. Anyone with it can open the document, unless you add <code class="term">?visibility=private</code>. Publish again, and the same address shows the new version.</p></li>
</ol>
<nav class="ways" aria-label="Reference"><a href="/docs">Try the API</a><a href="/redoc">Read the API</a><a href="/docs.md">As plain text</a></nav>`
  })

/** For the service's own address; a project's host has its own pages. */
export const notFoundPage = ({ requestId }: { readonly requestId: string }): string =>
  page({
    title: "There is no such page",
    requestId,
    body: html`${drawing("missing-page")}<h1>There is no such page</h1>
<p>Check the address for a slip, or start from the front.</p>
<p class="doing"><a class="button" href="/">Go to the front page</a></p>`
  })

/** For people on their way somewhere, while the database is away. */
export const awayPage = ({ requestId }: { readonly requestId: string }): string =>
  page({
    title: "Out of reach for a moment",
    requestId,
    body: html`${drawing("resting")}<h1>Out of reach for a moment</h1>
<p>Nothing is lost, but we cannot get any further right now.</p>
<p class="next">Give it a minute.</p>
<p class="doing"><a class="button" href="">Try again</a></p>`
  })
