/** Our pages that a frame's host shows in place of the author's; only the project's shell may frame them. */
import type { Closed } from "../../../domain/hosting/rules.ts"
import { drawing } from "../../../look/drawings.ts"
import { html, trusted } from "../../../look/html.ts"
import { framedPageCsp, page } from "../../../look/page.ts"
import { closedPage, closedStatus } from "../pages.ts"

export interface Ours {
  readonly status: number
  readonly text: string
  readonly policy: string
}

/** The bridge opens the page's links outside the frame, which cannot follow them itself. */
const framed = (text: string, project: string, tail: string): Pick<Ours, "policy" | "text"> => ({
  text: text + tail,
  policy: framedPageCsp(project)
})

/** No page of that name: the way back to the first one stays in the frame. */
export const missingInFrame = (project: string, tail: string, facts: Parameters<typeof closedPage>[1]): Ours => ({
  status: closedStatus("no-such-page"),
  ...framed(closedPage("no-such-page", facts), project, tail)
})

/** Access has ended, or there never was any: the reader can only open the document by its own address. */
export const closedInFrame = (why: Closed, address: string, project: string, tail: string): Ours => ({
  status: closedStatus(why),
  ...framed(
    page({
      title: "Closed in the meantime",
      home: project,
      body: html`${drawing("doorcode")}<h1>Closed in the meantime</h1>
<p>What let you in here has ended, or this browser did not keep it.</p>
<p class="doing"><a class="button" href="${address}" target="_top">Open the document</a></p>`
    }),
    project,
    tail
  )
})

/** Appended to HTML on a frame's host. A module, so that it adds no global names to the author's page. */
export const bridgeTag = (script: string, project: string): string =>
  html`<script type="module" async src="${trusted(script)}" data-svc-shell="${project}"></script>`.text

export const enterPath = "/_svc/enter"
