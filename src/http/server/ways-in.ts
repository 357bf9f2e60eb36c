/** What sign-in pages must know about this service before anybody is signed in. */
import { Context } from "effect"

export class WaysIn extends Context.Service<WaysIn, {
  /** Whether an identity provider is configured. */
  readonly identityProvider: boolean
  /** The developer mailbox's address, where there is one. */
  readonly mailboxUrl: string | null
}>()("svc/http/server/WaysIn") {}
