/** What a path of an open project shows: the author's file, the shell of a framed site, or the viewer of a rendered kind. */
import type { ServedVersion, Visit } from "../../domain/hosting/model.ts"
import { asIn, DRAWN, RAW, tagOf } from "../../domain/hosting/raw-files.ts"
import { isFramed, locate, original } from "../../domain/hosting/rules.ts"
import { hasThumbnail } from "../../domain/thumbnails/rules.ts"
import { prefersHtml } from "../contract/negotiation.ts"
import type { ContentAnswers } from "./content.ts"
import type { ReadDrawn } from "./drawn.ts"
import { GATED, OPEN, present } from "./memory/editions.ts"
import type { Edition } from "./memory/editions.ts"
import type { Exchange } from "./exchange.ts"
import type { Guards } from "./guarding.ts"
import type { Body, Holdings } from "./memory/holdings.ts"
import { isSavedFromElsewhere } from "./headers.ts"
import { pictureIn } from "./pictures.ts"
import { leadOn, refuse, sendOn } from "./refusals.ts"
import type { RememberRaw } from "./frames/served-raw.ts"
import type { SendShell } from "./frames/shell.ts"
import type { SendViewer } from "./viewer.ts"

export interface ShowParts extends Guards {
  readonly baseUrl: string
  readonly contents: ContentAnswers
  readonly shell: SendShell
  readonly viewer: SendViewer
  readonly rememberRaw: RememberRaw
  readonly holdings: Holdings
  readonly drawn: ReadDrawn
}

export type Show = (x: Exchange, visit: Visit, version: ServedVersion, edition: Edition) => void

export const showWith = ({ baseUrl, contents, drawn, guarded, holdings, rememberRaw, shell, unavailable, viewer }: ShowParts): Show => (x, visit, version, edition) => {
  const { site } = x.visit = visit
  const { path, query } = x.address!
  const isRaw = path.startsWith(RAW)
  const found = isRaw
    ? original(version, edition.files, path.slice(RAW.length))
    : locate(version, edition.files, path, () => prefersHtml(x.req.headers.accept))
  if (found === undefined) return refuse(x, "no-such-page", baseUrl)
  const framed = isFramed(site)
  // Sent on by a redirect as it is loaded again, the page around a frame would lose the way back to what its reader saw before: its frame is sent on.
  if ("location" in found) return framed ? shell(x, visit, 200) : sendOn(x, found, site)
  const bare = version.kind === "site" && !framed
  const gated = site.visibility !== "public"
  const faces = gated ? GATED : OPEN
  const file = edition.presented(found.path, found.asset, bare ? faces.bare : faces.sandboxed)
  if (framed && file.page) return shell(x, visit, found.status)
  if (version.kind !== "site" && path === "/") return viewer(x, visit, version, edition, found.asset)
  const route = isRaw ? "raw" : file.page ? "page" : "file"
  const asked = isRaw && query !== "" ? new URLSearchParams(query) : undefined
  const pinned = asked?.get("v") ?? undefined
  // A client that reads in parts must not get a part of another version.
  if (pinned !== undefined && pinned !== tagOf(found.asset)) return refuse(x, "newer", baseUrl)
  const made = (making: Promise<Body | undefined>): void =>
    void making.then((body) => guarded(x, () => body === undefined
      ? refuse(x, "no-such-page", baseUrl)
      : contents.answer(x, { site, gated, file: present(body, faces.sandboxed), status: found.status, route })), (cause) => unavailable(x, cause))
  const place = version.kind === "markdown" ? asked?.get("picture") : undefined
  if (place != null) return made(pictureIn(holdings, found.asset, place))
  const as = asIn(asked?.get(DRAWN))
  if (as !== undefined && hasThumbnail(version) && found.path === version.entry) return made(drawn(site.workspaceId, version.id, found.asset, as))
  const saved = asked?.has("download") === true ? found.path : undefined
  if (gated && isSavedFromElsewhere(x, file, saved)) return leadOn(x, route)
  const answer = () => contents.answer(x, { site, gated, file, status: found.status, route, saved })
  return bare && file.document ? rememberRaw(x, site, answer) : answer()
}
