/**
 * A frame's host, `svc--<name>.<content domain>`: an author's pages on an origin that belongs to no project.
 *
 * 1. `/_svc/enter?k=&next=` spends the shell's key for a cookie of this host, and goes on to the page.
 * 2. The facts are read for every request, as on the project's own host; the cookie must be the one that belongs here.
 * 3. HTML opened at the top goes to the project's own host, where the shell is.
 * 4. Everything else is answered as on a raw site, HTML with a sandbox and with the bridge appended.
 */
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { Gates } from "../../../domain/hosting/gates.ts"
import type { FrameVisit, ServedVersion } from "../../../domain/hosting/model.ts"
import { frameDoor, locate } from "../../../domain/hosting/rules.ts"
import type { Closed, Found } from "../../../domain/hosting/rules.ts"
import { prefersHtml } from "../../contract/negotiation.ts"
import type { ContentAnswers } from "../content.ts"
import { cookieValue } from "../cookie-value.ts"
import { isWide, present } from "../memory/editions.ts"
import type { Edition, Face, Presented } from "../memory/editions.ts"
import type { Exchange } from "../exchange.ts"
import type { Ask } from "../facts.ts"
import { bridgeTag, closedInFrame, enterPath, missingInFrame } from "./frame-pages.ts"
import type { Ours } from "./frame-pages.ts"
import type { Guards } from "../guarding.ts"
import { everyAnswer } from "../headers.ts"
import type { Holdings } from "../memory/holdings.ts"
import type { Hosts } from "../hosts.ts"
import { Memory } from "../memory/memory.ts"
import { nextOf } from "../next.ts"
import { hashOf } from "../pass-cookie.ts"
import { refuse, sendOn, wantsJson } from "../refusals.ts"
import { SANDBOX } from "./shell-page.ts"
import { webAssets } from "../web-assets.ts"

export interface FrameParts extends Guards {
  readonly hosts: Hosts
  readonly baseUrl: string
  readonly ask: Ask<FrameVisit>
  readonly door: (visit: FrameVisit | undefined) => ReturnType<typeof frameDoor>
  /** Calls `use` with the files of a version, or `again` where it was pruned meanwhile. */
  readonly opened: (x: Exchange, version: ServedVersion, use: (edition: Edition) => void, again: (() => void) | undefined) => void
  readonly contents: ContentAnswers
  readonly holdings: Holdings
}

const COOKIE = "__Host-svc_frame"
const keyIn = cookieValue(COOKIE, "[0-9a-f]{64}")

/** Answers a request to the frame of this name. */
export type AnswerFrame = (x: Exchange, name: string) => void

const NEVER_KEPT = ["Cache-Control", "private, no-store", "X-Robots-Tag", "noindex"]

const elsewhere = (x: Exchange, status: 302 | 303, location: string, ...more: ReadonlyArray<string>): void =>
  x.send(status, [...everyAnswer("no-referrer"), ...NEVER_KEPT, "Content-Length", "0", "Location", location, ...more], undefined, "moved")

const sendOurs = (x: Exchange, { policy, status, text }: Ours): void => {
  const body = Buffer.from(text)
  x.send(status, [
    ...everyAnswer("no-referrer"), ...NEVER_KEPT, "Content-Security-Policy", policy,
    "Content-Type", "text/html; charset=utf-8", "Content-Length", String(body.length)
  ], body, "closed")
}

const isTop = (x: Exchange): boolean => x.req.headers["sec-fetch-dest"] === "document"

