/** Signing in through a real OpenID Connect provider, and linking to it: the five rules, and every way to be refused. */
import { once } from "node:events"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Deferred, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll } from "vitest"
import { UserId } from "../../src/domain/accounts/model.ts"
import { Recovery } from "../../src/domain/accounts/recovery.ts"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import { IdpStore } from "../../src/domain/idp/store.ts"
import { InviteId } from "../../src/domain/invites/model.ts"
import { InviteStore } from "../../src/domain/invites/store.ts"
import { Atomically } from "../../src/domain/ports/atomically.ts"
import { Tokens } from "../../src/domain/ports/tokens.ts"
import { Sessions } from "../../src/domain/sessions/sessions.ts"
import { withoutLimits } from "../../src/services/database/client.ts"
import { Issuer, IssuerSql } from "../../src/services/database/issuer.ts"
import { cookiesOf } from "../support/ask.ts"
import type { Answer, Question } from "../support/ask.ts"
import { CLIENT, openProvider } from "../support/identity-provider.ts"
import type { Person } from "../support/identity-provider.ts"
import { waiting } from "../support/locked.ts"
import { mailTo, tokenIn } from "../support/mail.ts"
import { eventually } from "../support/program.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { toBeErased } from "../support/to-be-erased.ts"

const provider = await openProvider()
/** Accepts connections and says nothing. */
const silent = createServer().listen(0, "127.0.0.1")
await once(silent, "listening")
afterAll(async () => {
  silent.close()
  await provider.stop()
})

const configured = (issuer: string) => ({
  SVC_IDP_ISSUER: issuer,
  SVC_IDP_CLIENT_ID: CLIENT.id,
  SVC_IDP_CLIENT_SECRET: CLIENT.secret,
  SVC_TRUSTED_PROXY_HOPS: "1"
})

const pathOf = ({ pathname, search }: URL) => pathname + search

let clients = 0

/** A browser: it keeps its cookies for the service, and follows redirects through the provider. */
const browse = (service: typeof Service.Service) => {
  const jar = new Map<string, string>()
  const address = `10.9.${++clients >> 8}.${clients & 255}`
  const base = `http://svc.localhost:${service.port}`
  provider.register(`${base}/v1/auth/idp/callback`)

  const ask = (path: string, question: Question = {}) => Effect.suspend(() => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
    return service.ask(path, { ...question, headers: { cookie, "x-forwarded-for": address, ...question.headers } }).pipe(
      Effect.tap((answer) => Effect.sync(() => {
        for (const line of answer.headers["set-cookie"] ?? []) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
          if (/Max-Age=0/i.test(line)) jar.delete(name!)
          else jar.set(name!, value!)
        }
      }))
    )
  })

  return {
    base,
    jar,
    ask,
    me: Effect.map(ask("/v1/me"), ({ json, status }) => status === 200 ? json.user : undefined),
    login: (account: Account) => ask("/v1/auth/login", { json: { email: account.email, password: PASSWORD } }),
    /** To the provider and up to the callback, which is not requested yet. */
    away: (subject: string | undefined, { change, path = "/v1/auth/idp" }: { path?: string; change?: (url: URL) => void } = {}) =>
      Effect.flatMap(ask(path), (answer) => Effect.promise(async () => {
        assert.strictEqual(answer.status, 303, answer.text)
        const url = new URL(answer.headers.location!)
        change?.(url)
        return pathOf(await provider.visit(url.href, subject))
      }))
  }
}

type Browser = ReturnType<typeof browse>

const there = (browser: Browser, subject: string | undefined, options?: Parameters<Browser["away"]>[1]) =>
  Effect.flatMap(browser.away(subject, options), (back) => browser.ask(back))

const LINK = { path: "/v1/auth/idp/link" }

/** 403, no session, nothing left of the attempt, nothing linked. */
const assertRefused = (browser: Browser, answer: Answer, subject: string) =>
  Effect.gen(function*() {
    const service = yield* Service
    assert.strictEqual(answer.status, 403, answer.text)
    assert.strictEqual(answer.json.error.code, "forbidden")
    assert.isFalse(browser.jar.has("__Host-svc_session"))
    assert.isFalse(browser.jar.has("__Host-svc_csrf"))
    assert.isUndefined(yield* linkedTo(service, subject))
  })

const linkedTo = (service: typeof Service.Service, subject: string) =>
  service.inside(SqlClient.SqlClient.use((sql) => sql<{ email: string }>`SELECT email FROM users WHERE idp_sub = ${subject}`)).pipe(
    Effect.map(([row]) => row?.email),
    Effect.orDie
  )

const withoutPassword = (service: typeof Service.Service, { id }: Account) =>
  service.inside(SqlClient.SqlClient.use((sql) => sql`UPDATE users SET password_hash = NULL WHERE id = ${id}`)).pipe(Effect.orDie)

const invite = (service: typeof Service.Service, { id, workspaceId }: Account, email: string, days = 7) =>
  service.inside(Effect.gen(function*() {
    const tokens = yield* Tokens
    const now = yield* DateTime.now
    const draft = { workspaceId, email, role: "member" as const, grantsOwnership: false, invitedBy: id, createdAt: now, acceptedAt: null }
    const made = { ...draft, id: InviteId.make(yield* tokens.uuid), expiresAt: DateTime.add(now, { days }) }
    yield* (yield* InviteStore).add(made, (yield* tokens.mint()).hash)
  }))

