/** A credential revoked while its request is still arriving changes nothing: it is checked again as the work begins. What a session opened ends with it. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { request } from "node:http"
import { text } from "node:stream/consumers"
import { setTimeout as wait } from "node:timers/promises"
import { Seals } from "../../src/domain/ports/seals.ts"
import { MOMENT_MS } from "../../src/http/server/middleware/authentication.ts"
import { cookiesOf } from "../support/ask.ts"
import { commented, onOrigin, verdict } from "../support/commented.ts"
import { openEvents } from "../support/event-stream.ts"
import { locked, waiting } from "../support/locked.ts"
import { mailTo, tokenIn } from "../support/mail.ts"
import { eventually } from "../support/program.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"

/** Sends all but the last byte of a body; the returned function sends that one. */
const begin = (port: number, [method, path, type, body]: readonly [string, string, string, string], headers: Record<string, string>) => {
  const outgoing = request({
    host: "127.0.0.1", port, method, path, agent: false,
    headers: { host: `svc.localhost:${port}`, "content-type": type, "content-length": String(body.length), ...headers }
  })
  const answer = new Promise<{ status: number; body: string }>((resolve, reject) => {
    outgoing.on("response", (response) => void text(response).then((body) => resolve({ status: response.statusCode!, body }), reject))
    outgoing.on("error", reject)
  })
  outgoing.write(body.slice(0, -1))
  return () => {
    outgoing.end(body.slice(-1))
    return answer
  }
}

