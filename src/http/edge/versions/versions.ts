/**
 * Earlier versions, on a project's own host: `/_svc/versions?from=2&to=3` shows two of them side by side, and
 * `/_svc/versions/2/<path>` is a file of one, as it was. The door has opened already; every request is decided again.
 *
 * 1. Only where no code but ours runs on the host, and only for members (hosting/rules.ts).
 * 2. Where author script may live on in an open tab of this host, the page is sent only to a navigation in the session of the pass, whose answer no
 *    script there can read; the files it shows are requested with the proof that it carries.
 * 3. The page is never cached. Its files are cached as those behind a gate are: revalidated each time.
 */
import { DateTime, Effect, Option } from "effect"
import type { Site, Visit } from "../../../domain/hosting/model.ts"
import { asIn, DRAWN } from "../../../domain/hosting/raw-files.ts"
import { fileAt, isViewerOrigin, mustProve } from "../../../domain/hosting/rules.ts"
import { isSame, ShellProofs } from "../../../domain/hosting/shell-proofs.ts"
import type { ShellReader } from "../../../domain/hosting/shell-proofs.ts"
import type { History } from "../../../domain/projects/history.ts"
import { hasThumbnail } from "../../../domain/thumbnails/rules.ts"
import { opensPage } from "../../contract/fetch-metadata.ts"
import { encodingsOf, IDENTITY } from "../../contract/negotiation.ts"
import { keeping } from "../caching.ts"
import type { ContentAnswers } from "../content.ts"
import type { ReadDrawn } from "../drawn.ts"
import { GATED, present } from "../memory/editions.ts"
import type { Editions } from "../memory/editions.ts"
import type { Exchange } from "../exchange.ts"
import { single } from "../fields.ts"
import type { Guards } from "../guarding.ts"
import { clearing, everyAnswer, isSavedFromElsewhere, mustClear, UNSEEN } from "../headers.ts"
import type { Hosts } from "../hosts.ts"
import { made } from "../memory/packed-pages.ts"
import type { Made } from "../memory/packed-pages.ts"
import { readerIn } from "../reader-cookie.ts"
import { leadOn, refuse } from "../refusals.ts"
import { VERSIONS } from "./versions-link.ts"
import { versionsPage } from "./versions-page.ts"
import { viewerPolicy } from "../viewer-page.ts"
import { webAssets } from "../web-assets.ts"

export interface VersionsParts extends Guards {
  readonly hosts: Hosts
  readonly baseUrl: string
  readonly history: typeof History.Service | undefined
  readonly seesHistory: (visit: Visit) => boolean
  readonly editions: Editions
  readonly contents: ContentAnswers
  readonly drawn: ReadDrawn
}

/** Answers a request below `/_svc/versions`. */
type SendVersions = (x: Exchange, visit: Visit) => void

/** How long comparing two versions may take. */
const PATIENCE_MS = 15_000

const NUMBER = /^[1-9]\d{0,8}$/
/** Undefined lets us choose; 0, for what is not a number, names no version. */
const numberIn = (text: string | undefined): number | undefined =>
  text === undefined || text === "" ? undefined : NUMBER.test(text) ? Number(text) : 0

const { cacheControl } = keeping({ content: "page", gated: true })

