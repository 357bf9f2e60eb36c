/** The web app as somebody signed in has it: a browser whose cookies are a session's. */
import { Effect } from "effect"
import { ask, browserCookies, cookiesOf } from "./ask.ts"
import { reader } from "./browser.ts"
import { PASSWORD, Service } from "./service.ts"
import type { Account, AccountOptions } from "./service.ts"

/** `open("/projects/x")` goes to a path of the app; `account` is whoever is signed in, new unless given. */
export const signedInPage = Effect.fnUntraced(function*(given?: Account, options?: AccountOptions) {
  const service = yield* Service
  const account = given ?? (yield* service.account(options))
  const seen = yield* reader
  const base = `http://svc.localhost:${service.port}`
  const login = yield* Effect.promise(() => ask(service.port, "/v1/auth/login", { json: { email: account.email, password: PASSWORD } }))
  yield* Effect.promise(() => seen.page.context().addCookies(browserCookies(cookiesOf(login))))
  return { ...seen, account, base, open: (path: string) => seen.page.goto(base + path) }
})
