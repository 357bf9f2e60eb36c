/** The hosts of the content plane as a browser names them; schemes and ports as configured, never taken from a request. */
import { getPublicSuffix } from "tldts"
import { hostOf } from "../../domain/host-names.ts"
import { projectUrlOn } from "../../domain/ports/addresses.ts"

export interface Hosts {
  readonly project: (slug: string) => string
  readonly frame: (name: string) => string
  /** Where the API and our pages are. */
  readonly base: string
  /** Whether two projects are two sites to a browser: the content domain is on the Public Suffix List. */
  readonly apart: boolean
}

const FRAME = /^svc--([0-9a-v]{26})$/

/** The name behind `svc--`; undefined for every other label. */
export const frameNameIn = (label: string): string | undefined => FRAME.exec(label)?.[1]

export const hostsOf = (baseUrl: string, contentDomain: string): Hosts => {
  const bare = hostOf(contentDomain)
  const project = projectUrlOn(baseUrl, contentDomain)
  return {
    project,
    frame: (name) => project(`svc--${name}`),
    base: new URL(baseUrl).origin,
    apart: getPublicSuffix(bare, { allowPrivateDomains: true }) === bare
  }
}
