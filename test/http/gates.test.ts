/** The ways into a project over the wire: what a reader's browser goes through, who is turned away and how. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { WorkspaceStore } from "../../src/domain/workspaces/store.ts"
import { cookiesOf } from "../support/ask.ts"
import type { Question } from "../support/ask.ts"
import { mailTo } from "../support/mail.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"

const BODY = "nobody else may read this"
const READER = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36" }
const APP = "http://app.example.test"

/** An address as a client requests it: its host, and its path. */
const target = (address: string) => {
  const { hostname, pathname, search } = new URL(address)
  return { host: hostname, path: pathname + search }
}

const session = (account: Account) =>
  Service.use(({ ask }) => ask("/v1/auth/login", { json: { email: account.email, password: PASSWORD } })).pipe(Effect.map(cookiesOf))

const at = (slug: string, path: string, { headers, ...question }: Question = {}) =>
  Service.use(({ ask }) => ask(path, { ...question, host: `${slug}.svc.localhost`, headers: { ...READER, ...headers } }))

const published = Effect.fnUntraced(function*(account: Account, slug: string, settings: { readonly visibility: string; readonly password?: string }) {
  const { ask } = yield* Service
  const made = yield* ask(`/v1/projects/${slug}`, { method: "PUT", body: BODY, headers: { ...account.bearer, "content-type": "text/html" } })
  assert.strictEqual(made.status, 201, made.text)
  const changed = yield* ask(`/v1/projects/${slug}`, { method: "PATCH", json: settings, headers: account.bearer })
  assert.strictEqual(changed.status, 200, changed.text)
})

const typed = (slug: string, password: string, next = "/", headers: Record<string, string> = {}) =>
  at(slug, "/_svc/gate/password", {
    method: "POST",
    body: new URLSearchParams({ password, next }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers }
  })

