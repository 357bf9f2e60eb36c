/** What a frame's host shows in place of a page of its author's: ours, which may stand in the project's shell alone. */
import type { Closed } from "../../domain/hosting/rules.ts"
import { drawing } from "../../look/drawings.ts"
import { html, trusted } from "../../look/html.ts"
import { page, pageCsp } from "../../look/page.ts"
import { closedPage, closedStatus } from "./pages.ts"

export interface Ours {
  readonly status: number
  readonly text: string
  readonly policy: string
}

/** The bridge takes its links out of the frame, which cannot follow them itself. */
const framed = (text: string, project: string, tail: string): Pick<Ours, "policy" | "text"> => ({
  text: text + tail,
  policy: `${pageCsp.replace("frame-ancestors 'none'", `frame-ancestors 'self' ${project}`)}; script-src 'self'`
})

/** No page of that name: the way back to the first one stays in the frame. */
export const missingInFrame = (project: string, tail: string, facts: Parameters<typeof closedPage>[1]): Ours => ({
  status: closedStatus("no-such-page"),
  ...framed(closedPage("no-such-page", facts), project, tail)
})

/** The way in has ended, or never was: the only thing to do is to open the document by its own address. */
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

/** What HTML on a frame's host ends in. A module, so that no name of ours stands among its author's. */
export const bridgeTag = (script: string, project: string): string =>
  html`<script type="module" async src="${trusted(script)}" data-svc-shell="${project}"></script>`.text

export const enterPath = "/_svc/enter"
