/**
 * The page in whose frame a viewer has diagrams drawn (web/viewer/diagrams.ts), at `/_svc/diagrams`. What draws them reads strangers'
 * text and writes styles, so it has no origin here, in a frame or by itself: no cookies, no storage, nobody to ask. It is the same for
 * every project, so it reveals nothing about one.
 */
import { etagOf } from "../../look/built.ts"
import { assetsPath } from "../../look/faces.ts"
import { html } from "../../look/html.ts"
import { keeping } from "./caching.ts"
import { answeredByTag } from "./conditional.ts"
import type { Exchange } from "./exchange.ts"
import { everyAnswer, UNSEEN } from "./headers.ts"
import { webAssets } from "./web-assets.ts"

export const DIAGRAMS = "/_svc/diagrams"

/** An origin that is none is not 'self' either, so that of the scripts is named. */
const policy = (own: string): string =>
  [
    "sandbox allow-scripts",
    "default-src 'none'",
    `script-src ${own}${assetsPath}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${own}`
  ].join("; ")

const made = (): { readonly bytes: Buffer; readonly tag: string } => {
  const web = webAssets()
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Diagrams · svc</title>
<link rel="modulepreload" href="${web.url("mermaid/mermaid.esm.min.mjs")}">
<script type="module" src="${web.url("viewer/diagrams.ts")}"></script>
</head>
<body></body>
</html>
`
  return { bytes: Buffer.from(text), tag: etagOf(text) }
}

let page: ReturnType<typeof made> | undefined

const { cacheControl } = keeping({ content: "page" })

export const sendDiagrams = (x: Exchange, own: string): void => {
  const { bytes, tag } = page ??= made()
  const lines = [...everyAnswer(), "Cache-Control", cacheControl, "Content-Security-Policy", policy(own), ...UNSEEN, "X-Robots-Tag", "noindex"]
  if (answeredByTag(x, lines, [tag], "look")) return
  x.send(200, [...lines, "ETag", tag, "Content-Type", "text/html; charset=utf-8", "Content-Length", String(bytes.length)], bytes, "look")
}
