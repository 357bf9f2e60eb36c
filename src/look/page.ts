/** The frame of every page that the server renders: whole HTML, one style block, no script of its own, and the policy that fits it. */
import { createHash } from "node:crypto"
import { uiFaceUrl } from "./faces.ts"
import { html, trusted } from "./html.ts"
import type { Html } from "./html.ts"
import { favicon, mark } from "./mark.ts"
import { style } from "./style.ts"

export interface Page {
  readonly title: string
  readonly body: Html
  readonly description?: string
  /** `slip`: one message in the middle of the desk. `wide`: something to read. `mail`: two columns if there is room. */
  readonly layout?: "slip" | "wide" | "mail"
  /** Where the mark links to; on a project's host the service's own address. */
  readonly home?: string
  /** Shown small at the foot, so that a reader can quote it. */
  readonly requestId?: string
}

const policy = (styles: string, ancestors = "'none'"): string =>
  `default-src 'none'; style-src ${styles}; font-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors ${ancestors}`

/** By which a policy allows one inline style or script. */
export const digest = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

const STYLE = digest(style)

/** The `Content-Security-Policy` of a page. */
export const pageCsp = policy(STYLE)

/** For a page with this script in it. */
export const pageCspWith = (script: string): string => `${pageCsp}; script-src ${digest(script)}`

/** For a page in a frame of the project at this origin, with a script of ours. */
export const framedPageCsp = (project: string): string => `${policy(STYLE, `'self' ${project}`)}; script-src 'self'`

/** For a page that shows a mail in a frame: the frame inherits the policy, and mails style each element inline. */
export const mailPageCsp = policy("'unsafe-inline'")

const slip = (home: Html, body: Html, requestId: string | undefined): Html =>
  html`<body class="slip-frame"><main class="sheet slip">${body}</main><footer class="foot">${home}${
    requestId !== undefined && html`<span>Request <code>${requestId}</code></span>`
  }</footer></body>`

const wide = (home: Html, body: Html, frame: string): Html =>
  html`<body><div class="${frame}"><header>${home}</header><main class="sheet wide">${body}</main></div></body>`

export const page = ({ title, body, description, layout = "slip", home = "/", requestId }: Page): string => {
  const way = html`<a class="home" href="${home}">${mark(24)}svc</a>`
  const content = layout === "slip" ? slip(way, body, requestId) : wide(way, body, layout === "mail" ? "wide-frame mail-frame" : "wide-frame")
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · svc</title>
${description !== undefined && html`<meta name="description" content="${description}">`}
<link rel="icon" href="${favicon}">
<link rel="preload" href="${uiFaceUrl}" as="font" type="font/woff2" crossorigin>
<style>${trusted(style)}</style>
</head>
${content}
</html>
`.text
}
