/** The link from a document to what changed in it, for those who may see that. */
import { memberGateAt } from "../../../domain/hosting/gate-addresses.ts"
import type { Site } from "../../../domain/hosting/model.ts"
import { html, trusted } from "../../../look/html.ts"
import type { Html } from "../../../look/html.ts"
import { iconText } from "../../../look/icons.ts"
import type { Hosts } from "../hosts.ts"

/** Where two versions stand side by side. */
export const VERSIONS = "/_svc/versions"

export interface VersionsLink {
  readonly href: string
  /** Where false, hidden until script learns that its reader is a member; it then leads through the member gate. */
  readonly known: boolean
}

/** Null where there is nothing to compare. Every plan keeps more than one version, so a second one has one before it. */
export const versionsLink = (hosts: Pick<Hosts, "base">, { slug, version }: Site, known: boolean): VersionsLink | null => {
  if (version === null || version.number === 1) return null
  return { known, href: known ? VERSIONS : memberGateAt(hosts.base, { slug, next: VERSIONS }) }
}

export const versionsTool = (link: VersionsLink | null, also: string, words: Html): Html | null =>
  link && html`<a class="${`tool ${also}`.trim()}" id="versions" href="${link.href}" title="What changed"${!link.known && html` hidden`}>${trusted(iconText("versions"))}${words}</a>`