export const makeFrameHost = Effect.fnUntraced(function*(parts: FrameParts) {
  const { ask, baseUrl, contents, door, guarded, holdings, hosts, opened, unavailable } = parts
  const gates = yield* Gates
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const script = webAssets().url("viewer/bridge.ts")
  const attributes = hosts.apart ? "SameSite=None; Partitioned" : "SameSite=Lax"

  const faces = new Memory<Face>(256 * 1024)
  const faceFor = (slug: string): Face => {
    const before = faces.get(slug)
    if (before !== undefined) return before
    const project = hosts.project(slug)
    const tail = Buffer.from(bridgeTag(script, project))
    const key = createHash("sha256").update(tail).digest("hex").slice(0, 16)
    const face: Face = { key, tail, framed: true, policy: `sandbox ${SANDBOX}; frame-ancestors 'self' ${project}` }
    faces.put(slug, face, 1_000)
    return face
  }

  const close = (x: Exchange, { site }: FrameVisit, why: Closed, address: string): void => {
    const project = hosts.project(site.slug)
    if (isTop(x)) return elsewhere(x, 302, project + address)
    if (wantsJson(x)) return refuse(x, why, baseUrl)
    sendOurs(x, closedInFrame(why, project + address, project, bridgeTag(script, project)))
  }

  /** `address` is the page that the reader wants, which `/_svc/enter` itself is not. */
  const checked = (x: Exchange, name: string, address: string, then: (visit: FrameVisit) => void): void => {
    ask(name, hashOf(keyIn(x.req.headers.cookie)), {
      told: (visit) =>
        guarded(x, () => {
          if (x.gone) return x.ended(499, 0, "closed")
          const verdict = door(visit)
          if (visit === undefined || verdict === "unknown") return refuse(x, "unknown", baseUrl)
          return verdict === "open" ? then(x.visit = visit) : close(x, visit, verdict, address)
        }),
      failed: () => guarded(x, () => refuse(x, "unavailable", baseUrl))
    })
  }

  /** Reads a page's beginning once, before anything is appended to it; the bytes stay in memory for the answer. */
  const presented = (x: Exchange, { asset, path }: Found, edition: Edition, face: Face, use: (file: Presented) => void): void => {
    const before = edition.held(path, face)
    if (before !== undefined) return use(before)
    const body = present(asset, face).asset
    if (body.tail === undefined) return use(edition.presented(path, asset, face))
    const { tail: _, ...closed } = face
    holdings.beginning(body).then(
      (head) => guarded(x, () => use(edition.presented(path, asset, isWide(head) ? closed : face))),
      (cause) => unavailable(x, cause)
    )
  }

  const show = (x: Exchange, { site }: FrameVisit, version: ServedVersion, edition: Edition): void => {
    const { path, query, raw } = x.address!
    const found = locate(version, edition.files, path, () => prefersHtml(x.req.headers.accept))
    const project = hosts.project(site.slug)
    if (found === undefined) {
      if (isTop(x)) return elsewhere(x, 302, project + raw + query)
      if (wantsJson(x)) return refuse(x, "no-such-page", baseUrl)
      return sendOurs(x, missingInFrame(project, bridgeTag(script, project), { requestId: x.id, baseUrl, slug: site.slug, next: "/" }))
    }
    if ("location" in found) return sendOn(x, found, { ...site, indexable: false })
    const gated = site.visibility !== "public"
    presented(x, found, edition, faceFor(site.slug), (file) => {
      if (file.page && isTop(x)) return elsewhere(x, 302, project + raw + query)
      contents.answer(x, { site, gated, file, status: found.status, route: file.page ? "frame" : "file" })
    })
  }

  const page = (x: Exchange, name: string, again: boolean): void =>
    checked(x, name, x.address!.raw + x.address!.query, (visit) => {
      const version = visit.site.version
      if (version === null) return refuse(x, "empty", baseUrl)
      opened(x, version, (edition) => show(x, visit, version, edition), again ? undefined : () => page(x, name, true))
    })

  const enter = (x: Exchange, name: string): void => {
    const query = new URLSearchParams(x.address!.query)
    const next = nextOf(query.get("next") ?? undefined)
    const there = hosts.frame(name) + next
    const late = () => checked(x, name, next, () => elsewhere(x, 303, there))
    const key = query.get("k")
    if (x.isHead || key === null) return late()
    run(gates.frame(name, key)).then(
      (token) =>
        guarded(x, () => {
          // The key was used before, as on a reload or a step back. A browser with this host's cookie needs none.
          if (token._tag === "None") return late()
          elsewhere(x, 303, there, "Set-Cookie", `${COOKIE}=${token.value}; Path=/; Secure; HttpOnly; ${attributes}`)
        }),
      (cause) => unavailable(x, cause)
    )
  }

  const answer: AnswerFrame = (x, name) => x.address!.path === enterPath ? enter(x, name) : page(x, name, false)
  return answer
})