layer(serviceWith(), { excludeTestServices: true })("gates", (it) => {
  it.effect("a doorcode opens what its reader wanted, and no other project", () =>
    Effect.gen(function*() {
      const owner = yield* (yield* Service).account()
      yield* published(owner, "proposal", { visibility: "password", password: "open-sesame" })
      yield* published(owner, "other", { visibility: "password", password: "O\u0308ffne dich" })
      const closed = yield* at("proposal", "/?page=2")
      assert.strictEqual(closed.status, 401)
      assert.notInclude(closed.text, BODY)
      assert.strictEqual((yield* typed("proposal", "Open-Sesame")).status, 401)
      const opened = yield* typed("proposal", "open-sesame", "/?page=2")
      assert.deepStrictEqual([opened.status, opened.headers.location], [303, "/?page=2"])
      const cookie = cookiesOf(opened)
      const read = yield* at("proposal", "/?page=2", { headers: { cookie } })
      assert.deepStrictEqual([read.status, read.text], [200, BODY])
      assert.strictEqual((yield* at("other", "/", { headers: { cookie } })).status, 401)
      assert.deepStrictEqual([(yield* typed("other", "open-sesame")).status, (yield* typed("other", "Öffne dich")).status], [401, 303])
      // A publish that says the same lets its readers stay; once one has closed the project, the next has its doorcode asked again.
      const again = Effect.fnUntraced(function*(visibility: string) {
        yield* (yield* Service).ask(`/v1/projects/proposal?visibility=${visibility}`, { method: "PUT", body: BODY, headers: { ...owner.bearer, "content-type": "text/html" } })
        return (yield* at("proposal", "/", { headers: { cookie } })).status
      })
      assert.deepStrictEqual([yield* again("password"), yield* again("private"), yield* again("password")], [200, 403, 401])
    }))

  it.effect("tries are counted by the connection's address, whatever it says of itself", () =>
    Effect.gen(function*() {
      const owner = yield* (yield* Service).account()
      yield* published(owner, "guessed", { visibility: "password", password: "open-sesame" })
      const codes = yield* Effect.forEach(Array.from({ length: 11 }), (_, index) =>
        Effect.map(typed("guessed", "wrong", "/", { "x-forwarded-for": `10.0.0.${index}` }), ({ status }) => status))
      assert.deepStrictEqual(codes, [...Array.from({ length: 10 }, () => 401), 429])
      const refused = yield* typed("guessed", "open-sesame")
      assert.strictEqual(refused.status, 429)
      assert.isAbove(Number(refused.headers["retry-after"]), 0)
      assert.isUndefined(refused.headers["set-cookie"])
    }))

  it.effect("a member signs in, comes back, and is let in once by what travels in the address", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account()
      yield* published(owner, "inside", { visibility: "private" })
      const { host, path } = target(/class="button" href="([^"]+)"/.exec((yield* at("inside", "/?a=1&b=2")).text)![1]!.replaceAll("&amp;", "&"))
      assert.strictEqual(host, "svc.localhost")

      const login = yield* service.ask(path)
      assert.strictEqual(login.status, 303)
      assert.strictEqual(target(login.headers.location!).path, `/login?${new URLSearchParams({ next: path }).toString()}`)
      const signedIn = yield* service.ask("/v1/auth/login", { json: { email: owner.email, password: PASSWORD } })

      const over = yield* service.ask(path, { headers: { cookie: cookiesOf(signedIn) } })
      assert.deepStrictEqual([over.status, over.headers["cache-control"], over.headers["referrer-policy"]], [303, "no-store", "no-referrer"])
      const entry = target(over.headers.location!)
      assert.strictEqual(entry.host, "inside.svc.localhost")
      const entered = yield* at("inside", entry.path)
      assert.deepStrictEqual([entered.status, entered.headers.location], [303, "/?a=1&b=2"])
      assert.strictEqual((yield* at("inside", "/", { headers: { cookie: cookiesOf(entered) } })).text, BODY)
      const again = yield* at("inside", entry.path)
      assert.deepStrictEqual([again.status, again.headers["set-cookie"]], [401, undefined])

      // The longest possible path survives every step, with a query beside it.
      const long = `/${"%E4%B8%AD".repeat(341)}?re=\\d`
      const gate = target(/class="button" href="([^"]+)"/.exec((yield* at("inside", long)).text)![1]!.replaceAll("&amp;", "&")).path
      assert.strictEqual((yield* service.ask(target((yield* service.ask(gate)).headers.location!).path)).status, 200)
      const back = yield* service.ask(gate, { headers: { cookie: cookiesOf(signedIn) } })
      assert.strictEqual((yield* at("inside", target(back.headers.location!).path)).headers.location, long)
    }))

  it.effect("a link to a document opens a public one for everybody, as a member for members, and a closed one for members only", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account()
      yield* published(owner, "linked", { visibility: "public" })
      yield* published(owner, "unlinked", { visibility: "private" })
      const link = (slug: string, cookie = "") => service.ask(`/v1/gate/member?slug=${slug}&next=/a%3Fb&way=open`, { headers: { cookie } })
      const own = `http://linked.svc.localhost:${service.port}`
      const { headers, status } = yield* link("linked")
      assert.deepStrictEqual([status, headers.location], [303, `${own}/a?b`])
      assert.isTrue((yield* link("linked", yield* session(owner))).headers.location!.startsWith(`${own}/_svc/gate/member?t=`))
      assert.include((yield* link("unlinked")).headers.location, "/login?next=")
      for (const next of ["//evil.example", "/\\evil.example", "https://evil.example/", "@evil.example", ".evil.example", "/.//evil.example"]) {
        const led = yield* service.ask(`/v1/gate/member?${new URLSearchParams({ slug: "linked", next, way: "open" }).toString()}`)
        assert.deepStrictEqual([led.status, new URL(led.headers.location!).origin], [303, own], next)
      }
    }))

  it.effect("nobody else comes in that way: no session, a bearer, a stranger, a removed member", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [owner, stranger] = [yield* service.account(), yield* service.account()]
      yield* published(owner, "shut", { visibility: "private" })
      const gate = (headers: Record<string, string>, slug = "shut") => service.ask(`/v1/gate/member?slug=${slug}&next=/`, { headers })
      for (const headers of [{}, owner.bearer, { cookie: "svc_session=x" }]) {
        const answer = yield* gate(headers)
        assert.deepStrictEqual([answer.status, target(answer.headers.location!).path.split("?")[0]], [303, "/login"])
      }
      const cookie = yield* session(stranger)
      const refused = yield* gate({ cookie })
      assert.strictEqual(refused.status, 403)
      assert.include(refused.text, stranger.email)
      // No project can be called so: nobody need sign in to hear that. A way back that no header carries is none.
      const endless = "%C3%A9".repeat(2_000)
      for (const path of [`member?slug=${endless}`, `comment?slug=${endless}`, "member?slug=", "comment?slug=%00"]) assert.strictEqual((yield* service.ask(`/v1/gate/${path}`)).status, 404, path)
      for (const gate of ["member", "comment"]) {
        const { path } = target((yield* service.ask(`/v1/gate/${gate}?slug=shut&next=/${endless}`)).headers.location!)
        assert.strictEqual(path, `/login?${new URLSearchParams({ next: `/v1/gate/${gate}?slug=shut&next=%2F` }).toString()}`)
      }
      for (const slug of ["no-such-slug", "", "%00", "shut&slug=shut"]) {
        const missing = yield* gate({ cookie }, slug)
        assert.deepStrictEqual([missing.status, missing.headers["content-type"]], [404, "text/html; charset=utf-8"], slug)
      }
      for (const [path, status, told] of [["member?slug=shut", 403, "forbidden"], ["member?slug=no-such-slug", 404, "not_found"], ["comment?slug=no-such-slug", 404, "not_found"]] as const) {
        const program = yield* service.ask(`/v1/gate/${path}&next=/`, { headers: { cookie, accept: "application/json" } })
        assert.deepStrictEqual([program.status, program.json?.error.code, program.headers["cache-control"]], [status, told, "no-store"], path)
      }
      yield* service.inside(WorkspaceStore.use((workspaces) =>
        Effect.flatMap(DateTime.now, (now) => workspaces.join(stranger.id, { workspaceId: owner.workspaceId, role: "member", isOwner: false }, now))))
      assert.strictEqual((yield* gate({ cookie })).status, 303)
      for (const authorization of [owner.bearer.authorization, "Bearer junk"]) {
        assert.strictEqual(target((yield* gate({ cookie, authorization })).headers.location!).path.split("?")[0], "/login", "judged by the header alone")
      }
    }))

  it.effect("a share link leads to a clean address; its maker hears of the first open, once", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account()
      yield* published(owner, "shared", { visibility: "private" })
      yield* published(owner, "foreign", { visibility: "private" })
      const json = { label: "Acme", expires_in_days: 7, notify_on_first_open: true }
      const { share_url, token } = (yield* service.ask("/v1/projects/shared/share-links", { json, headers: owner.bearer })).json
      const { path } = target(share_url)
      assert.include(path, token)
      const [unopened] = (yield* service.ask("/v1/projects/shared/share-links", { headers: owner.bearer })).json
      assert.deepStrictEqual([unopened.view_count, unopened.first_opened_at], [0, null])

      const opens = yield* Effect.forEach(Array.from({ length: 200 }), () => at("shared", path), { concurrency: 50 })
      for (const { headers, status } of opens) {
        assert.deepStrictEqual([status, headers.location, headers["referrer-policy"]], [303, "/", "no-referrer"])
        assert.notInclude(JSON.stringify(headers), token)
      }
      const cookie = cookiesOf(opens[0]!)
      assert.strictEqual((yield* at("shared", "/", { headers: { cookie } })).text, BODY)
      const [link] = (yield* service.ask("/v1/projects/shared/share-links", { headers: owner.bearer })).json
      assert.strictEqual(link.view_count, 200)
      assert.isNotNull(link.first_opened_at)
      yield* mailTo(service, owner.email)
      assert.lengthOf(yield* mailTo(service, owner.email), 1)

      const again = yield* at("shared", path, { headers: { cookie } })
      assert.deepStrictEqual([again.status, again.headers.location, again.headers["set-cookie"]], [303, "/", undefined])

      const wrong = yield* at("shared", "/_svc/gate/share?t=wrong", { headers: { "x-request-id": "one-request" } })
      const foreign = yield* at("foreign", path, { headers: { "x-request-id": "one-request" } })
      assert.deepStrictEqual([wrong.status, foreign.status, foreign.text], [404, 404, wrong.text])
      assert.strictEqual((yield* at("foreign", "/", { headers: { cookie } })).status, 403)
    }))

  it.effect("whoever signs in to comment comes back to the place they came from, member or not, and nowhere else", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [owner, stranger] = [yield* service.account(), yield* service.account()]
      yield* published(owner, "reviewed", { visibility: "password", password: "open-sesame" })
      const project = `http://reviewed.svc.localhost:${service.port}`
      const gate = (slug: string, next: string, cookie?: string) =>
        service.ask(`/v1/gate/comment?${new URLSearchParams({ slug, next }).toString()}`, { headers: cookie === undefined ? {} : { cookie } })
      const unknown = target((yield* gate("reviewed", "/a?b=1#c")).headers.location!)
      assert.strictEqual(unknown.path, `/login?${new URLSearchParams({ next: "/v1/gate/comment?slug=reviewed&next=%2Fa%3Fb%3D1%23c" }).toString()}`)
      const isNew = yield* service.ask("/v1/gate/comment?slug=reviewed&next=/&new=1")
      assert.strictEqual(target(isNew.headers.location!).path, `/signup?${new URLSearchParams({ next: "/v1/gate/comment?slug=reviewed&next=%2F" }).toString()}`)
      for (const account of [owner, stranger]) {
        const cookie = yield* session(account)
        const back = yield* gate("reviewed", "/a?b=1#c", cookie)
        assert.deepStrictEqual([back.status, back.headers.location, back.headers["referrer-policy"]], [303, `${project}/a?b=1#c`, "no-referrer"])
        // It gives no access: the door decides.
        assert.strictEqual((yield* at("reviewed", "/")).status, 401)
        for (const next of ["//evil.example", "/\\evil.example", "https://evil.example/", "@evil.example", ".evil.example", "/.//evil.example", "/\r\nx: y", "/中"]) {
          const { headers, status } = yield* gate("reviewed", next, cookie)
          assert.deepStrictEqual([status, new URL(headers.location!).origin], [303, project], next)
        }
        for (const slug of ["no-such-project", "svc--frame", "evil.example/", "", "reviewed.evil"]) assert.strictEqual((yield* gate(slug, "/", cookie)).status, 404, slug)
      }
    }))

  it.effect("a database that is away is a moment's trouble at every gate", () =>
    Effect.gen(function*() {
      const service = yield* Service
      yield* published(yield* service.account(), "away", { visibility: "password", password: "open-sesame" })
      yield* service.database.away
      for (const answer of [yield* typed("away", "open-sesame"), yield* at("away", "/_svc/gate/share?t=x"), yield* at("away", "/_svc/gate/member?t=x")]) {
        assert.deepStrictEqual([answer.status, answer.headers["retry-after"]], [503, "2"])
        assert.include(answer.text, "Out of reach for a moment")
      }
      yield* service.database.back
      assert.strictEqual((yield* typed("away", "open-sesame")).status, 303)
    }))
})

layer(serviceWith({ SVC_APP_URL: APP }), { excludeTestServices: true })("gates, with the app elsewhere", (it) => {
  it.effect("sign in there, and come back here", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const here = `http://svc.localhost:${service.port}`
      const { headers } = yield* service.ask("/v1/gate/member?slug=any&next=/a%3Fb")
      const login = new URL(headers.location!)
      assert.strictEqual(login.origin + login.pathname, `${APP}/login`)
      assert.strictEqual(login.searchParams.get("next"), `${here}/v1/gate/member?slug=any&next=%2Fa%3Fb`)
    }))
})
