/** The page around a document of a rendered kind: a slim bar above it, and the document in all the room that is left. */
import { DateTime } from "effect"
import type { CommentAccess, Kind } from "../../domain/projects/model.ts"
import { assetsPath, facesCss, uiFaceUrl } from "../../look/faces.ts"
import { html, trusted } from "../../look/html.ts"
import type { Html } from "../../look/html.ts"
import { iconText } from "../../look/icons.ts"
import type { Icon } from "../../look/icons.ts"
import { favicon, mark } from "../../look/mark.ts"
import { digest } from "../../look/page.ts"
import { themesCss, tokensCss } from "../../look/tokens.ts"
import { sizeText } from "../contract/sizes.ts"
import { linkPreview } from "./link-preview.ts"
import type { LinkPreview } from "./link-preview.ts"
import { versionsTool } from "./versions/versions-link.ts"
import type { VersionsLink } from "./versions/versions-link.ts"

export interface ViewerPage {
  readonly title: string
  readonly kind: Exclude<Kind, "site">
  readonly version: number
  readonly publishedAt: DateTime.Utc
  readonly name: string
  readonly type: string
  readonly bytes: number
  /** The address of the author's file. */
  readonly src: string
  /** The same, for this version only. */
  readonly pinned: string
  readonly home: string
  /** For a document that anybody may open; null for others. */
  readonly preview: LinkPreview | null
  /** Who comments; null where nobody does. */
  readonly comments: CommentAccess | null
  readonly versions: VersionsLink | null
  /** The proof by which the service knows this page from the author's script; null where none is needed, and empty where its reader is not named here. */
  readonly proof: string | null
  /** Empty where there is nothing to show. */
  readonly body: Html
  /** Where a member publishes a version, and whether the reader is known to be one. */
  readonly publish: { readonly href: string; readonly known: boolean }
  readonly web: {
    /** Runs before anything is painted. */
    readonly early: string
    readonly script: string
    /** Preloaded: the script imports them at once. */
    readonly modules: ReadonlyArray<string>
    readonly styles: ReadonlyArray<string>
  }
}

export const KINDS: Readonly<Record<Kind, string>> = {
  site: "Site", markdown: "Markdown", text: "Text", pdf: "PDF", image: "Image", video: "Video", data: "Data"
}

/** The style that every page of ours around a document has inline. */
const viewerStyle = facesCss + tokensCss + themesCss
const STYLE = digest(viewerStyle)

/** The author's files are on this host too, so not even 'self' may run: only what is under our own path. */
export const viewerPolicy = ({ base, forms = "'none'", frames, own }: { readonly base: string; readonly own: string; readonly forms?: string; readonly frames?: string }): string =>
  [
    "default-src 'none'",
    `script-src ${own}${assetsPath}`,
    `worker-src ${own}${assetsPath}`,
    `style-src ${STYLE} ${own}${assetsPath}`,
    `font-src ${own}${assetsPath}`,
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    `connect-src ${own} ${base}`,
    ...(frames === undefined ? [] : [`frame-src ${frames}`]),
    "object-src 'none'",
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'"
  ].join("; ")

export const icon = (name: Icon): Html => trusted(iconText(name))

/** Needs script, and is hidden until script runs. */
export const themeTool: Html =
  html`<button type="button" class="tool" id="theme" title="Theme (t)" aria-label="Theme" aria-keyshortcuts="t" hidden>${icon("system")}</button>`

/** How a page around a document or a site begins; its head is not closed. */
export const headOf = (title: string): Html =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${favicon}">`

/** How a viewer's page begins; its head is not closed. */
export const viewerHead = (title: string, web: ViewerPage["web"]): Html =>
  html`${headOf(title)}
<script src="${web.early}"></script>
<style>${trusted(viewerStyle)}</style>
${web.styles.map((href) => html`<link rel="stylesheet" href="${href}">`)}
<link rel="preload" href="${uiFaceUrl}" as="font" type="font/woff2" crossorigin>
<script type="module" src="${web.script}"></script>`

/** The link to the service, at the start of the bar. */
export const homeMark = (home: string): Html =>
  html`<a class="home" href="${home}" aria-label="svc, the service this document is on">${mark(22)}</a>`

/** The link is hidden until script learns that its reader is a member, where that is not known. */
const nothing = ({ href, known }: ViewerPage["publish"]): Html =>
  html`<div class="sheet note" id="nothing"><p>This document is empty.</p><p id="publish"${!known && html` hidden`}><a href="${href}">Publish a version</a></p></div>`

export const viewerPage = (facts: ViewerPage): string => {
  const { body, bytes, comments, home, kind, name, pinned, preview, proof, publish, src, title, type, version, versions, web } = facts
  const published = DateTime.formatIso(facts.publishedAt)
  return html`${viewerHead(title, web)}
${web.modules.map((href) => html`<link rel="modulepreload" href="${href}">`)}
${preview !== null && linkPreview(preview)}
</head>
<body class="viewer" data-kind="${kind}" data-src="${src}" data-pinned="${pinned}" data-name="${name}" data-type="${type}" data-bytes="${bytes}" data-version="${version}" data-base="${home}"${
    comments !== null && html` data-comments="${comments}"`
  }${proof !== null && html` data-proof="${proof}"`}>
<a class="skip" href="#stage">Skip to the document</a>
<header class="bar">${homeMark(home)}
<div class="about"><h1 title="${title}">${title}</h1><p class="facts"><span>${KINDS[kind]}</span><span>${sizeText(bytes)}</span><span>Version ${version}</span><time datetime="${published}">${published.slice(0, 10)}</time></p></div>
<div class="doing">${themeTool}<a class="tool wide" id="download" href="${src}?download" download title="Download (d)" aria-keyshortcuts="d">${icon("download")}<span>Download</span></a>${versionsTool(versions, "wide", html`<span>Changes</span>`)}${
    comments !== null && html`<button type="button" class="tool wide" id="talk" title="Comments (c)" aria-keyshortcuts="c" aria-expanded="false" aria-controls="comments" hidden>${icon("comments")}<span>Comments</span></button>`
  }</div></header>
<div class="room"><main id="stage" class="stage" tabindex="-1">${body.text === "" ? nothing(publish) : body}</main>${
    comments !== null && html`<aside id="comments" class="comments" aria-label="Comments" hidden></aside>`
  }</div>
<section id="tools" class="tools" aria-label="Tools" hidden></section>
<p id="said" class="said" role="status"></p>
</body>
</html>
`.text
}
