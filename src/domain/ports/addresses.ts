/** The configured addresses. Links are made from these alone, never from a request's `Host`. */
import { Context } from "effect"

/** The content domain may have a port; the scheme is that of the service's own address. */
export const projectUrlOn = (baseUrl: string, contentDomain: string) => {
  const { protocol } = new URL(baseUrl)
  return (slug: string): string => `${protocol}//${slug}.${contentDomain}`
}

export class Addresses extends Context.Service<Addresses, {
  /** No trailing slash. */
  readonly baseUrl: string
  /** No trailing slash. */
  readonly appUrl: string
  /** `https://<slug>.<content domain>`, without a trailing slash. */
  readonly projectUrl: (slug: string) => string
}>()("svc/domain/ports/Addresses") {}
