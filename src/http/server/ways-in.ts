/** What sign-in pages have to know of this service before anybody is signed in. */
import { Context } from "effect"

export class WaysIn extends Context.Service<WaysIn, {
  /** Whether an identity provider is configured. */
  readonly identityProvider: boolean
  /** Of the developer mailbox, where there is one. */
  readonly mailboxUrl: string | null
}>()("svc/http/server/WaysIn") {}