const JSONS = "application/json"
const ways = (slug: string): Readonly<Record<string, readonly [string, string, string, string]>> => ({
  "invite an admin": ["POST", "/v1/workspace/invites", JSONS, JSON.stringify({ email: `stranger-${slug}@example.com`, role: "admin" })],
  "make it public": ["PATCH", `/v1/projects/${slug}`, JSONS, JSON.stringify({ visibility: "public" })],
  "a share link": ["POST", `/v1/projects/${slug}/share-links`, JSONS, JSON.stringify({ label: "x" })],
  "another page": ["PUT", `/v1/projects/${slug}`, "text/html", "<h1>not by its owner</h1>"],
  "an agent’s tool": ["POST", "/mcp", JSONS, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_projects", arguments: {} } })],
  "an administrator’s call": ["POST", "/rpc", "application/ndjson", `${JSON.stringify({ _tag: "Request", id: "1", tag: "statistics", payload: null, headers: [] })}\n`]
})

/** These take tokens alone. */
const BY_TOKEN: ReadonlySet<string> = new Set(["an agent’s tool", "an administrator’s call"])

const ADMIN = "operator@example.com"

layer(serviceWith({ SVC_TRUSTED_PROXY_HOPS: "1", SVC_PLATFORM_ADMINS: ADMIN }), { excludeTestServices: true })("what was on its way when everything was revoked", (it) => {
  it.effect("comes to nothing, by session and by token, at every door", () =>
    Effect.gen(function*() {
      const service = yield* Service
      let at = 0
      for (const way of Object.keys(ways("x"))) {
        for (const by of ["token", "session"] as const) {
          if (BY_TOKEN.has(way) && by === "session") continue
          const slug = `secret-${++at}`
          const account = yield* service.account(way === "an administrator’s call" ? { email: ADMIN } : {})
          const made = yield* service.ask(`/v1/projects/${slug}?visibility=private`, { method: "PUT", body: "<h1>secret</h1>", headers: { ...account.bearer, "content-type": "text/html" } })
          assert.strictEqual(made.status, 201, made.text)
          const login = yield* service.ask("/v1/auth/login", { json: { email: account.email, password: PASSWORD }, headers: { "x-forwarded-for": `10.3.0.${at}` } })
          const session = { cookie: cookiesOf(login), "x-csrf-token": login.json.csrf_token }
          const credential = by === "session" ? session : account.bearer
          const end = begin(service.port, ways(slug)[way]!, { ...credential, accept: "application/json, text/event-stream" })
          yield* Effect.promise(() => wait(MOMENT_MS))
          yield* service.ask("/v1/auth/password-reset", { json: { email: account.email } })
          const [mail] = yield* mailTo(service, account.email, 1)
          const reset = yield* service.ask("/v1/auth/password-reset/confirm", {
            json: { token: tokenIn(mail!.links), password: "another long phrase entirely" }, headers: { "x-forwarded-for": `10.3.1.${at}` }
          })
          assert.strictEqual(reset.status, 200, reset.text)
          // However late a busy machine read the head, it is longer ago than a moment by then.
          yield* Effect.promise(() => wait(MOMENT_MS + 50))
          const { body, status } = yield* Effect.promise(end)
          assert.strictEqual(status, 401, `${way} by ${by}: ${body}`)
          const page = yield* service.ask(`/`, { headers: { host: `${slug}.svc.localhost:${service.port}` } })
          assert.notMatch(page.text, /secret<|not by its owner/, way)
        }
      }
    }))

  it.effect("a member’s way in that is under way when they sign out opens nothing", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      yield* service.ask("/v1/projects/inner?visibility=private", { method: "PUT", body: "# secret", headers: { ...account.bearer, "content-type": "text/markdown" } })
      const signedIn = Effect.map(
        service.ask("/v1/auth/login", { json: { email: account.email, password: PASSWORD }, headers: { "x-forwarded-for": "10.3.2.1" } }),
        (login) => ({ cookie: cookiesOf(login), "x-csrf-token": login.json.csrf_token as string })
      )
      const wayIn = (session: Record<string, string>) =>
        Effect.map(service.ask("/v1/gate/member?slug=inner&next=/", { headers: session }), ({ headers }) => new URL(headers.location!))
      const opens = ({ pathname, search }: URL) =>
        Effect.gen(function*() {
          const entered = yield* service.ask(pathname + search, { host: "inner.svc.localhost" })
          const page = yield* service.ask("/", { host: "inner.svc.localhost", headers: { cookie: cookiesOf(entered) } })
          return page.status === 200 && page.text.includes("secret")
        })
      const [left, stays] = [yield* signedIn, yield* signedIn]
      const [late, beside] = [yield* wayIn(left), yield* wayIn(stays)]
      assert.strictEqual((yield* service.ask("/v1/auth/logout", { method: "POST", headers: left })).status, 200)
      assert.isFalse(yield* opens(late))
      // Another browser of the same person stays signed in.
      assert.isTrue(yield* opens(beside))
    }))

  it.effect("a session’s cookie that was kept opens nothing once it signed out, nor does what was on its way; its person’s other browsers stay signed in", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      yield* service.ask("/v1/projects/kept-from?visibility=private", { method: "PUT", body: "# secret", headers: { ...account.bearer, "content-type": "text/markdown" } })
      const login = (cookie = "") => service.ask("/v1/auth/login", { json: { email: account.email, password: PASSWORD }, headers: { cookie, "x-forwarded-for": "10.3.5.1" } })
      const signedIn = Effect.map(login(), (answer) => ({ cookie: cookiesOf(answer), "x-csrf-token": answer.json.csrf_token as string }))
      const opens = (headers: Record<string, string>) =>
        Effect.all([
          service.ask("/v1/me", { headers }),
          service.ask("/v1/tokens", { json: { label: "kept" }, headers }),
          service.ask("/v1/gate/member?slug=kept-from&next=/", { headers }),
          service.ask("/v1/auth/logout", { method: "POST", headers })
        ]).pipe(Effect.map((answers) => answers.map(({ headers, status }) => headers.location?.includes("/login?") ? "login" : status)))
      const [left, replaced, stays] = [yield* signedIn, yield* signedIn, yield* signedIn]
      // The last two take a session alone.
      const onTheirWay = ([
        ways("kept-from")["make it public"]!,
        ["POST", "/v1/tokens", JSONS, JSON.stringify({ label: "kept" })],
        ["DELETE", "/v1/me", JSONS, JSON.stringify({ password: PASSWORD })]
      ] as const).map((way) => begin(service.port, way, left))
      yield* Effect.promise(() => wait(2 * MOMENT_MS))
      assert.strictEqual((yield* service.ask("/v1/auth/logout", { method: "POST", headers: left })).status, 200)
      for (const end of onTheirWay) assert.strictEqual((yield* Effect.promise(end)).status, 401)
      assert.deepStrictEqual(yield* opens(left), [401, 401, "login", 401])
      // Signed in over by its own person, it goes on under the new cookie, and ends with it.
      const goesOn = begin(service.port, ways("kept-from")["make it public"]!, replaced)
      yield* Effect.promise(() => wait(2 * MOMENT_MS))
      const over = yield* login(replaced.cookie)
      assert.strictEqual((yield* Effect.promise(goesOn)).status, 200)
      const continued = { cookie: cookiesOf(over), "x-csrf-token": over.json.csrf_token as string }
      assert.strictEqual((yield* service.ask("/v1/auth/logout", { method: "POST", headers: continued })).status, 200)
      for (const kept of [replaced, continued]) assert.deepStrictEqual(yield* opens(kept), [401, 401, "login", 401])
      assert.deepStrictEqual(yield* opens(stays), [200, 201, 303, 200])
    }))

  it.effect("a comment token ends with the session that asked for it, and so does what is followed with it", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const project = yield* commented(account, { visibility: "private" })
      const host = `${project.slug}.svc.localhost:${service.port}`
      const signedIn = Effect.gen(function*() {
        const login = yield* service.ask("/v1/auth/login", { json: { email: account.email, password: PASSWORD }, headers: { "x-forwarded-for": "10.3.4.1" } })
        const session = { cookie: cookiesOf(login), "x-csrf-token": login.json.csrf_token as string }
        const me = yield* service.ask("/v1/me", { headers: { cookie: session.cookie, origin: `http://${host}` } })
        return { session, token: me.json.comment_token as string }
      })
      const [left, stays] = [yield* signedIn, yield* signedIn]
      const follow = ({ token }: typeof left) =>
        Effect.promise(() => openEvents(service.port, "/_svc/comments/events", { host, authorization: `Bearer ${token}` }))
      const [ends, goesOn] = [yield* follow(left), yield* follow(stays)]
      const tried = (token: string) =>
        Effect.map(Effect.all([onOrigin(project, "", { token }), onOrigin(project, "", { token, json: { body: "secret" } })]), (both) => both.map(verdict))
      // As the release before sealed them, and may go on to beside this one.
      const unbound = yield* service.inside(Seals.use(({ seal }) => seal("comment", { user: account.id, project: project.id, epoch: 0, at: Date.now() })))
      yield* Effect.promise(() => Promise.all([ends.count(1), goesOn.count(1)]))
      assert.strictEqual((yield* service.ask("/v1/auth/logout", { method: "POST", headers: left.session })).status, 200)
      assert.deepStrictEqual(yield* tried(left.token), ["403 private", "403 private"])
      // Another browser of the same person stays signed in.
      assert.deepStrictEqual(yield* tried(stays.token), ["200", "201"])
      yield* Effect.promise(() => Promise.all([ends.end(), goesOn.count(2)]))
      assert.deepStrictEqual(ends.told().map(({ event }) => event), ["ready"])
      assert.isFalse(goesOn.ended())
      goesOn.close()
      assert.deepStrictEqual(yield* tried(unbound), ["200", "201"])
    }))

  it.effect("whoever signs in over somebody ends what that session opened, by every door; a try that fails ends nothing", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [ann, bob] = [yield* service.account(), yield* service.account()]
      yield* service.ask("/v1/projects/anns?visibility=private", { method: "PUT", body: "# secret", headers: { ...ann.bearer, "content-type": "text/markdown" } })
      let client = 0
      const login = (email: string, password = PASSWORD, cookie = "") =>
        service.ask("/v1/auth/login", { json: { email, password }, headers: { cookie, "x-forwarded-for": `10.3.3.${++client}` } })
      const reads = (pass: string) => Effect.map(service.ask("/", { host: "anns.svc.localhost", headers: { cookie: pass } }), ({ status }) => status)
      const entered = Effect.fnUntraced(function*(session: string) {
        const { headers } = yield* service.ask("/v1/gate/member?slug=anns&next=/", { headers: { cookie: session } })
        const { pathname, search } = new URL(headers.location!)
        const pass = cookiesOf(yield* service.ask(pathname + search, { host: "anns.svc.localhost" }))
        assert.strictEqual(yield* reads(pass), 200)
        return pass
      })
      const invited = `guest-of-${bob.email}`
      const mailed = (to: string) => Effect.map(mailTo(service, to), ([mail]) => tokenIn(mail!.links))
      yield* service.ask("/v1/auth/magic-link", { json: { email: bob.email } })
      yield* service.ask("/v1/workspace/invites", { json: { email: invited, role: "member" }, headers: bob.bearer })
      const [link, invitation] = [yield* mailed(bob.email), yield* mailed(invited)]
      const doors = {
        "a password": (cookie: string) => login(bob.email, PASSWORD, cookie),
        "a mailed link": (cookie: string) => service.ask("/v1/auth/magic-link/verify", { json: { token: link }, headers: { cookie } }),
        "an invitation": (cookie: string) => service.ask("/v1/auth/invites/accept", { json: { token: invitation, name: "Cat" }, headers: { cookie } }),
        "her own password": (cookie: string) => login(ann.email, PASSWORD, cookie)
      }
      const beside = yield* entered(cookiesOf(yield* login(ann.email)))
      for (const [door, signsIn] of Object.entries(doors)) {
        const session = cookiesOf(yield* login(ann.email))
        const pass = yield* entered(session)
        assert.strictEqual((yield* login(bob.email, "not his", session)).status, 401)
        assert.strictEqual(yield* reads(pass), 200, "a try that fails")
        const over = yield* signsIn(session)
        assert.strictEqual(over.status, 200, `${door}: ${over.text}`)
        assert.strictEqual(yield* reads(pass), 403, door)
        if (door === "her own password") yield* entered(cookiesOf(over))
        else assert.strictEqual((yield* service.ask("/v1/me", { headers: { cookie: session } })).status, 401, `${door}: her cookie, kept`)
      }
      assert.strictEqual(yield* reads(beside), 200, "another browser of hers")
      assert.strictEqual((yield* login(bob.email, PASSWORD, "__Host-svc_session=of-nobody")).status, 200)
    }))

  it.effect("whoever signs in again over a session that the release before sealed is signed in, and that one is over", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email, id } = yield* service.account()
      const nameless = yield* service.inside(Seals.use(({ seal }) => seal("session", { user: id, epoch: 0, at: Date.now() - 1_000 })))
      const me = (cookie: string) => Effect.map(service.ask("/v1/me", { headers: { cookie } }), ({ status }) => status)
      const cookie = `__Host-svc_session=${nameless}`
      assert.strictEqual(yield* me(cookie), 200)
      const login = yield* service.ask("/v1/auth/login", { json: { email, password: PASSWORD }, headers: { cookie, "x-forwarded-for": "10.3.5.1" } })
      assert.deepStrictEqual([login.status, yield* me(cookiesOf(login)), yield* me(cookie)], [200, 200, 401])
    }))

  it.effect("of an agent’s messages that came together, those whose turn comes after the token was revoked change nothing", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer, id } = yield* service.account()
      yield* service.ask("/v1/projects/batched", { method: "PUT", body: "# one", headers: { ...bearer, "content-type": "text/markdown" } })
      const calls = Array.from({ length: 10 }, (_, at) => ({ jsonrpc: "2.0", id: at, method: "tools/call", params: { name: "update", arguments: { slug: "batched", title: `By call ${at}` } } }))
      const answers = yield* service.inside(Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const letGo = yield* locked("SELECT 1 FROM projects WHERE slug = 'batched' FOR UPDATE")
        const asked = yield* Effect.forkChild(service.ask("/mcp", { json: calls, headers: { ...bearer, accept: "application/json, text/event-stream" } }))
        yield* Effect.promise(() => eventually("as many as have a turn wait", () => Effect.runPromise(Effect.map(waiting(sql), (many) => many === 2))))
        yield* Effect.promise(() => wait(MOMENT_MS))
        yield* sql`DELETE FROM api_tokens WHERE user_id = ${id}`
        yield* letGo
        return yield* Fiber.join(asked)
      }))
      const refused = answers.text.match(/auth_required/g) ?? []
      // Those that had begun are done; no more begin than one account has turns.
      assert.lengthOf(refused, 8, answers.text)
      assert.notMatch(answers.text, /internal_error/)
    }))
})
