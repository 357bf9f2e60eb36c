/** The configured addresses. Links are made from these alone, never from a request's `Host`. */
import { Context } from "effect"

export class Addresses extends Context.Service<Addresses, {
  /** No trailing slash. */
  readonly baseUrl: string
  /** No trailing slash. */
  readonly appUrl: string
  /** `https://<slug>.<content domain>`, without a trailing slash. */
  readonly projectUrl: (slug: string) => string
}>()("svc/domain/ports/Addresses") {}
