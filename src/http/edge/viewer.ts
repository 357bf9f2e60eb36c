/**
 * `/` of a rendered kind: our page around the author's document.
 *
 * 1. A page is made once for its version, title and settings, and kept with its compressed forms; not where its document was
 *    cut short or is not rendered yet, or its beginning could not be read, since a later try may do better.
 * 2. Public: it has a strong tag of its text. Behind a gate it is never cached.
 * 3. Where author script may live on in an open tab of this host, a navigated page carries a proof (frames/shell.ts); that one
 *    is made for its reader alone, and never compressed: a secret beside text that others choose.
 */
import { Effect } from "effect"
import type { Asset, Manifest, ServedVersion, Site, Visit } from "../../domain/hosting/model.ts"
import { drawnPath, pinnedPath, rawPath } from "../../domain/hosting/raw-files.ts"
import { mustProve } from "../../domain/hosting/rules.ts"
import { ShellProofs } from "../../domain/hosting/shell-proofs.ts"
import type { Rendered } from "../../domain/ports/renderer.ts"
import { hasThumbnail, isDrawable, isForeign } from "../../domain/thumbnails/rules.ts"
import type { WorkspaceId } from "../../domain/workspaces/model.ts"
import { trusted } from "../../look/html.ts"
import { encodingsOf, IDENTITY } from "../contract/negotiation.ts"
import type { Encoding } from "../contract/negotiation.ts"
import type { Beginnings } from "./beginnings.ts"
import { keeping } from "./caching.ts"
import { answeredByTag } from "./conditional.ts"
import { DIAGRAMS } from "./diagrams-page.ts"
import type { Edition } from "./memory/editions.ts"
import type { Exchange } from "./exchange.ts"
import type { Guards } from "./guarding.ts"
import { clearing, everyAnswer, mustClear, robots, UNSEEN } from "./headers.ts"
import type { Holdings } from "./memory/holdings.ts"
import type { Hosts } from "./hosts.ts"
import { Shared } from "./memory/lanes.ts"
import type { LinkPreview } from "./link-preview.ts"
import { Memory } from "./memory/memory.ts"
import { made, weight } from "./memory/packed-pages.ts"
import type { Made } from "./memory/packed-pages.ts"
import { readerIn } from "./reader-cookie.ts"
import { viewerKinds } from "./viewer-bodies/registry.ts"
import { versionsLink } from "./versions/versions-link.ts"
import { viewerPage, viewerPolicy } from "./viewer-page.ts"
import { webAssets } from "./web-assets.ts"

export interface ViewerParts extends Guards {
  readonly hosts: Hosts
  readonly holdings: Holdings
  readonly beginnings: Beginnings
  readonly seesHistory: (visit: Visit) => boolean
  /** For pages in memory. */
  readonly bytes: number
  readonly rendered: (workspaceId: WorkspaceId, version: ServedVersion, files: Manifest) => Effect.Effect<Rendered | "coming" | undefined, unknown>
}

interface Subject {
  readonly site: Site
  readonly version: ServedVersion
  readonly edition: Edition
  readonly entry: Asset
  /** Whether its reader sees earlier versions. */
  readonly history: boolean
}

interface Body {
  readonly text: string
  readonly short: boolean
}

interface Page extends Made {
  readonly short: boolean
}

export type SendViewer = (x: Exchange, visit: Visit, version: ServedVersion, edition: Edition, entry: Asset) => void

const commentersOf = ({ commentAccess, commentsEnabled }: Site) => commentsEnabled ? commentAccess : null