export const makeVersions = Effect.fnUntraced(function*(parts: VersionsParts) {
  const { baseUrl, contents, drawn, editions, guarded, history, hosts, seesHistory, unavailable } = parts
  const proofs = yield* ShellProofs
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const web = webAssets()
  const script = "viewer/versions.ts"

  const answer = (x: Exchange, site: Site, status: 200 | 404, { forms }: Made, proven: boolean): void => {
    const encodings = proven ? IDENTITY : encodingsOf(x.req.headers["accept-encoding"])
    const encoding = encodings[0]!
    const body = forms[encoding]
    const personal = mustClear(x, site)
    x.send(status, [
      ...everyAnswer(),
      "Cache-Control", cacheControl,
      "Content-Security-Policy", viewerPolicy({ own: hosts.project(site.slug), base: hosts.base, forms: "'self'" }),
      ...UNSEEN,
      "Vary", "Accept-Encoding, Cookie",
      "X-Robots-Tag", "noindex",
      ...(personal ? clearing(site.projectId) : []),
      "Content-Type", "text/html; charset=utf-8",
      "Content-Length", String(body.length),
      ...(body === forms.identity ? [] : ["Content-Encoding", encoding])
    ], body, "versions")
  }

  const compared = (x: Exchange, site: Site, history: typeof History.Service, reader: ShellReader | undefined): void => {
    const proven = mustProve(site)
    if (proven && !opensPage(x.req.headers)) return refuse(x, "no-such-page", baseUrl)
    // Named at the gate, on the way back here.
    if (proven && reader === undefined) return refuse(x, "history", baseUrl)
    const query = new URLSearchParams(x.address!.query)
    const asked = { from: numberIn(single(query, "from")), to: numberIn(single(query, "to")) }
    const page = Effect.gen(function*() {
      const changes = yield* Effect.timeout(history.changes(site.workspaceId, site.projectId, asked), PATIENCE_MS)
      const proof = reader === undefined ? null : yield* proofs.issue(site.projectId, reader)
      const text = versionsPage({
        title: site.title, home: hosts.base, changes, proof,
        web: { early: web.url("viewer/early.ts"), script: web.url(script), modules: web.modules(script), styles: web.styles(script) }
      })
      const ready = yield* Effect.promise(() => made(text, !proven))
      return { ready, status: changes.chosen === undefined || changes.chosen.as === "missing" ? 404 : 200 } as const
    })
    run(page).then(
      ({ ready, status }) => guarded(x, () => answer(x, site, status, ready, proven)),
      (cause) => unavailable(x, cause)
    )
  }

  const bytes = async (x: Exchange, site: Site, history: typeof History.Service, reader: ShellReader | undefined): Promise<(() => void) | undefined> => {
    const { path, query } = x.address!
    const [number = "", ...names] = path.slice(VERSIONS.length + 1).split("/")
    const given = new URLSearchParams(query)
    if (!NUMBER.test(number)) return undefined
    const isProven = async () => reader !== undefined && Option.exists(await run(proofs.proven(site.projectId, single(given, "proof") ?? "")), (one) => isSame(one, reader))
    if (mustProve(site) && !(await isProven())) return undefined
    const version = await run(history.find(site.projectId, Number(number)))
    const edition = version && (editions.held(version) ?? await editions.load(version))
    const found = edition && fileAt(edition.files, names.join("/"))
    if (version === undefined || edition === undefined || found === undefined) return undefined
    const as = hasThumbnail(version) && found.path === version.entry ? asIn(given.get(DRAWN)) : undefined
    const body = as === undefined ? found.asset : await drawn(site.workspaceId, version.id, found.asset, as)
    if (body === undefined) return undefined
    const file = body === found.asset ? edition.presented(found.path, found.asset, GATED.sandboxed) : present(body, GATED.sandboxed)
    // Pages of a site are only downloaded here, never opened, not even without their script.
    const saved = version.kind === "site" || given.has("download") ? found.path : undefined
    if (isSavedFromElsewhere(x, file, saved)) return () => leadOn(x, "versions")
    return () => contents.answer(x, { site, gated: true, file, status: found.status, route: "versions", saved })
  }

  const send: SendVersions = (x, visit) => {
    const { site } = visit
    if (history === undefined || !isViewerOrigin(site)) return refuse(x, "no-such-page", baseUrl)
    if (!seesHistory(visit)) return refuse(x, "history", baseUrl)
    const cookie = mustProve(site) ? readerIn(x.req.headers.cookie) : undefined
    const go = (reader: ShellReader | undefined): void => {
      if (x.address!.path === VERSIONS) return compared(x, site, history, reader)
      bytes(x, site, history, reader).then(
        (answered) => guarded(x, () => answered === undefined ? refuse(x, "no-such-page", baseUrl) : answered()),
        (cause) => unavailable(x, cause)
      )
    }
    if (cookie === undefined) return go(undefined)
    // Of the session that the pass is of: such a script could bring its author's key, and be named as them.
    const isPassOf = ({ since }: ShellReader): boolean => visit.pass?.member != null && DateTime.toEpochMillis(visit.pass.member.signedInAt) === since
    run(proofs.named(site.projectId, cookie)).then((named) => guarded(x, () => go(Option.getOrUndefined(Option.filter(named, isPassOf)))), (cause) => unavailable(x, cause))
  }
  return send
})
