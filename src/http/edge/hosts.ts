/** The hosts of the content plane as a browser names them; schemes and ports as configured, never taken from a request. */
import { getPublicSuffix } from "tldts"

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
  const { origin, protocol } = new URL(baseUrl)
  const bare = contentDomain.toLowerCase().replace(/:\d+$/, "")
  const project = (slug: string): string => `${protocol}//${slug}.${contentDomain}`
  return {
    project,
    frame: (name) => project(`svc--${name}`),
    base: origin,
    apart: getPublicSuffix(bare, { allowPrivateDomains: true }) === bare
  }
}