export const makeViewer = Effect.fnUntraced(function*({ beginnings, bytes, guarded, holdings, hosts, rendered, seesHistory, unavailable }: ViewerParts) {
  const proofs = yield* ShellProofs
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const web = webAssets()
  const bodies = new Memory<string>(bytes / 2)
  const pages = new Memory<Page>(bytes / 2)
  const making = new Shared<Page>()

  const bodyOf = async ({ edition, entry, site, version }: Subject): Promise<Body> => {
    const key = `${version.id} ${site.title}`
    const before = bodies.get(key)
    if (before !== undefined) return { text: before, short: false }
    let short = false
    const facts = {
      title: site.title, name: version.entry, type: entry.type, bytes: entry.length, files: edition.files, raw: rawPath,
      pinned: pinnedPath(version.entry, entry),
      shown: isForeign(entry) ? drawnPath(version.entry, entry, "whole") : rawPath(version.entry),
      rendered: async () => {
        const found = await run(rendered(site.workspaceId, version, edition.files))
        short = found === "coming" || found?.short !== undefined
        return found
      }
    }
    const { text } = await viewerKinds[version.kind as keyof typeof viewerKinds].body(facts, (most) => holdings.part(entry, 0, Math.min(most, entry.length)))
    if (!short) bodies.put(key, text, text.length * 2)
    return { text, short }
  }

  const previewOf = async ({ entry, site, version }: Subject): Promise<LinkPreview | null> => {
    if (site.visibility !== "public") return null
    const own = hosts.project(site.slug)
    return {
      title: site.title, address: `${own}/`, beginning: beginnings.held(version.id) ?? await beginnings.load(version.id),
      picture: hasThumbnail(version) && isDrawable(entry) ? own + drawnPath(version.entry, entry, "small") : null
    }
  }

  const pageOf = async (subject: Subject, proof: string | null): Promise<Page> => {
    const { entry, history, site, version } = subject
    const kind = version.kind as keyof typeof viewerKinds
    const body = await bodyOf(subject)
    const preview = await previewOf(subject)
    const short = body.short || (preview !== null && beginnings.held(version.id) === undefined)
    const sources = ["viewer/viewer.ts", viewerKinds[kind].module]
    const text = viewerPage({
      title: site.title, kind, version: version.number, publishedAt: version.publishedAt, name: version.entry, type: entry.type,
      bytes: entry.length, src: rawPath(version.entry), pinned: pinnedPath(version.entry, entry), home: hosts.base, preview, comments: commentersOf(site), proof,
      versions: versionsLink(hosts, site, history),
      body: trusted(body.text),
      publish: { href: `${hosts.base}/projects/${site.slug}/versions`, known: history },
      web: {
        early: web.url("viewer/early.ts"),
        script: web.url("viewer/viewer.ts"),
        modules: [...new Set(sources.flatMap(web.modules))],
        styles: [...new Set(sources.flatMap(web.styles))]
      }
    })
    return { ...await made(text, (proof ?? "") === "" && !short), short }
  }

  const answer = (x: Exchange, { site }: Visit, { forms, tag }: Made, history: boolean, proven: boolean): void => {
    // What only members are shown must not be cached for others, on a public page either.
    const gated = site.visibility !== "public" || history
    const own = hosts.project(site.slug)
    const personal = mustClear(x, site)
    const { cacheControl } = keeping({ content: "page", gated, personal })
    const encodings = proven ? IDENTITY : encodingsOf(x.req.headers["accept-encoding"])
    const lines = [
      ...everyAnswer(),
      "Cache-Control", proven ? "private, no-store" : cacheControl,
      "Content-Security-Policy", viewerPolicy({ own, base: hosts.base, ...(site.version?.kind === "markdown" && { frames: own + DIAGRAMS }) }),
      ...UNSEEN,
      "Vary", ["Accept-Encoding", ...(gated || mustProve(site) ? ["Cookie"] : []), ...(mustProve(site) ? ["Sec-Fetch-Mode"] : [])].join(", ")
    ]
    lines.push(...robots(site.indexable))
    if (personal) lines.push(...clearing(site.projectId))
    const encoding = encodings[0]!
    if (!gated && !personal && !proven) {
      const tagOf = (one: Encoding) => one === "identity" ? `"${tag}"` : `"${tag}-${one}"`
      if (answeredByTag(x, lines, encodings.map(tagOf), "page")) return
      lines.push("ETag", tagOf(encoding))
    }
    const body = forms[encoding]
    lines.push("Content-Type", "text/html; charset=utf-8", "Content-Length", String(body.length))
    if (encoding !== "identity" && body !== forms.identity) lines.push("Content-Encoding", encoding)
    x.send(200, lines, body, "page")
  }

  const send: SendViewer = (x, visit, version, edition, entry) => {
    const { site } = visit
    const history = seesHistory(visit)
    const then = (page: Promise<Made>, proven: boolean): void =>
      void page.then((ready) => guarded(x, () => answer(x, visit, ready, history, proven)), (cause) => unavailable(x, cause))
    // Only for a navigation of somebody who is named here, never for a script that fetches it.
    const asks = mustProve(site) && x.req.headers["sec-fetch-mode"] === "navigate" && !x.isHead
    const cookie = asks ? readerIn(x.req.headers.cookie) : undefined
    const unnamed = asks ? "" : null
    if (cookie !== undefined) {
      return then(run(proofs.issueNamed(site.projectId, cookie)).then((proof) => pageOf({ site, version, edition, entry, history }, proof)), true)
    }
    const key = `${version.id} ${site.visibility} ${commentersOf(site)} ${history} ${unnamed} ${site.slug} ${site.title}`
    const held = pages.get(key)
    if (held !== undefined) return answer(x, visit, held, history, false)
    then(making.load(key, async () => {
      const page = await pageOf({ site, version, edition, entry, history }, unnamed)
      if (!page.short) pages.put(key, page, weight(page))
      return page
    }), false)
  }
  return send
})
