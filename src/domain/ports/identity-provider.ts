/** The OpenID Connect provider that people may sign in with: where to send a browser, and who came back. */
import { Context, Schema } from "effect"
import type { Effect } from "effect"
import type { Forbidden, OauthNotConfigured, Unavailable } from "../failures.ts"

/** What one request to the provider was made with, and its answer is held against. Never told to anybody. */
export const Checks = Schema.Struct({ state: Schema.String, nonce: Schema.String, verifier: Schema.String })
export type Checks = typeof Checks.Type

/** Someone as the provider vouches for them. */
export interface Identity {
  /** Names the person for ever; an address may change hands. */
  readonly subject: string
  /** In normal form; null when there is none that could be an account's. */
  readonly email: string | null
  readonly emailVerified: boolean
  readonly name: string | undefined
}

export class IdentityProvider extends Context.Service<IdentityProvider, {
  /** `again`: the person proves anew who they are, even if the provider still knows them. */
  readonly ask: (options: { readonly again: boolean }) => Effect.Effect<
    { readonly url: string; readonly checks: Checks },
    OauthNotConfigured | Unavailable
  >
  /** `query` is what the provider sent the browser back with. Anything amiss in it is the same `forbidden`. */
  readonly identify: (query: URLSearchParams, checks: Checks) => Effect.Effect<
    Identity,
    Forbidden | OauthNotConfigured | Unavailable
  >
}>()("svc/domain/ports/IdentityProvider") {}