let people = 0
/** A person whom only the provider knows. */
const person = (facts: Person = {}) => {
  const subject = `subject-${++people}`
  const email = `${subject}@example.com`
  provider.people.set(subject, { email, email_verified: true, name: "Ada Provided", ...facts })
  return { subject, email: facts.email ?? email }
}

/** Somebody at an account whose address they never proved, with a link to a provider's account of their own in mind. */
const squatting = Effect.gen(function*() {
  const service = yield* Service
  const account = yield* service.account({ verified: false })
  const squatter = browse(service)
  yield* squatter.login(account)
  return { account, planted: person(), service, squatter }
})

layer(serviceWith(configured(provider.issuer)), { excludeTestServices: true })("idp", (it) => {
  it.effect("sends the browser away with code, PKCE, state and nonce, and keeps the other half sealed in its cookie", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const browser = browse(service)
      const answer = yield* browser.ask("/v1/auth/idp")
      const url = new URL(answer.headers.location!)
      assert.strictEqual(url.origin, provider.issuer)
      const { code_challenge, nonce, state, ...rest } = Object.fromEntries(url.searchParams)
      assert.deepStrictEqual(rest, {
        client_id: CLIENT.id,
        redirect_uri: `${browser.base}/v1/auth/idp/callback`,
        response_type: "code",
        scope: "openid email profile",
        code_challenge_method: "S256"
      })
      assert.match(code_challenge!, /^[\w-]{43}$/)
      const [cookie, ...others] = answer.headers["set-cookie"]!
      assert.lengthOf(others, 0)
      for (const part of [/^__Host-svc_session=/, /; HttpOnly/, /; Secure/, /; Path=\//, /; SameSite=Lax/]) assert.match(cookie!, part)
      assert.isFalse(cookie!.includes(state!) || cookie!.includes(nonce!))
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      assert.isUndefined(yield* browser.me)
    }))

  it.effect("rule 1: nobody comes in with an address that the provider did not verify", () =>
    Effect.gen(function*() {
      const service = yield* Service
      for (const facts of [{ email_verified: false }, { email_verified: undefined }, { email_verified: "false" }] as ReadonlyArray<Person>) {
        const { email, subject } = person(facts)
        const account = yield* service.account({ email })
        yield* withoutPassword(service, account)
        const browser = browse(service)
        yield* assertRefused(browser, yield* there(browser, subject), subject)
      }
      // Some providers write it as a word.
      const worded = person({ email_verified: "true" })
      yield* withoutPassword(service, yield* service.account({ email: worded.email }))
      const welcome = browse(service)
      assert.strictEqual((yield* there(welcome, worded.subject)).status, 303)
      // An address in the ID token is not verified by what the provider says of another one.
      const account = yield* service.account()
      yield* withoutPassword(service, account)
      const { subject } = person({ tokenEmail: account.email })
      const browser = browse(service)
      yield* assertRefused(browser, yield* there(browser, subject), subject)
    }))

  it.effect("rules 3 and 2: links an account that has neither password nor link, and knows its subject ever after", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email, subject } = person({ email: "Changing@Example.com" })
      const account = yield* service.account({ email: email.toLowerCase() })
      yield* withoutPassword(service, account)
      const browser = browse(service)
      const answer = yield* there(browser, subject)
      assert.strictEqual(answer.status, 303)
      assert.strictEqual(answer.headers.location, browser.base)
      assert.lengthOf(answer.headers["set-cookie"]!, 2)
      assert.deepInclude(yield* browser.me, { id: account.id, idp_linked: true, has_password: false })

      // A verified account keeps its tokens.
      assert.strictEqual((yield* service.ask("/v1/me", { headers: account.bearer })).status, 200)
      const csrf = yield* browser.ask("/v1/auth/csrf")
      const renamed = yield* browser.ask("/v1/me", { method: "PATCH", json: { name: "Ada" }, headers: { "x-csrf-token": csrf.json.csrf_token } })
      assert.strictEqual(renamed.status, 200)

      // The person's address changes, and even becomes that of an account with a password: the subject counts.
      const taken = yield* service.account()
      provider.people.set(subject, { email: taken.email, email_verified: true })
      const again = browse(service)
      assert.strictEqual((yield* there(again, subject)).status, 303)
      assert.deepInclude(yield* again.me, { id: account.id, email: account.email })

      // Once the provider no longer vouches for the address, rule 1 comes first.
      provider.people.set(subject, { email: taken.email, email_verified: false })
      assert.strictEqual((yield* there(browse(service), subject)).status, 403)
    }))

  it.effect("comes back to where its reader was going, and never to another site", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { browser: first, subject } = yield* welcome
      const { base } = first
      const landing = (next: string) =>
        Effect.gen(function*() {
          const browser = browse(service)
          const answer = yield* there(browser, subject, { path: `/v1/auth/idp?${new URLSearchParams({ next }).toString()}` })
          assert.strictEqual(answer.status, 303, next)
          assert.isDefined(yield* browser.me)
          return answer.headers.location
        })
      const gate = "/v1/gate/comment?slug=reviewed&next=%2Fa%3Fb%3D1"
      for (const next of [gate, "/device?code=ABCDE-FGHI"]) assert.strictEqual(yield* landing(next), base + next)
      assert.strictEqual(yield* landing("/v1/gate/comment?slug=中"), `${base}/v1/gate/comment?slug=%E4%B8%AD`)
      for (const next of ["//evil.example", "https://evil.example", "/\\evil.example", "@evil.example", ".evil.example", `${base}//evil.example`, `/${"a".repeat(5000)}`, LINK.path]) {
        assert.strictEqual(yield* landing(next), base, next)
      }
      // The sealed address is checked again on the way in.
      const back = yield* first.away(subject)
      const spoilt = yield* service.inside(Sessions.use((sessions) =>
        Effect.flatMap(sessions.carried(first.jar.get("__Host-svc_session")), (load) =>
          sessions.carry(undefined, { ...(Option.getOrThrow(load) as object), next: "//evil.example" }))))
      first.jar.set("__Host-svc_session", spoilt)
      assert.strictEqual((yield* first.ask(back)).headers.location, base)
      // A link is another intent: it returns only to the settings page.
      assert.strictEqual((yield* there(first, subject, { path: `${LINK.path}?next=/device` })).headers.location, `${base}/settings?idp_linked=1`)
    }))

  it.effect("begins for whoever opens it in a window and for programs; what a page loads begins nothing, and no sign-out is undone", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const browser = browse(service)
      yield* browser.login(yield* service.account())
      const asked = (site: string, mode: string, dest: string) =>
        Effect.map(browser.ask("/v1/auth/idp", { headers: { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest } }), ({ headers, status }) =>
          [status, headers["set-cookie"]?.length ?? 0])
      const signedIn = browser.jar.get("__Host-svc_session")!
      for (const site of ["same-site", "cross-site", "same-origin"]) {
        assert.deepStrictEqual(yield* asked(site, "no-cors", "image"), [403, 0], site)
        assert.deepStrictEqual(yield* asked(site, "navigate", "iframe"), [403, 0], site)
        assert.deepStrictEqual(yield* asked(site, "cors", "empty"), [403, 0], site)
      }
      for (const site of ["none", "same-origin", "same-site", "cross-site"]) assert.deepStrictEqual(yield* asked(site, "navigate", "document"), [303, 1], site)
      const csrf = browser.jar.get("__Host-svc_csrf")!
      const carrying = browser.jar.get("__Host-svc_session")!
      assert.strictEqual((yield* browser.ask("/v1/auth/logout", { method: "POST", headers: { "x-csrf-token": csrf } })).status, 200)
      assert.isUndefined(yield* browser.me)
      // What left the browser before the sign-out and is answered after it.
      for (const before of [signedIn, carrying]) {
        browser.jar.set("__Host-svc_session", before)
        const back = yield* browser.away(undefined)
        assert.isUndefined(yield* browser.me)
        yield* browser.ask(back)
        assert.isUndefined(yield* browser.me)
      }
    }))

  it.effect("ends what the session before it opened in that browser", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { subject } = yield* welcome
      const [earlier, browser] = [yield* service.account(), browse(service)]
      const made = yield* service.ask("/v1/projects/left-open?visibility=private", { method: "PUT", body: "# secret", headers: { ...earlier.bearer, "content-type": "text/markdown" } })
      assert.strictEqual(made.status, 201, made.text)
      yield* browser.login(earlier)
      const entry = new URL((yield* browser.ask("/v1/gate/member?slug=left-open&next=/")).headers.location!)
      const pass = cookiesOf(yield* service.ask(pathOf(entry), { host: entry.hostname }))
      const reads = Effect.map(service.ask("/", { host: entry.hostname, headers: { cookie: pass } }), ({ status }) => status)
      const back = yield* browser.away(subject)
      assert.strictEqual(yield* reads, 200)
      yield* browser.ask(back)
      assert.notStrictEqual((yield* browser.me).email, earlier.email)
      assert.strictEqual(yield* reads, 403)
    }))

  it.effect("rule 3: a first proof of the address ends what a stranger may have set up before", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email, subject } = person()
      const account = yield* service.account({ email, verified: false })
      const stranger = browse(service)
      yield* stranger.login(account)
      assert.isDefined(yield* stranger.me)
      yield* withoutPassword(service, account)

      const browser = browse(service)
      assert.strictEqual((yield* there(browser, subject)).status, 303)
      assert.deepInclude(yield* browser.me, { id: account.id, email_verified: true })
      assert.isUndefined(yield* stranger.me)
      assert.strictEqual((yield* service.ask("/v1/me", { headers: account.bearer })).status, 401)
    }))

  it.effect("a link that a stranger made before the address was proved ends with the proof", () =>
    Effect.gen(function*() {
      const { account, planted, service, squatter } = yield* squatting
      assert.include((yield* there(squatter, planted.subject, LINK)).headers.location!, "idp_linked=1")
      assert.strictEqual((yield* there(browse(service), planted.subject)).status, 303)

      const proved = yield* service.inside(Effect.gen(function*() {
        const accounts = yield* AccountStore
        const user = Option.getOrThrow(yield* accounts.find(account.id))
        return yield* (yield* Recovery).prove(user, yield* DateTime.now)
      }))
      assert.deepInclude(proved, { id: account.id, idpLinked: false })
      const again = browse(service)
      yield* assertRefused(again, yield* there(again, planted.subject), planted.subject)
    }))

  it.effect("a link that somebody made in the owner's session ends with the password reset", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const [thief, { subject }] = [browse(service), person()]
      yield* thief.login(account)
      assert.include((yield* there(thief, subject, LINK)).headers.location!, "idp_linked=1")

      yield* service.ask("/v1/auth/password-reset", { json: { email: account.email } })
      const mails = yield* mailTo(service, account.email)
      const token = tokenIn(mails[0]!.links)
      assert.strictEqual((yield* service.ask("/v1/auth/password-reset/confirm", { json: { token, password: `${PASSWORD} anew` } })).status, 200)
      const again = browse(service)
      yield* assertRefused(again, yield* there(again, subject), subject)
    }))

  it.effect("a link on its way while the address is proved comes to nothing", () =>
    Effect.gen(function*() {
      const { account, planted, service, squatter } = yield* squatting
      const back = yield* squatter.away(planted.subject, LINK)
      const sql = yield* service.inside(SqlClient.SqlClient)
      const parts = yield* service.inside(Effect.all({ accounts: AccountStore, recovery: Recovery, atomic: Atomically }))
      const [held, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      // Held before its commit: the transaction of a magic link's program (recovery.ts: proven).
      const proving = yield* Effect.forkChild(parts.atomic.atomically(Effect.gen(function*() {
        yield* Effect.orDie(withoutLimits(sql))
        const user = Option.getOrThrow(yield* parts.accounts.find(account.id))
        const proved = yield* parts.recovery.prove(user, yield* DateTime.now)
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(goOn)
        return proved
      })))
      yield* Deferred.await(held)
      const asked = yield* Effect.forkChild(squatter.ask(back))
      yield* Effect.promise(() => eventually("the link waits", () => Effect.runPromise(Effect.map(waiting(sql), (many) => many > 0))))
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(proving)
      assert.include((yield* Fiber.join(asked)).headers.location, "idp_link_error=")
      const later = browse(service)
      yield* there(later, planted.subject)
      assert.notStrictEqual((yield* later.me)?.id, account.id)
      assert.isUndefined(yield* linkedTo(service, planted.subject))
    }))

  it.effect("rule 3: an account with a password, or linked to somebody else, stays shut", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = person()
      const account = yield* service.account({ email: owner.email })
      const first = browse(service)
      yield* assertRefused(first, yield* there(first, owner.subject), owner.subject)
      // Nor does it open to whoever found it otherwise a moment ago.
      const claimed = service.inside(IdpStore.use((store) => store.claim(account.id, "another subject")))
      assert.isTrue(Option.isNone(yield* claimed))

      yield* withoutPassword(service, account)
      assert.strictEqual((yield* there(browse(service), owner.subject)).status, 303)
      assert.isTrue(Option.isNone(yield* claimed))
      const impostor = person({ email: owner.email })
      const second = browse(service)
      yield* assertRefused(second, yield* there(second, impostor.subject), impostor.subject)
    }))

  it.effect("rule 4: someone invited gets an account with every pending invite accepted, and no workspace of their own", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email, subject } = person()
      const [one, two, expired] = [yield* service.account(), yield* service.account(), yield* service.account()]
      yield* invite(service, one, email)
      yield* invite(service, two, email)
      yield* invite(service, expired, email, -1)
      const browser = browse(service)
      assert.strictEqual((yield* there(browser, subject)).status, 303)
      const { json } = yield* browser.ask("/v1/me")
      assert.deepInclude(json.user, { name: "Ada Provided", email, email_verified: true, has_password: false, idp_linked: true })
      assert.sameMembers(json.workspaces.map(({ id }: { id: string }) => id), [one.workspaceId, two.workspaceId])
    }))

  it.effect("a provider’s name for somebody new is one line that turns nothing around, and no longer than a name", () =>
    Effect.gen(function*() {
      const service = yield* Service
      for (const [name, kept] of [["Ada\r\nBcc: all\u202e", "Ada Bcc: all"], ["a".repeat(500), "a".repeat(100)]] as const) {
        const { email, subject } = person({ name })
        yield* invite(service, yield* service.account(), email)
        const browser = browse(service)
        assert.strictEqual((yield* there(browser, subject)).status, 303)
        assert.strictEqual((yield* browser.me).name, kept)
      }
    }))

  it.effect("rule 5: nobody else comes in, and an expired invitation is none", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const stranger = person()
      yield* invite(service, yield* service.account(), stranger.email, -1)
      const browser = browse(service)
      yield* assertRefused(browser, yield* there(browser, stranger.subject), stranger.subject)
      const rows = yield* service.inside(SqlClient.SqlClient.use((sql) => sql`SELECT id FROM users WHERE email = ${stranger.email}`)).pipe(Effect.orDie)
      assert.lengthOf(rows, 0)
      provider.people.set("nameless", { email_verified: true })
      assert.strictEqual((yield* there(browse(service), "nameless")).status, 403)
    }))

  /** Somebody who could sign in if everything were in order. */
  const welcome = Effect.gen(function*() {
    const service = yield* Service
    const { email, subject } = person()
    yield* withoutPassword(service, yield* service.account({ email }))
    return { subject, browser: browse(service) }
  })

  it.effect("refuses an answer that this browser did not ask for: absent, foreign, changed and repeated state", () =>
    Effect.gen(function*() {
      const service = yield* Service
      for (const path of ["/v1/auth/idp/callback", "/v1/auth/idp/callback?code=a&state=b", "/v1/auth/idp/callback?code=a&code=b&state=c&state=d"]) {
        const nobody = browse(service)
        const answer = yield* nobody.ask(path)
        yield* assertRefused(nobody, answer, "nobody")
        assert.isUndefined(answer.headers["set-cookie"])
      }

      // A callback that belongs to another browser, in one without an attempt, and in one with an attempt of its own.
      const foreign = yield* welcome
      const back = yield* foreign.browser.away(foreign.subject)
      const victim = browse(service)
      yield* assertRefused(victim, yield* victim.ask(back), foreign.subject)
      yield* victim.ask("/v1/auth/idp")
      yield* assertRefused(victim, yield* victim.ask(back), foreign.subject)

      // As long away as a person may be at the provider, and a little less.
      for (const [minutes, status] of [[10, 403], [9, 303]] as const) {
        const late = yield* welcome
        const back = yield* late.browser.away(late.subject)
        const session = yield* service.inside(Effect.gen(function*() {
          const sessions = yield* Sessions
          const load = Option.getOrThrow(yield* sessions.carried(late.browser.jar.get("__Host-svc_session"))) as { readonly at: number }
          return yield* sessions.carry(undefined, { ...load, at: load.at - minutes * 60_000 })
        }))
        late.browser.jar.set("__Host-svc_session", session)
        const answer = yield* late.browser.ask(back)
        if (status === 403) yield* assertRefused(late.browser, answer, late.subject)
        else assert.strictEqual(answer.status, status, answer.text)
      }

      const changed = yield* welcome
      const way = new URL(yield* changed.browser.away(changed.subject), changed.browser.base)
      way.searchParams.set("state", "x".repeat(43))
      yield* assertRefused(changed.browser, yield* changed.browser.ask(pathOf(way)), changed.subject)

      const repeated = yield* welcome
      const once = yield* repeated.browser.away(repeated.subject)
      const before = new Map(repeated.browser.jar)
      assert.strictEqual((yield* repeated.browser.ask(once)).status, 303)
      const signedIn = repeated.browser.jar.get("__Host-svc_session")
      const second = yield* repeated.browser.ask(once)
      assert.strictEqual(second.status, 403)
      // A replay signs nobody out.
      assert.strictEqual(repeated.browser.jar.get("__Host-svc_session"), signedIn)
      // Even with the cookie from before, the provider knows that the code was used.
      const thief = browse(service)
      for (const [name, value] of before) thief.jar.set(name, value)
      assert.strictEqual((yield* thief.ask(once)).status, 403)
      assert.isUndefined(yield* thief.me)
    }))

  it.effect("refuses a wrong nonce, a wrong PKCE challenge, another issuer, an error of the provider, a code of its own making", () =>
    Effect.gen(function*() {
      const changes: ReadonlyArray<(url: URL) => void> = [
        (url) => url.searchParams.set("nonce", "another-nonce"),
        (url) => url.searchParams.set("code_challenge", "x".repeat(43))
      ]
      for (const change of changes) {
        const { browser, subject } = yield* welcome
        yield* assertRefused(browser, yield* there(browser, subject, { change }), subject)
      }
      const denied = yield* welcome
      const back = yield* denied.browser.away(undefined)
      assert.include(back, "error=access_denied")
      yield* assertRefused(denied.browser, yield* denied.browser.ask(back), denied.subject)

      for (const [name, value] of [["iss", "https://elsewhere.example.com"], ["code", "made-up"]] as const) {
        const { browser, subject } = yield* welcome
        const way = new URL(yield* browser.away(subject), browser.base)
        way.searchParams.set(name, value)
        yield* assertRefused(browser, yield* browser.ask(pathOf(way)), subject)
      }
    }))

  it.effect("refuses an ID token that somebody else signed, and what the provider says of somebody else", () =>
    Effect.gen(function*() {
      const { browser, subject } = yield* welcome
      provider.forge(true)
      yield* assertRefused(browser, yield* Effect.ensuring(there(browser, subject), Effect.sync(() => provider.forge(false))), subject)
      assert.strictEqual((yield* there(browser, subject)).status, 303)

      const [known, other] = [yield* welcome, person()]
      provider.people.set(other.subject, { ...provider.people.get(known.subject), userinfoSubject: known.subject })
      const stranger = browse(yield* Service)
      yield* assertRefused(stranger, yield* there(stranger, other.subject), other.subject)
      assert.strictEqual((yield* there(known.browser, known.subject)).status, 303)
    }))

  it.effect("shows a browser that is refused a page with the way back to the sign-in, under the same status", () =>
    Effect.gen(function*() {
      const { browser, subject } = yield* welcome
      const back = yield* browser.away(undefined, { path: "/v1/auth/idp?next=%2Faccount%3Fa%3D1" })
      const answer = yield* browser.ask(back, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } })
      assert.deepStrictEqual([answer.status, answer.headers["content-type"]], [403, "text/html; charset=utf-8"])
      assert.include(answer.text, `href="${browser.base}/login?next=%2Faccount%3Fa%3D1"`)
      assert.isFalse(browser.jar.has("__Host-svc_session"))
      // The intent was deleted with the attempt.
      const again = yield* browser.ask(back, { headers: { accept: "text/html" } })
      assert.include(again.text, `href="${browser.base}/login"`)
      const program = yield* browser.ask(back, { headers: { accept: "application/json, text/html;q=0.5" } })
      assert.deepStrictEqual([program.status, program.json.error.code], [403, "forbidden"])
      assert.isUndefined(yield* linkedTo(yield* Service, subject))
    }))

  it.effect("links the account that is signed in, asking for a fresh proof, and unlinks it again", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const { subject } = person()
      const browser = browse(service)
      const { csrf_token } = (yield* browser.login(account)).json
      const unlink = (headers: Record<string, string> = { "x-csrf-token": csrf_token }) =>
        browser.ask("/v1/auth/idp/unlink", { method: "POST", headers })

      const early = yield* unlink()
      assert.strictEqual(early.status, 409)
      assert.strictEqual(early.json.error.code, "conflict")

      let prompt: string | null = null
      const back = yield* browser.away(subject, { ...LINK, change: (url) => (prompt = url.searchParams.get("prompt")) })
      assert.strictEqual(prompt, "login")
      // A person stays signed in while at the provider.
      assert.deepInclude(yield* browser.me, { id: account.id, idp_linked: false })
      const linked = yield* browser.ask(back)
      assert.strictEqual(linked.status, 303)
      assert.strictEqual(linked.headers.location, `${browser.base}/settings?idp_linked=1`)
      assert.deepInclude(yield* browser.me, { id: account.id, idp_linked: true })

      // The intent is gone: the same callback is refused now, and the session goes on.
      assert.strictEqual((yield* browser.ask(back)).status, 403)
      // Linking the same identity again changes nothing.
      assert.include((yield* there(browser, subject, LINK)).headers.location!, "idp_linked=1")
      const elsewhere = browse(service)
      assert.strictEqual((yield* there(elsewhere, subject)).status, 303)
      assert.deepInclude(yield* elsewhere.me, { id: account.id })

      assert.strictEqual((yield* unlink({})).json.error.details.reason, "csrf")
      assert.strictEqual((yield* service.ask("/v1/auth/idp/unlink", { method: "POST", headers: account.bearer })).status, 401)
      yield* withoutPassword(service, account)
      assert.strictEqual((yield* unlink()).status, 409)
      assert.isFalse(yield* service.inside(IdpStore.use((store) => store.unlink(account.id))), "nor without a password by now")
      const passwords = SqlClient.SqlClient.use((sql) => sql`UPDATE users SET password_hash = 'some' WHERE id = ${account.id}`)
      yield* Effect.orDie(service.inside(passwords))
      const done = yield* unlink()
      assert.deepStrictEqual(done.json, { status: "ok" })
      assert.deepInclude(yield* browser.me, { id: account.id, idp_linked: false })
      const after = browse(service)
      yield* assertRefused(after, yield* there(after, subject), subject)
    }))

  it.effect("tells the settings page why a link failed, and leaves no intent behind", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const fails = (subject: string | undefined, code: string, spoil?: (browser: Browser, account: Account) => Effect.Effect<unknown>) =>
        Effect.gen(function*() {
          const account = yield* service.account()
          const browser = browse(service)
          yield* browser.login(account)
          const back = yield* browser.away(subject, LINK)
          if (spoil !== undefined) yield* spoil(browser, account)
          const answer = yield* browser.ask(back)
          assert.strictEqual(answer.status, 303)
          assert.strictEqual(answer.headers.location, `${browser.base}/settings?idp_link_error=${code}`)
          assert.strictEqual((yield* browser.ask(back)).status, 403, "no intent is left")
          return browser
        })

      const browser = yield* fails(undefined, "forbidden")
      assert.isFalse((yield* browser.me).idp_linked)
      const unverified = person({ email_verified: false })
      yield* fails(unverified.subject, "email_not_verified")
      assert.isUndefined(yield* linkedTo(service, unverified.subject))

      const theirs = person()
      const owner = yield* service.account({ email: theirs.email })
      yield* withoutPassword(service, owner)
      assert.strictEqual((yield* there(browse(service), theirs.subject)).status, 303)
      yield* fails(theirs.subject, "conflict")

      const late = person()
      yield* fails(late.subject, "auth_required", (_browser, account) =>
        Effect.orDie(service.inside(SqlClient.SqlClient.use((sql) =>
          sql`UPDATE users SET session_epoch = session_epoch + 1 WHERE id = ${account.id}`))))
      assert.isUndefined(yield* linkedTo(service, late.subject))

      // An account has one identity: a second one is refused until the first is unlinked.
      const [first, second] = [person(), person()]
      const one = browse(service)
      yield* one.login(yield* service.account())
      yield* there(one, first.subject, LINK)
      assert.include((yield* there(one, second.subject, LINK)).headers.location!, "idp_link_error=conflict")
      assert.isUndefined(yield* linkedTo(service, second.subject))
    }))

  it.effect("of two identities that are linked to one account at once, one is", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const ways = yield* Effect.forEach([person(), person()], ({ subject }) =>
        Effect.gen(function*() {
          const browser = browse(service)
          yield* browser.login(account)
          return { back: yield* browser.away(subject, LINK), browser, subject }
        }))
      const told = yield* Effect.forEach(ways, ({ back, browser }) => browser.ask(back), { concurrency: "unbounded" })
      assert.sameMembers(told.map(({ headers }) => new URL(headers.location!).search), ["?idp_linked=1", "?idp_link_error=conflict"])
      const linked = yield* Effect.forEach(ways, ({ subject }) => linkedTo(service, subject))
      assert.deepStrictEqual(linked, told.map(({ headers }) => headers.location!.endsWith("?idp_linked=1") ? account.email : undefined))
    }))

  it.effect("an account that is to be erased is opened by nobody’s identity, and once it is back by its own", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const { subject } = person()
      const browser = browse(service)
      yield* browser.login(account)
      assert.include((yield* there(browser, subject, LINK)).headers.location!, "idp_linked=1")
      const changed = (change: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) => service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(change(sql))))
      yield* changed((sql) => toBeErased(sql, account.id))
      const meanwhile = browse(service)
      const refused = yield* there(meanwhile, subject)
      assert.deepStrictEqual([refused.status, refused.json.error.code, [...meanwhile.jar.keys()]], [403, "forbidden", []])
      yield* changed((sql) => sql`UPDATE users SET deletion_id = NULL WHERE id = ${account.id}`)
      assert.strictEqual((yield* there(meanwhile, subject)).status, 303)
      assert.deepInclude(yield* meanwhile.me, { id: account.id })
    }))

  it.effect("a link intent is its user’s: whoever signs in meanwhile gets no link", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [mine, theirs] = [yield* service.account(), yield* service.account()]
      const { subject } = person()
      const browser = browse(service)
      yield* browser.login(mine)
      const back = yield* browser.away(subject, LINK)
      yield* browser.login(theirs)
      assert.strictEqual((yield* browser.ask(back)).status, 403)
      assert.deepInclude(yield* browser.me, { id: theirs.id, idp_linked: false })
      assert.isUndefined(yield* linkedTo(service, subject))
    }))

  it.effect("links for a session alone: leads others to the login page, and refuses another origin", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const browser = browse(service)
      const login = `${browser.base}/login?next=%2Fsettings`
      for (const headers of [{}, account.bearer]) {
        const answer = yield* browser.ask("/v1/auth/idp/link", { headers })
        assert.strictEqual(answer.status, 303)
        assert.strictEqual(answer.headers.location, login)
        assert.isUndefined(answer.headers["set-cookie"])
      }
      yield* browser.login(account)
      const beside = yield* browser.ask("/v1/auth/idp/link", { headers: { authorization: "Bearer junk" } })
      assert.strictEqual(beside.headers.location, login)
      for (const site of ["cross-site", "same-site"]) {
        const begun = yield* browser.ask("/v1/auth/idp/link", { headers: { "sec-fetch-site": site } })
        assert.deepStrictEqual([begun.status, begun.headers["set-cookie"]], [403, undefined], site)
      }
      // An app on another origin begins with a POST that carries the session's token, and then navigates the browser itself.
      const forged = yield* browser.ask("/v1/auth/idp/link", { method: "POST" })
      assert.deepStrictEqual([forged.status, forged.json.error.details.reason, forged.headers["set-cookie"]], [403, "csrf", undefined])
      const csrf = (yield* browser.ask("/v1/auth/csrf")).json.csrf_token as string
      const started = yield* browser.ask("/v1/auth/idp/link", { method: "POST", headers: { "x-csrf-token": csrf, "sec-fetch-site": "cross-site" } })
      assert.strictEqual(new URL(started.json.redirect_to).origin, provider.issuer)
      assert.isDefined(started.headers["set-cookie"])
      for (const site of ["same-origin", "none"]) {
        assert.strictEqual((yield* browser.ask("/v1/auth/idp/link", { headers: { "sec-fetch-site": site } })).status, 303)
      }
    }))

  it.effect("a provider's subject is nobody whom another provider calls the same, and takes over what was linked there by its address alone", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const sql = yield* service.inside(SqlClient.SqlClient)
      const linkOf = ({ id }: Account) => Effect.orDie(Effect.map(sql`SELECT idp_sub AS sub, idp_issuer AS issuer FROM users WHERE id = ${id}`, ([row]) => row))
      const [former, issuer] = [person(), "https://former.example.com/"]
      const [locked, open] = [yield* service.account(), yield* service.account({ email: former.email })]
      const reader = browse(service)
      yield* reader.login(locked)
      const linked = yield* there(reader, former.subject, LINK)
      assert.include(linked.headers.location!, "idp_linked=1")
      yield* Effect.orDie(sql`UPDATE users SET idp_issuer = ${issuer} WHERE id = ${locked.id}`)
      yield* Effect.orDie(sql`UPDATE users SET idp_issuer = ${issuer}, idp_sub = 'as called there', password_hash = NULL WHERE id = ${open.id}`)
      assert.isFalse((yield* reader.me).idp_linked)
      const csrf = (yield* reader.ask("/v1/auth/csrf")).json.csrf_token as string
      const unlinked = yield* reader.ask("/v1/auth/idp/unlink", { method: "POST", headers: { "x-csrf-token": csrf } })
      assert.strictEqual(unlinked.status, 409)

      // The number of one is the number of another now, who comes in by the address of an account without a password.
      const other = browse(service)
      assert.strictEqual((yield* there(other, former.subject)).status, 303)
      assert.deepInclude(yield* other.me, { id: open.id, idp_linked: true })
      assert.deepStrictEqual([yield* linkOf(locked), yield* linkOf(open)], [{ sub: former.subject, issuer }, { sub: former.subject, issuer: null }])

      // An account with a password is linked again by whoever is signed in to it.
      const { email, subject } = person({ email: locked.email })
      assert.strictEqual((yield* there(browse(service), subject)).status, 403, email)
      assert.include((yield* there(reader, subject, LINK)).headers.location!, "idp_linked=1")
      assert.deepStrictEqual(yield* linkOf(locked), { sub: subject, issuer: null })
      const again = browse(service)
      yield* there(again, subject)
      assert.deepInclude(yield* again.me, { id: locked.id })

      const accounts = yield* service.inside(AccountStore)
      yield* Effect.orDie(sql`UPDATE users SET idp_issuer = ${issuer} WHERE id = ${locked.id} OR id = ${open.id}`)
      yield* accounts.leaveOnlyPassword(UserId.make(locked.id), "hash")
      yield* accounts.dropWaysIn(UserId.make(open.id))
      assert.deepStrictEqual([yield* linkOf(locked), yield* linkOf(open)], [{ sub: null, issuer: null }, { sub: null, issuer: null }])
    }))

  it.effect("links of before issuers were kept are those of the first provider ever, whichever instances start at once and with whatever later", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const starting = (issuer: string | undefined, signsIn?: boolean) =>
        service.inside(Effect.scoped(Effect.map(Layer.build(Layer.fresh(IssuerSql(issuer, signsIn))), (built) => Context.get(built, Issuer).named)))
      assert.deepStrictEqual(yield* Effect.forEach([provider.issuer, `${provider.issuer}/`, `${provider.issuer}/later`], (issuer) => starting(issuer)), [null, null, `${provider.issuer}/later`])
      const first = (issuer: string | null) => service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`UPDATE deployment SET idp_issuer = ${issuer}`)))
      yield* first(null)
      // Under none, links of before are nobody's from then on; a worker needs none and says nothing.
      yield* starting(undefined, false)
      assert.isNull(yield* starting(provider.issuer))
      yield* first(null)
      yield* starting(undefined)
      assert.strictEqual(yield* starting(provider.issuer), `${provider.issuer}/`)
      yield* first(null)
      const many = Array.from({ length: 12 }, (_, at) => `https://${at % 3}.example.com`)
      const named = yield* Effect.forEach(many, (issuer) => starting(issuer), { concurrency: "unbounded" })
      yield* first(`${provider.issuer}/`)
      const adopting = many.filter((_, at) => named[at] === null)
      assert.deepStrictEqual([adopting.length, new Set(adopting).size], [4, 1])
    }))

  it.effect("gives one account to any number of ways in at once", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email, subject } = person()
      yield* invite(service, yield* service.account(), email)
      const ways = yield* Effect.forEach(Array.from({ length: 12 }), () => {
        const browser = browse(service)
        return Effect.map(browser.away(subject), (back) => ({ back, browser }))
      })
      const answers = yield* Effect.forEach(ways, ({ back, browser }) => browser.ask(back), { concurrency: "unbounded" })
      assert.isTrue(answers.every(({ status }) => status === 303 || status === 403), answers.map(({ status }) => status).join())
      assert.isTrue(answers.some(({ status }) => status === 303))
      assert.strictEqual(yield* linkedTo(service, subject), email)
    }))

  it.effect("a provider that is away is a 503, and its way back is used up", () =>
    Effect.gen(function*() {
      const { browser, subject } = yield* welcome
      const back = yield* browser.away(subject)
      provider.away(true)
      const answer = yield* Effect.ensuring(browser.ask(back), Effect.sync(() => provider.away(false)))
      assert.strictEqual(answer.status, 503)
      assert.strictEqual(answer.json.error.code, "unavailable")
      assert.isFalse(browser.jar.has("__Host-svc_session"))
      assert.strictEqual((yield* browser.ask(back)).status, 403)
      // It may say so itself, by way of the browser.
      const told = new URL(yield* browser.away(undefined), browser.base)
      told.searchParams.set("error", "temporarily_unavailable")
      assert.strictEqual((yield* browser.ask(pathOf(told))).json.error.code, "unavailable")
      assert.strictEqual((yield* there(browser, subject)).status, 303)
    }))
})

