/**
 * A page of a framed site, asked for on the project's own host: the shell, whose frame shows the author's page.
 *
 * 1. Public: the frame's address is the project's public frame, and the answer may be cached and revalidated by its tag.
 * 2. Behind a gate: the frame is entered with a key made for this answer, which is never cached.
 * 3. Where author script may live on in an open tab of this host, a navigated shell carries a proof for whoever is named there; it is never cached
 *    either, not even by the browser, whose cache such a script could read.
 */
import { Effect } from "effect"
import { Gates } from "../../../domain/hosting/gates.ts"
import type { Visit } from "../../../domain/hosting/model.ts"
import { mustProve } from "../../../domain/hosting/rules.ts"
import { ShellProofs } from "../../../domain/hosting/shell-proofs.ts"
import { etagOf } from "../../../look/built.ts"
import type { Beginnings } from "../beginnings.ts"
import { keeping } from "../caching.ts"
import { answeredByTag } from "../conditional.ts"
import type { Exchange } from "../exchange.ts"
import { enterPath } from "./frame-pages.ts"
import type { Guards } from "../guarding.ts"
import { clearing, everyAnswer, mustClear, robots, UNSEEN } from "../headers.ts"
import type { Hosts } from "../hosts.ts"
import { passIn } from "../pass-cookie.ts"
import { readerIn } from "../reader-cookie.ts"
import { shellPage, shellPolicy } from "./shell-page.ts"
import { versionsLink } from "../versions/versions-link.ts"
import { webAssets } from "../web-assets.ts"

export interface ShellParts extends Guards {
  readonly hosts: Hosts
  readonly beginnings: Beginnings
  readonly seesHistory: (visit: Visit) => boolean
}

/** `status` is that of the author's page: 404 for the author's own not-found page. */
export type SendShell = (x: Exchange, visit: Visit, status: 200 | 404) => void

export const makeShell = Effect.fnUntraced(function*({ beginnings, guarded, hosts, seesHistory, unavailable }: ShellParts) {
  const gates = yield* Gates
  const proofs = yield* ShellProofs
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const script = webAssets().url("viewer/shell.ts")

  const answer = (x: Exchange, visit: Visit, status: 200 | 404, key: string | undefined, proof: string | null): void => {
    const { pass, site } = visit
    const own = hosts.project(site.slug)
    const history = seesHistory(visit)
    const gated = site.visibility !== "public"
    const frame = hosts.frame(gated ? pass!.frameName : site.frameName)
    const { query, raw } = x.address!
    const src = gated ? `${frame}${enterPath}?k=${key ?? ""}&next=${encodeURIComponent(raw + query)}` : frame + raw + query
    const text = shellPage({
      title: site.title, version: site.version!.number, comments: site.commentAccess, src, frameOrigin: frame, script, home: hosts.base, proof,
      versions: versionsLink(hosts, site, history),
      preview: gated || status !== 200 ? null : { title: site.title, address: own + raw, beginning: raw === "/" ? beginnings.held(site.version!.id) ?? "" : "", picture: null }
    })
    const personal = mustClear(x, site)
    const isSecret = proof !== null && proof !== ""
    const { cacheControl } = keeping({ content: "page", gated: gated || history, personal })
    const lines = [
      ...everyAnswer(),
      "Cache-Control", isSecret ? "private, no-store" : cacheControl,
      "Content-Security-Policy", shellPolicy({ own, frame, base: hosts.base }),
      ...UNSEEN,
      "Origin-Agent-Cluster", "?1"
    ]
    // What only members are shown must not be cached for others, on a public page either.
    if (mustProve(site)) lines.push("Vary", "Cookie, Sec-Fetch-Mode")
    else if (gated || history) lines.push("Vary", "Cookie")
    lines.push(...robots(site.indexable))
    if (personal) lines.push(...clearing(site.projectId))
    if (!gated && !history && !personal && !isSecret) {
      const tag = etagOf(text)
      if (status === 200 && answeredByTag(x, lines, [tag], "shell")) return
      lines.push("ETag", tag)
    }
    const body = Buffer.from(text)
    // A HEAD is made no key, and without one the length differs (RFC 9110 §8.6).
    const length = gated && x.isHead ? [] : ["Content-Length", String(body.length)]
    x.send(status, [...lines, "Content-Type", "text/html; charset=utf-8", ...length], body, "shell")
  }

  const send: SendShell = (x, visit, status) => {
    const { pass, site } = visit
    const cookie = passIn(x.req.headers.cookie)
    const gated = site.visibility !== "public" && pass !== null && cookie !== undefined && !x.isHead
    // Only for a navigation, never for a script that fetches it.
    const asks = mustProve(site) && x.req.headers["sec-fetch-mode"] === "navigate"
    const reader = asks ? readerIn(x.req.headers.cookie) : undefined
    const unnamed = asks ? "" : null
    const read = site.visibility !== "public" || x.address!.raw !== "/" || beginnings.held(site.version!.id) !== undefined
    if (!gated && reader === undefined && read) return answer(x, visit, status, undefined, unnamed)
    run(Effect.all([
      gated ? gates.frameEntry(pass, cookie) : Effect.succeed(undefined),
      reader === undefined ? Effect.succeed(unnamed) : proofs.issueNamed(site.projectId, reader),
      read ? Effect.void : Effect.promise(() => beginnings.load(site.version!.id))
    ])).then(
      ([key, proof]) => guarded(x, () => answer(x, visit, status, key, proof)),
      (cause) => unavailable(x, cause)
    )
  }
  return send
})
