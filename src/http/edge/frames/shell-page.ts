/** The page around a framed site: a slim bar, and the frame in all the room that is left. Nothing on it needs script. */
import type { CommentAccess } from "../../../domain/projects/model.ts"
import { assetsPath, facesCss, uiFaceUrl } from "../../../look/faces.ts"
import { html, trusted } from "../../../look/html.ts"
import { iconText } from "../../../look/icons.ts"
import { digest } from "../../../look/page.ts"
import { tokensCss } from "../../../look/tokens.ts"
import { linkPreview } from "../link-preview.ts"
import type { LinkPreview } from "../link-preview.ts"
import { versionsTool } from "../versions/versions-link.ts"
import type { VersionsLink } from "../versions/versions-link.ts"
import { headOf, homeMark } from "../viewer-page.ts"

/** What author script may do in a frame; it may keep the frame's origin, which belongs to no project. */
export const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-popups"

export interface ShellFacts {
  readonly title: string
  readonly version: number
  /** Who comments. */
  readonly comments: CommentAccess
  /** The address of the author's page, or of the way into it. */
  readonly src: string
  readonly frameOrigin: string
  readonly script: string
  readonly home: string
  readonly versions: VersionsLink | null
  /** The proof by which the service knows this page from the author's script; null where none is needed, and empty where its reader is not named here. */
  readonly proof: string | null
  /** For a site that anybody may open; null for others. */
  readonly preview: LinkPreview | null
}

const style = [
  facesCss,
  tokensCss,
  `
*,*::before,*::after{box-sizing:border-box}
html{height:100%;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{--bar:48px;margin:0;height:100vh;height:100dvh;display:grid;grid-template-rows:auto minmax(0,1fr);background:var(--desk);color:var(--ink);
font:400 var(--text-control)/1.4 var(--ui);font-synthesis:none;-webkit-font-smoothing:antialiased}
:focus-visible{outline:2px solid var(--accent);outline-offset:-2px;border-radius:4px}
.bar{display:flex;align-items:center;gap:4px;height:48px;padding:0 16px 0 8px;border-bottom:1px solid var(--line);min-width:0}
.home{display:grid;place-items:center;flex:none;width:44px;height:44px;color:var(--ink)}
.mark{display:block;width:1.375rem;height:1.375rem}.icon{flex:none;width:1.25rem;height:1.25rem}.accent-stroke{stroke:var(--accent)}
.title{unicode-bidi:plaintext;margin:0;min-width:0;font-size:inherit;font-weight:600;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.facts{flex:1;margin:0 0 0 10px;color:var(--muted);font-size:var(--text-small);white-space:nowrap}
.tool{display:inline-flex;align-items:center;gap:8px;flex:none;height:40px;padding:0 10px;border:0;border-radius:var(--radius-control);background:none;color:var(--ink);font:inherit;font-weight:500;text-decoration:none;cursor:pointer}
.tool:hover{background:color-mix(in srgb,var(--ink) 7%,transparent)}
.tool[aria-expanded=true]{background:color-mix(in srgb,var(--accent) 12%,transparent);color:var(--accent)}
.said{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
[hidden]{display:none!important}
a{color:var(--accent)}
.room{display:grid;grid-template-columns:minmax(0,1fr);min-height:0}
main{display:grid;min-width:0;min-height:0}
main:has(.notice){grid-template-rows:auto minmax(0,1fr)}
.notice{margin:0;padding:12px 16px;border-bottom:1px solid var(--line);color:var(--bad);font-weight:500;text-align:center}
iframe{display:block;width:100%;height:100%;border:0;background:Canvas}
@media (max-width:719px){.bar{padding-right:4px}.tool{min-width:44px;height:44px;padding:0 clamp(0px,(44px - 1.25rem)/2,10px);justify-content:center}.tool>.word{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}}
.print{display:none;margin:0 0 12px;color:var(--muted)}
@media print{.bar,.comments{display:none}.print{display:block}body{display:block;height:auto;background:none}.room,main{display:block}iframe{height:95vh}}`
].join("").replaceAll("\n", "")

const STYLE = digest(style)

export interface PolicyFacts {
  readonly own: string
  readonly frame: string
  readonly base: string
}

/** The author's files are on this host too, so not even 'self' may run: only what is under our own path. */
export const shellPolicy = ({ base, frame, own }: PolicyFacts): string =>
  [
    "default-src 'none'",
    `script-src ${own}${assetsPath}`,
    `style-src ${STYLE} ${own}${assetsPath}`,
    `font-src ${own}${assetsPath}`,
    "img-src data:",
    `connect-src ${own} ${base}`,
    `frame-src ${frame}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'"
  ].join("; ")

export const shellPage = ({ comments, frameOrigin, home, preview, proof, script, src, title, version, versions }: ShellFacts): string =>
  html`${headOf(title)}
<link rel="preload" href="${uiFaceUrl}" as="font" type="font/woff2" crossorigin>
<style>${trusted(style)}</style>
<script type="module" src="${script}"></script>
${preview !== null && linkPreview(preview)}
</head>
<body data-base="${home}" data-comments="${comments}" data-version="${version}">
<header class="bar">${homeMark(home)}<h1 class="title" title="${title}">${title}</h1><p class="facts">Version ${version}</p>${versionsTool(versions, "", html`<span class="word">Changes</span>`)}<button type="button" class="tool" id="talk" title="Comments (c)" aria-keyshortcuts="c" aria-expanded="false" aria-controls="comments" hidden>${trusted(iconText("comments"))}<span class="word">Comments</span></button></header>
<p class="print">Only what is on screen prints this way. To print all of this page, open it and press Ctrl+P, or ⌘P on a Mac.</p>
<div class="room"><main><iframe title="${title}" sandbox="${SANDBOX}" referrerpolicy="same-origin" allow="fullscreen; clipboard-write" data-origin="${frameOrigin}"${
    proof === null ? null : html` data-proof="${proof}"`
  } src="${src}"></iframe></main><aside id="comments" class="comments" aria-label="Comments" hidden></aside></div>
</body>
</html>
`.text
