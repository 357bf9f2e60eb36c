/** How two versions differ besides lines: files added, changed and removed, and documents shown side by side. */
import { DRAWN } from "../../../domain/hosting/raw-files.ts"
import type { Changes, Side } from "../../../domain/projects/history.ts"
import type { FileDiff } from "../../../domain/projects/comparing.ts"
import type { Kind } from "../../../domain/projects/model.ts"
import { isForeign } from "../../../domain/thumbnails/rules.ts"
import { html } from "../../../look/html.ts"
import type { Html } from "../../../look/html.ts"
import { sizeText } from "../../contract/sizes.ts"
import { countsText, linesHtml } from "./versions-lines.ts"
import type { Marks } from "./versions-lines.ts"
import { VERSIONS } from "./versions-link.ts"

export type Found = NonNullable<Changes["found"]>

export interface Showing {
  readonly found: Found
  /** Sent with every request for a file; null where none is needed. */
  readonly proof: string | null
  readonly marks: Marks
}

/** Up to this many changed files are shown unfolded. */
const OPEN = 4

const PICTURE = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i

export const fileOf = ({ proof }: Pick<Showing, "proof">, version: number, path: string, as?: "download" | `${typeof DRAWN}=whole`): string => {
  const query = [...(as === undefined ? [] : [as]), ...(proof === null ? [] : [`proof=${encodeURIComponent(proof)}`])].join("&")
  return `${VERSIONS}/${version}/${path.split("/").map(encodeURIComponent).join("/")}${query === "" ? "" : `?${query}`}`
}

const download = (showing: Showing, version: number, path: string): Html =>
  html`<a href="${fileOf(showing, version, path, "download")}" download aria-label="${`Download ${path} of version ${version}`}">Version ${version}</a>`

/** Downloads of a file in both versions; `from` and `to` are its path in each. */
export const bothDownloads = (showing: Showing, from: string, to: string): Html => {
  const { found } = showing
  return html`<p class="downloads">Download ${download(showing, found.from.version.version, from)} or ${download(showing, found.to.version.version, to)}</p>`
}

export const leftOutWords = (leftOut: FileDiff["leftOut"]): string =>
  leftOut === "no_room"
    ? "Too much else changed at once to show this file’s lines too."
    : "This is too long, or changed in too many places, to compare line by line."

const pictures = (showing: Showing, path: string): Html => {
  const { from, to } = showing.found
  return html`<div class="beside">${[from.version.version, to.version.version].map((number) =>
    html`<figure><figcaption>Version ${number}</figcaption><img src="${fileOf(showing, number, path)}" alt="${`${path}, version ${number}`}" loading="lazy"></figure>`)}</div>`
}

const SIGNS = { added: ["+", "Added"], changed: ["±", "Changed"], removed: ["−", "Removed"] } as const

const row = (how: keyof typeof SIGNS, path: string, facts: Html | string): Html =>
  html`<span class="${`sign ${how}`}" title="${SIGNS[how][1]}"><span aria-hidden="true">${SIGNS[how][0]}</span><span class="said">${SIGNS[how][1]}</span></span><span class="path">${path}</span><span class="muted">${facts}</span>`

const changedFile = (showing: Showing, file: Found["files"]["changed"][number], isOpen: boolean): Html => {
  const { path, sizeBytesFrom, sizeBytesTo } = file
  const diff = showing.found.diffs.find((one) => one.path === path)
  const sizes = `${sizeText(sizeBytesFrom)} → ${sizeText(sizeBytesTo)}`
  const hunks = diff?.hunks
  const seen = PICTURE.test(path) ? pictures(showing, path) : null
  const inside = hunks
    ? html`${seen}${linesHtml(hunks, showing.marks)}`
    : html`${seen}${diff !== undefined && html`<p>${leftOutWords(diff.leftOut)}</p>`}${bothDownloads(showing, path, path)}`
  return html`<li><details class="file"${isOpen && html` open`}><summary>${row("changed", path, hunks ? countsText(hunks) : sizes)}</summary><div class="inside">${inside}</div></details></li>`
}

const more = (all: number, listed: ReadonlyArray<unknown>, words: string): Html | null =>
  all > listed.length ? html`<li class="muted">And ${(all - listed.length).toLocaleString("en")} more ${words}</li>` : null

/** Every file except the one that is shown separately. */
export const filesHtml = (showing: Showing, except: string | undefined): Html | null => {
  const { files, from, summary, to } = showing.found
  const others = <F extends { readonly path: string }>(list: ReadonlyArray<F>) => list.filter(({ path }) => path !== except)
  const [added, changed, removed] = [others(files.added), others(files.changed), others(files.removed)]
  if (added.length + changed.length + removed.length === 0) return null
  const isOpen = changed.length <= OPEN
  const link = (version: Side["version"], path: string, how: "added" | "removed", bytes: number) =>
    html`<li><a class="file" href="${fileOf(showing, version.version, path, "download")}" download title="Download">${row(how, path, sizeText(bytes))}</a></li>`
  return html`<ul class="files sheet">${changed.map((file) => changedFile(showing, file, isOpen))}${more(summary.changed, files.changed, "changed")}${
    added.map(({ path, sizeBytes }) => link(to.version, path, "added", sizeBytes))
  }${more(summary.added, files.added, "added")}${
    removed.map(({ path, sizeBytes }) => link(from.version, path, "removed", sizeBytes))
  }${more(summary.removed, files.removed, "removed")}</ul>`
}

const shown = (kind: Kind, src: string, words: string, bytes: number): Html => {
  switch (kind) {
    case "image":
      return html`<img src="${src}" alt="${words}">`
    case "video":
      return html`<video controls playsinline preload="metadata" src="${src}" aria-label="${words}"></video>`
    case "pdf":
      return html`<div class="pdf" data-src="${src}" data-bytes="${bytes}" data-words="${words}"><p class="note"><a href="${src}">Open ${words}</a></p></div>`
    default:
      return html`<p class="note"><a href="${src}">Open ${words}</a></p>`
  }
}

/** The document of one of the two versions. */
export const document = (showing: Showing, { asset, entry, version }: Side): Html =>
  shown(version.kind, fileOf(showing, version.version, entry, isForeign(asset) ? `${DRAWN}=whole` : undefined), `version ${version.version}`, asset.length)
