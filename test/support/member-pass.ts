/** A member on a project's own host: signed in, then through the gate, as their browser goes. */
import { Effect } from "effect"
import { cookiesOf } from "./ask.ts"
import type { Account, Service } from "./service.ts"

const sessions = new WeakMap<Account, string>()

/** Once per account: sign-ins are limited. */
export const signIn = Effect.fnUntraced(function*(service: typeof Service.Service, account: Account) {
  const before = sessions.get(account)
  if (before !== undefined) return before
  const { email, password } = account
  const cookie = cookiesOf(yield* service.ask("/v1/auth/login", { json: { email, password } }))
  sessions.set(account, cookie)
  return cookie
})

/** The pass as a Cookie header; empty if the gate does not let the member in. */
export const memberPass = Effect.fnUntraced(function*(service: typeof Service.Service, account: Account, slug: string) {
  const cookie = yield* signIn(service, account)
  const { headers } = yield* service.ask(`/v1/gate/member?slug=${slug}&next=/`, { headers: { cookie } })
  if (headers.location === undefined) return ""
  const { pathname, search } = new URL(headers.location)
  return cookiesOf(yield* service.ask(pathname + search, { host: `${slug}.svc.localhost` }))
})