layer(serviceWith(configured(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`)), { excludeTestServices: true })(
  "a provider that says nothing",
  (it) => {
    it.effect("is a 503 in good time, to everybody at once", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const started = Date.now()
        const answers = yield* Effect.forEach(Array.from({ length: 8 }), () => service.ask("/v1/auth/idp"), { concurrency: "unbounded" })
        for (const answer of answers) {
          assert.strictEqual(answer.status, 503)
          assert.strictEqual(answer.json.error.code, "unavailable")
          assert.isUndefined(answer.headers["set-cookie"])
        }
        // One after another they would take half a minute.
        assert.isBelow(Date.now() - started, 16_000)
      }))
  }
)

layer(serviceWith({ SVC_IDP_ISSUER: provider.issuer, SVC_IDP_CLIENT_ID: CLIENT.id }), { excludeTestServices: true })(
  "without all of SVC_IDP_*",
  (it) => {
    it.effect("is 503 oauth_not_configured, and nothing comes back from nowhere", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const browser = browse(service)
        yield* browser.login(yield* service.account())
        for (const path of ["/v1/auth/idp", "/v1/auth/idp/link"]) {
          const answer = yield* browser.ask(path)
          assert.strictEqual(answer.status, 503)
          assert.strictEqual(answer.json.error.code, "oauth_not_configured")
          // No Retry-After: a client that retries by itself would never end.
          assert.isUndefined(answer.headers["retry-after"])
          assert.isUndefined(answer.headers["set-cookie"])
        }
        assert.strictEqual((yield* browser.ask("/v1/auth/idp/callback?code=a&state=b")).status, 403)
      }))
  }
)
