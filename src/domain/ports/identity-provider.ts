/** The OpenID Connect provider that people may sign in with. */
import { Context, Schema } from "effect"
import type { Effect } from "effect"
import type { Forbidden, OauthNotConfigured, Unavailable } from "../failures.ts"

/** The secrets of one request to the provider; its answer is checked against them. Never disclosed. */
export const Checks = Schema.Struct({ state: Schema.String, nonce: Schema.String, verifier: Schema.String })
export type Checks = typeof Checks.Type

/** A person as the provider describes them. */
export interface Identity {
  /** Identifies the person at this provider permanently; an address may pass to somebody else. */
  readonly subject: string
  /** In normal form; null if the provider names none that an account could have. */
  readonly email: string | null
  readonly emailVerified: boolean
  readonly name: string | undefined
}

export class IdentityProvider extends Context.Service<IdentityProvider, {
  /** `again`: the person must authenticate again, even if the provider still has a session for them. */
  readonly ask: (options: { readonly again: boolean }) => Effect.Effect<
    { readonly url: string; readonly checks: Checks },
    OauthNotConfigured | Unavailable
  >
  /** `query`: the parameters that the provider redirected the browser back with. Any fault in them is the same `forbidden`. */
  readonly identify: (query: URLSearchParams, checks: Checks) => Effect.Effect<
    Identity,
    Forbidden | OauthNotConfigured | Unavailable
  >
}>()("svc/domain/ports/IdentityProvider") {}
