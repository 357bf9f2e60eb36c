/** The page of two versions side by side: which two, who published them and when, and what changed. Reads without script. */
import { DateTime } from "effect"
import type { Changes, Side } from "../../../domain/projects/history.ts"
import type { Version } from "../../../domain/projects/model.ts"
import { countText } from "../../../domain/words.ts"
import { html } from "../../../look/html.ts"
import type { Html } from "../../../look/html.ts"
import { sizeText } from "../../contract/sizes.ts"
import { bothDownloads, document, fileOf, filesHtml, leftOutWords } from "./versions-files.ts"
import type { Found, Showing } from "./versions-files.ts"
import { countsText, linesHtml, marksOfAPage } from "./versions-lines.ts"
import { VERSIONS } from "./versions-link.ts"
import { homeMark, icon, KINDS, themeTool, viewerHead } from "../viewer-page.ts"
import type { ViewerPage } from "../viewer-page.ts"

export interface VersionsPage {
  readonly title: string
  readonly home: string
  readonly changes: Changes
  readonly proof: string | null
  readonly web: ViewerPage["web"]
}

const moment = (at: DateTime.Utc): Html => {
  const iso = DateTime.formatIso(at)
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`
}

/** In the lists to choose from, where script cannot write it as its reader does. */
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" })

const option = (version: Version, chosen: number | undefined): Html =>
  html`<option value="${version.version}"${version.version === chosen && html` selected`}>Version ${version.version}, ${day.format(DateTime.toDateUtc(version.createdAt))}, ${version.createdBy.name}</option>`

const picker = (versions: ReadonlyArray<Version>, from: number | undefined, to: number | undefined): Html => {
  const select = (name: string, words: string, chosen: number | undefined) =>
    html`<label><span>${words}</span><select name="${name}">${versions.map((version) => option(version, chosen))}</select></label>`
  return html`<form class="pick" method="get" action="${VERSIONS}">${select("from", "From", from)}${select("to", "To", to)}<button class="button">Compare</button></form>`
}

const sideHtml = (showing: Showing, { asset, entry, version }: Side): Html =>
  html`<div><p><strong>Version ${version.version}</strong>${version.current && html` <span class="now">shown now</span>`}</p><p class="muted">${version.createdBy.name}</p><p class="muted">${moment(version.createdAt)}</p><p class="muted">${KINDS[version.kind]}, ${
    version.kind === "site"
      ? countText(version.fileCount, "file")
      : sizeText(asset.length)
  }${version.kind !== "site" && html` · <a href="${fileOf(showing, version.version, entry, "download")}" download aria-label="${`Download version ${version.version}`}">Download</a>`}</p></div>`

const counted = (count: number, words: string): string | false => count > 0 && `${count.toLocaleString("en")} ${words}`

const filesText = ({ summary: { added, changed, removed } }: Found): string => {
  const parts = [counted(changed, "changed"), counted(added, "added"), counted(removed, "removed")].filter((part) => part !== false)
  return parts.length === 0 ? "No file changed" : `${added + changed + removed === 1 ? "File" : "Files"}: ${parts.join(", ")}`
}

/** A headline, and the body below the facts about the two versions. */
const told = (showing: Showing): { readonly headline: string; readonly body: Html | null } => {
  const { found } = showing
  const { diffs, from, to, way } = found
  if (from.version.version === to.version.version) return { headline: "Both are the same version", body: html`<p class="none">Choose two different ones to see what changed.</p>` }
  if (way === "files") return { headline: filesText(found), body: filesHtml(showing, undefined) }
  const others = filesHtml(showing, to.entry)
  const isSame = from.asset.hash === to.asset.hash
  if (way === "beside") {
    const headline = isSame ? "The same file in both" : `${KINDS[to.version.kind]} before and after`
    return {
      headline,
      body: html`<div class="beside documents">${[from, to].map((side) =>
        html`<figure class="sheet"><figcaption>Version ${side.version.version}</figcaption>${document(showing, side)}</figure>`)}</div>${others}`
    }
  }
  const diff = diffs.find(({ path }) => path === to.entry)
  if (diff?.hunks && diff.hunks.length > 0) return { headline: countsText(diff.hunks), body: html`<div class="sheet text">${linesHtml(diff.hunks, showing.marks)}</div>${others}` }
  if (isSame || diff?.hunks) return { headline: "The text is the same in both", body: others }
  const why = diff === undefined ? "One of them is not text after all, so its lines cannot be compared." : leftOutWords(diff.leftOut)
  return { headline: "The text changed", body: html`<div class="none"><p>${why}</p>${bothDownloads(showing, from.entry, to.entry)}</div>${others}` }
}

const content = ({ changes: { chosen, found, versions }, proof }: VersionsPage): Html => {
  if (found !== undefined) {
    const showing = { found, proof, marks: marksOfAPage() }
    const { body, headline } = told(showing)
    const { from, to } = found
    return html`${picker(versions, from.version.version, to.version.version)}<h2>${headline}</h2><div class="sides">${sideHtml(showing, from)}${sideHtml(showing, to)}</div>${body}`
  }
  const only = versions.length < 2
  const [headline, words] = chosen?.as === "only" && only
    ? ["Only one version is kept", "What changed shows here as soon as it is published again."]
    : chosen?.as === "only"
    ? ["Nothing came before this version", "It is the oldest one that is kept. Choose a later one to see what changed."]
    : ["That version is not kept", "It may have made room for newer ones. Choose two of those that are kept."]
  return html`${!only && picker(versions, versions[1]?.version, versions[0]?.version)}<h2>${headline}</h2><p class="none">${words}</p>`
}

export const versionsPage = (facts: VersionsPage): string => {
  const { home, title, web } = facts
  return html`${viewerHead(`What changed · ${title}`, web)}
</head>
<body class="viewer versions">
<a class="skip" href="#stage">Skip to what changed</a>
<header class="bar">${homeMark(home)}
<div class="about"><h1 title="${title}">${title}</h1><p class="facts"><span>What changed</span></p></div>
<div class="doing">${themeTool}<a class="tool wide" id="back" href="/" title="Back to the document">${icon("close")}<span>Close</span></a></div></header>
<main id="stage" tabindex="-1">${content(facts)}</main>
<p id="said" class="said" role="status"></p>
</body>
</html>
`.text
}
