/** What the command line reports for answers that do not come from svc, for connections that fail, and when its own reader closes the pipe. */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { IncomingMessage, RequestListener } from "node:http"
import { createServer as createTcpServer, Socket } from "node:net"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import type { Duplex } from "node:stream"
import { afterEach, assert, it, vi } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { proxyFor } from "../../src/cli/proxies.ts"
import { fromBody, isLasting, offline, reasonOf } from "../../src/cli/refusal.ts"
import { exchange } from "../../src/cli/transport.ts"
import { API_VERSION } from "../../src/http/contract/version.ts"
import { credentialsIn, environment, newFolder, packed, ran, svc, within } from "../support/cli.ts"
import { eventually } from "../support/program.ts"

const html = join(newFolder({ "page.html": "<h1>x</h1>" }), "page.html")

/** A server that answers in this way, counts requests, and as a proxy opens no tunnel. */
const answering = (answer: RequestListener, tunnel = (_: IncomingMessage, socket: Duplex): unknown => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n")) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<{ readonly port: number; readonly asked: () => number; readonly close: () => void }>((resolve) => {
        let asked = 0
        // Kept open longer than the machine may stop: a question on a connection that just ended is one that broke.
        const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
          asked++
          request.resume().on("end", () => answer(request, response))
        }).on("connect", tunnel).listen(0, "127.0.0.1", () => resolve({ port: (server.address() as AddressInfo).port, asked: () => asked, close: () => server.close() }))
      })),
    ({ close }) => Effect.sync(close)
  )

const TOKEN = `svc_${"x".repeat(43)}`

const run = (base: string, ...args: ReadonlyArray<string>) => ran(args, environment({ SVC_BASE_URL: base, SVC_TOKEN: TOKEN }))

const envelope = (code: string, message: string, field: string | null = null, details: Record<string, unknown> = {}) => JSON.stringify({ error: { code, message, field, details } })

const PLAN = "https://app.example/workspace/billing?workspace=w"

it.live("says that people are on the list where only what else holds of the project cannot be read", () =>
  Effect.gen(function*() {
    const list = JSON.stringify({ comment_access: "allowlist", comment_allowlist_inherit: true, emails: ["bob@example.com"], inherited_emails: [] })
    const { port } = yield* answering(({ method }, response) =>
      response.writeHead(method === "PUT" ? 200 : 403, { "content-type": "application/json" }).end(method === "PUT" ? list : envelope("forbidden", "No.")))
    const { code, stderr, stdout } = yield* run(`http://127.0.0.1:${port}`, "commenters", "add", "one", "bob@example.com")
    assert.deepStrictEqual([code, stdout, stderr], [0, "✓ bob@example.com is on the list of one.\n", ""])
  }).pipe(Effect.scoped))

it.live("says what stands in front of a service, and what to do where a command differs from the API", () =>
  Effect.gen(function*() {
    const cases: ReadonlyArray<readonly [status: number, headers: Record<string, string>, body: string, says: string, next: string, ...args: ReadonlyArray<string>]> = [
      [200, { "content-type": "text/html" }, "<h1>Sign in to the proxy</h1>", "answered in a way this version does not know", "svc doctor", "list"],
      [200, { "content-type": "application/json" }, "{\"comments\":[{}],\"next_cursor\":null}", "a way this version does not know: comments.0.id.", "svc doctor", "comments", "list", "one"],
      [301, { location: "https://svc.example.com/v1/projects" }, "", "This address leads elsewhere: https://svc.example.com/v1/projects", "SVC_BASE_URL", "publish", html],
      [301, { location: "https://svc.example.com/v1/projects" }, "", "This address leads elsewhere: https://svc.example.com/v1/projects", "SVC_BASE_URL", "list"],
      [413, { "content-type": "text/html" }, "<h1>413</h1>", "Something in front of the service refuses uploads this big.", "Ask whoever runs it", "publish", html],
      [401, { "content-type": "application/json" }, envelope("auth_required", "Sign in first."), "Sign in first.", "SVC_TOKEN is no good: set another, or unset it", "publish", html],
      [402, { "content-type": "application/json" }, envelope("quota_exceeded", "The plan holds 5 projects.", "projects", { billing_url: PLAN }), "The plan holds 5 projects.", `${PLAN}   shows the plan; admins change it there.`, "publish", html],
      [402, { "content-type": "application/json" }, envelope("payment_required", "The trial has ended."), "The trial has ended.", "svc whoami   shows your plan.", "publish", html],
      [404, { "content-type": "application/json" }, envelope("not_found", "There is no such share link.", "id"), "There is no such share link.", "svc share list <slug>", "share", "revoke", "01890a5d-ac96-774b-bcce-b302099a8057"],
      [409, { "content-type": "application/json" }, envelope("slug_taken", "This address is taken.", "slug"), "This address is taken.", "svc rename one <another-slug>", "rename", "one", "other"],
      [409, { "content-type": "application/json" }, envelope("conflict", "Delete it with move_projects=true."), "Delete it with --move-projects.", "", "folders", "delete", "01890a5d-ac96-774b-bcce-b302099a8057", "--yes"]
    ]
    for (const [status, headers, body, says, next, ...args] of cases) {
      const there = yield* answering((_, response) => void response.writeHead(status, headers).end(body))
      const { refusal } = yield* within(environment({ SVC_BASE_URL: `http://127.0.0.1:${there.port}`, SVC_TOKEN: TOKEN }), ...args)
      assert.strictEqual(refusal?.exit, status === 401 ? 3 : 1, refusal?.message)
      assert.include(refusal?.message, says, args.join(" "))
      assert.include(refusal?.next ?? "", next)
      assert.strictEqual(there.asked(), 1, refusal?.message)
    }
  }).pipe(Effect.scoped))

it.live("leaves a workspace's figures out of whoami where its admins alone see them, and says so where they cannot be read", () =>
  Effect.gen(function*() {
    const workspace = { id: "01890a5d-ac96-774b-bcce-b302099a8057", name: "Team", plan: "studio", role: "member", is_owner: false, trial_ends_at: null, billing_state: "active", links_down_on: null }
    const user = {
      id: "01890a5d-ac96-774b-bcce-b302099a8058", name: "Ada", email: "ada@example.com", email_verified: true, has_password: true, idp_linked: false,
      is_platform_admin: false, created_at: "2026-01-01T12:00:00.000Z"
    }
    const told = (status: number, code: string) =>
      Effect.gen(function*() {
        const { port } = yield* answering(({ url }, response) =>
          void response.writeHead(url === "/v1/me" ? 200 : status, { "content-type": "application/json", connection: "close" })
            .end(url === "/v1/me" ? JSON.stringify({ user, workspaces: [workspace] }) : envelope(code, "No.")))
        return yield* run(`http://127.0.0.1:${port}`, "whoami")
      })
    const [member, away] = [yield* told(403, "forbidden"), yield* told(503, "unavailable")]
    assert.deepStrictEqual([member.code, away.code, away.stdout], [0, 4, ""], member.stderr)
    assert.match(member.stdout, /Team .* member +studio$/m)
  }).pipe(Effect.scoped))

it.live("says of the token what the service answered, with what helps against that, and asks it once", () =>
  Effect.gen(function*() {
    let asked = 0
    const there = yield* answering(({ url }, response) => {
      const [status, body] = url === "/openapi.json" ? [200, JSON.stringify({ info: { title: "svc", version: API_VERSION } })]
        : asked++ === 0 ? [500, envelope("internal_error", "Something broke on our side.")] : [404, ""]
      // Kept alive, a slow machine would find it closed by then.
      response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(body)
    })
    const { code, stdout } = yield* run(`http://127.0.0.1:${there.port}`, "doctor", "--json")
    const { checks } = JSON.parse(stdout) as { readonly checks: ReadonlyArray<{ readonly check: string; readonly found: string; readonly next?: string }> }
    const token = checks.find(({ check }) => check === "Token")
    assert.strictEqual(token?.found, "Something broke on our side.", stdout)
    assert.include(token?.next, "--verbose shows the request id")
    assert.deepStrictEqual([code, asked], [1, 1])
  }).pipe(Effect.scoped))

it.live("finds a service that is away or busy, which another address would not help", () =>
  Effect.gen(function*() {
    const cases = [
      [502, {}, "<h1>Bad Gateway</h1>", "The service is away (502).", "Try again in a moment."],
      [429, { "content-type": "application/json", "retry-after": "600" }, envelope("rate_limited", "Too often.", null, { retry_after_seconds: 600 }), "Too often.", "Try again in 10 minutes."]
    ] as const
    for (const [status, headers, body, says, next] of cases) {
      const { port } = yield* answering((_, response) => void response.writeHead(status, { ...headers, connection: "close" }).end(body))
      const { code, stdout } = yield* run(`http://127.0.0.1:${port}`, "doctor", "--json")
      assert.strictEqual(code, 4, stdout)
      assert.deepInclude((JSON.parse(stdout) as { readonly checks: ReadonlyArray<unknown> }).checks[1], { check: "Service", ok: false, found: `http://127.0.0.1:${port}: ${says}`, next })
    }
  }).pipe(Effect.scoped))

it.live("forgets the credentials at a sign-out that is not answered as it should be, and says that the token still works", () =>
  Effect.gen(function*() {
    const there = yield* answering((_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in to the network</h1>"))
    const base = `http://127.0.0.1:${there.port}`
    const env = environment({ SVC_BASE_URL: base })
    mkdirSync(dirname(credentialsIn(env)), { recursive: true })
    writeFileSync(credentialsIn(env), JSON.stringify({ services: { [base]: { token: TOKEN, email: "ada@example.com" } } }))
    const { code, stderr } = yield* ran(["logout"], env)
    assert.strictEqual(code, 4, stderr)
    assert.include(stderr, "the token of ada@example.com still works")
    assert.notInclude(readFileSync(credentialsIn(env), "utf8"), TOKEN)
  }).pipe(Effect.scoped))

it.live("revokes no token at a sign-out that another of the account begins like, and says that it still works", () =>
  Effect.gen(function*() {
    const methods: Array<string | undefined> = []
    const one = { label: "laptop", prefix: TOKEN.slice(0, 8), created_at: "2026-01-01T12:00:00.000Z", last_used_at: null }
    const there = yield* answering(({ method }, response) => {
      methods.push(method)
      const tokens = ["01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a8058"].map((id) => ({ ...one, id }))
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(method === "GET" ? tokens : { status: "ok" }))
    })
    const base = `http://127.0.0.1:${there.port}`
    const env = environment({ SVC_BASE_URL: base })
    mkdirSync(dirname(credentialsIn(env)), { recursive: true })
    writeFileSync(credentialsIn(env), JSON.stringify({ services: { [base]: { token: TOKEN, email: "ada@example.com" } } }))
    const { code, stderr } = yield* ran(["logout"], env)
    assert.deepStrictEqual([code, methods], [1, ["GET"]], stderr)
    assert.include(stderr, "another token of ada@example.com begins like it")
    assert.include(stderr, `${base}/account/connections`)
    assert.notInclude(readFileSync(credentialsIn(env), "utf8"), TOKEN)
  }).pipe(Effect.scoped))

it.live("reads the comments of a service from before their editable_until", () =>
  Effect.gen(function*() {
    const at = "2026-01-01T12:00:00.000Z"
    const written = { id: "01890a5d-ac96-774b-bcce-b302099a8057", body: "Well said", author: { id: null, name: "Ada", email: null }, edited: false, created_at: at, updated_at: at }
    const thread = { ...written, project_slug: "one", version: 1, anchor: null, status: "open", resolved_at: null, resolved_by: null, replies: [{ ...written, parent_id: written.id }] }
    const body = JSON.stringify({ comments: [thread], next_cursor: null })
    const there = yield* answering((_, response) => void response.writeHead(200, { "content-type": "application/json" }).end(body))
    const { code, stderr, stdout } = yield* run(`http://127.0.0.1:${there.port}`, "comments", "list", "one")
    assert.strictEqual(code, 0, stderr)
    assert.include(stdout, "Well said")
  }).pipe(Effect.scoped))

it.live("lists the share links of a service from before their last_opened_at", () =>
  Effect.gen(function*() {
    const link = { id: "01890a5d-ac96-774b-bcce-b302099a8057", label: "Acme", expires_at: null, notify_on_first_open: false, view_count: 2, first_opened_at: "2026-01-01T12:00:00.000Z", created_at: "2026-01-01T11:00:00.000Z" }
    const there = yield* answering((_, response) => void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify([link])))
    const { code, stderr, stdout } = yield* run(`http://127.0.0.1:${there.port}`, "share", "list", "one")
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, /Acme {4,}2 +never$/m)
  }).pipe(Effect.scoped))

it.live("says where it shows whether a change was made whose answer was lost", () =>
  Effect.gen(function*() {
    const there = yield* answering((_, response) => void response.destroy())
    const own = { SVC_BASE_URL: `http://127.0.0.1:${there.port}`, SVC_TOKEN: TOKEN }
    const env = environment(own)
    const cases: ReadonlyArray<readonly [next: string, ...args: ReadonlyArray<string>]> = [
      ["svc list", "rename", "one", "other"],
      ["svc commenters list one", "commenters", "add", "one", "ada@example.com"],
      ["svc tokens list", "tokens", "revoke", "01890a5d-ac96-774b-bcce-b302099a8057"]
    ]
    for (const [next, ...args] of cases) {
      const { refusal } = yield* within(env, ...args)
      assert.include(refusal, { exit: 4, message: "No answer came: the connection broke. It may be done all the same.", next: `${next}   shows whether it is.` }, args.join(" "))
    }
    assert.include((yield* within(env, "share", "add", "one", "Acme", "--json")).refusal, {
      exit: 4,
      next: "svc share list one   shows whether it is. If so, revoke it and make another: its address was in that answer alone."
    })
    const below = environment({ ...own, SVC_BASE_URL: `${own.SVC_BASE_URL}/svc` })
    assert.include((yield* within(below, "rename", "one", "other")).refusal, { next: "svc list   shows whether it is." })
    assert.include((yield* within(env, "list")).refusal, { exit: 4, message: `127.0.0.1:${there.port} cannot be reached: the connection broke.` })
  }).pipe(Effect.scoped))

it.live("tells of the administrators' calls what it tells of every other", () =>
  Effect.gen(function*() {
    const id = "01890a5d-ac96-774b-bcce-b302099a8057"
    const asked = (base: string, ...args: ReadonlyArray<string>) =>
      Effect.map(within(environment({ SVC_BASE_URL: base, SVC_TOKEN: TOKEN }), ...args), ({ refusal }) => [refusal?.exit, refusal?.message, refusal?.next])
    const pages: ReadonlyArray<readonly [status: number, type: string, body: string, says: string]> = [
      [502, "text/html", "<h1>502</h1>", "The service is away (502)."],
      [401, "text/html", "<h1>401</h1>", "This address answered 401, and not as svc does."],
      [200, "text/html", "<h1>Sign in to the proxy</h1>", "The service answered in a way this version does not know."],
      [503, "application/json", envelope("unavailable", "The database is away."), "The database is away."]
    ]
    for (const [status, type, body, says] of pages) {
      const { port } = yield* answering((_, response) => void response.writeHead(status, { "content-type": type }).end(body))
      const base = `http://127.0.0.1:${port}`
      const told = yield* asked(base, "whoami")
      assert.strictEqual(told[1], says)
      for (const args of [["statistics"], ["taken-down"], ["take-down", "one", "--yes"]]) assert.deepStrictEqual(yield* asked(base, "admin", ...args), told, args.join(" "))
    }
    assert.deepStrictEqual(yield* asked("http://127.0.0.1:9", "admin", "put-back", "one"), [4, "127.0.0.1:9 cannot be reached: nobody listens there.", "svc doctor"])

    const { port } = yield* answering((_, response) => void response.destroy())
    const base = `http://127.0.0.1:${port}`
    const lost: ReadonlyArray<readonly [next: string, ...args: ReadonlyArray<string>]> = [
      ["svc admin taken-down   shows whether it is.", "take-down", "one", "--yes"],
      ["svc admin taken-down   shows whether it is.", "put-back", "one"],
      [`svc admin user ${id}   shows whether it is.`, "restore", "user", id],
      ["svc admin mails   shows whether it is.", "mails", "--retry", id],
      ["svc admin jobs   shows whether it is.", "jobs", "--retry", id],
      ["Run it again: the newer mail takes the place of the older one.", "invite-owner", id, "new@example.com"]
    ]
    for (const [next, ...args] of lost) {
      assert.deepStrictEqual(yield* asked(base, "admin", ...args), [4, "No answer came: the connection broke. It may be done all the same.", next], args.join(" "))
    }
    for (const question of ["statistics", "taken-down"]) assert.deepStrictEqual(yield* asked(base, "admin", question), [4, `127.0.0.1:${port} cannot be reached: the connection broke.`, "svc doctor"])
  }).pipe(Effect.scoped))

it.live("does not try again what is so again, and says it in words", () =>
  Effect.gen(function*() {
    const there = yield* answering((_, response) => void response.end())
    const { code, stderr } = yield* run(`https://127.0.0.1:${there.port}`, "publish", html)
    assert.strictEqual(code, 4)
    assert.include(stderr, "no TLS is spoken there; it may be an http:// address.\n")
    assert.notInclude(stderr, "Trying again")
    for (const code of ["ENOTFOUND", "EPROTO", "CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID", "DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_TLS_CERT_ALTNAME_INVALID", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"]) {
      assert.isTrue(isLasting({ code }), code)
      assert.notStrictEqual(reasonOf({ code }), code)
      // It ends a sentence.
      assert.notMatch(reasonOf({ code }), /[.?]$/, code)
    }
    for (const code of ["ECONNREFUSED", "ECONNRESET", "EAI_AGAIN", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "HPE_INVALID_CONSTANT"]) {
      assert.isFalse(isLasting({ code }), code)
      assert.match(reasonOf({ code }), / /, code)
    }
  }).pipe(Effect.scoped))

it.live("goes through the proxy that the environment names, but not to this machine, nor where NO_PROXY says so", () =>
  Effect.gen(function*() {
    const ways = new Map<string, unknown>()
    const there = yield* answering((request, response) => {
      const { searchParams } = new URL(request.url!, "http://direct")
      ways.set(request.url!, request.socket)
      const page = { projects: [], usage: { projects: 0, storage_bytes: 0, seats: 1 }, next_cursor: searchParams.get("cursor") === null ? "01890a5d-ac96-774b-bcce-b302099a8057" : null }
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(page))
    })
    const [here, nobody] = [`127.0.0.1:${there.port}`, "http://127.0.0.1:9"]
    const withProxy = (base: string, proxies: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
      Effect.promise(() => svc(args, environment({ SVC_BASE_URL: base, SVC_TOKEN: TOKEN, ...proxies })))
    const old = "--import=data:text/javascript,Object.defineProperty(process,'allowedNodeEnvironmentFlags',{value:{has(){}}})"
    const [proxied, tunnelled, own, excepted, doctor] = yield* Effect.all([
      withProxy("http://svc.example.test", { HTTP_PROXY: `http://${here}` }, "list", "--json"),
      withProxy("https://svc.example.test", { HTTP_PROXY: nobody, https_proxy: here }, "doctor"),
      withProxy(`http://svc.localhost:${there.port}`, { HTTP_PROXY: nobody }, "list", "--json"),
      withProxy(`http://0.0.0.0:${there.port}`, { HTTP_PROXY: nobody, NO_PROXY: "0.0.0.0" }, "list", "--json"),
      withProxy(`http://0.0.0.0:${there.port}`, { HTTP_PROXY: nobody, NODE_OPTIONS: old }, "doctor")
    ], { concurrency: 4 })
    for (const { code, stderr } of [proxied, own, excepted]) assert.strictEqual(code, 0, stderr)
    const ofProxied = [...ways].filter(([url]) => url.startsWith("http://svc.example.test/v1/projects?"))
    assert.lengthOf(ofProxied, 2)
    assert.strictEqual(ofProxied[0]![1], ofProxied[1]![1], "one connection")
    assert.strictEqual(tunnelled.code, 4, tunnelled.stderr)
    assert.include(tunnelled.stdout, "https://svc.example.test by the proxy that https_proxy names: the proxy does not let it through\n  → Correct https_proxy, or name the service’s host in NO_PROXY\n")
    assert.include(doctor.stdout, "HTTP_PROXY names one that this Node")
  }).pipe(Effect.scoped))

/** This process's environment, without what it says of proxies itself. */
const proxiesAre = (env: Readonly<Record<string, string>>) => {
  for (const name of ["https_proxy", "http_proxy", "no_proxy"]) for (const one of [name, name.toUpperCase()]) vi.stubEnv(one, env[one] ?? "")
}
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

it("knows whom NO_PROXY excepts, and what is wrong with a proxy that cannot be asked", () => {
  const asked = (url: string, env: Readonly<Record<string, string>>) => {
    proxiesAre(env)
    return proxyFor(new URL(url))
  }
  const url = "https://svc.example.test"
  for (const list of ["*", "svc.example.test", "other.test, SVC.example.test", ".example.test", "*.example.test", ".svc.example.test", "svc.example.test:443"]) {
    for (const name of ["NO_PROXY", "no_proxy"]) assert.isUndefined(asked(url, { HTTPS_PROXY: "socks5://proxy.test", [name]: list }), list)
  }
  assert.isUndefined(asked("http://[2001:db8::1]:8787", { HTTP_PROXY: "http://proxy.test", NO_PROXY: "2001:db8::1" }))
  for (const list of ["", " ", ",", "vc.example.test", "example.test", ".test.example", "svc.example.test:80", "*.svc.example.test"]) {
    assert.deepInclude(asked(url, { https_proxy: "proxy.test:3128", NO_PROXY: list }), { variable: "https_proxy", address: "http://proxy.test:3128", fault: undefined }, list)
  }
  for (const address of ["socks5://proxy.test", "http://"]) assert.strictEqual(asked(url, { HTTPS_PROXY: address })?.fault, "address")
})

it.live("gives a proxy, and a question, a minute to answer, and tells its faults as its own", () =>
  Effect.gen(function*() {
    let unanswered = 0
    const { port } = yield* answering(
      ({ url }, response) => void (url === "/silent" ? unanswered++ : response.writeHead(407).end("<h1>407</h1>")),
      ({ url }, socket) => void (url!.startsWith("silent.") ? unanswered++ : socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"))
    )
    proxiesAre({ HTTPS_PROXY: `http://127.0.0.1:${port}`, HTTP_PROXY: `http://127.0.0.1:${port}` })
    const { setTimeout: waits } = Socket.prototype
    const patient = new Set<Socket>()
    vi.spyOn(Socket.prototype, "setTimeout").mockImplementation(function(this: Socket, ms, then) {
      if (ms === 60_000) patient.add(this)
      return waits.call(this, ms, then)
    })
    const faultOf = (url: string) => Effect.flip(Effect.tryPromise({ try: () => exchange(new URL(url), { method: "GET", headers: {} }), catch: (fault) => fault }))
    const waiting = yield* Effect.forkChild(Effect.all([faultOf("https://silent.test"), faultOf(`http://127.0.0.1:${port}/silent`)], { concurrency: 2 }))
    const [refused, plain] = yield* Effect.all([faultOf("https://refused.test"), faultOf("http://plain.test")], { concurrency: 2 })
    yield* Effect.promise(() => eventually("both are asked", () => unanswered === 2))
    // The minute is over.
    for (const socket of patient) socket.emit("timeout")
    const [silent, direct] = yield* Fiber.join(waiting)
    assert.strictEqual(reasonOf(direct), "no answer in time")
    assert.deepStrictEqual([reasonOf(refused), isLasting(refused)], ["the proxy wants a user and a password", true])
    assert.deepStrictEqual([reasonOf(silent), isLasting(silent)], ["the proxy does not answer in time", false])
    assert.isTrue(isLasting(plain))
    assert.strictEqual(offline(new URL("http://plain.test"), plain).message, "plain.test cannot be reached by the proxy that HTTP_PROXY names: the proxy wants a user and a password.")
    assert.strictEqual(offline(new URL("http://127.0.0.1:9"), { code: "ECONNREFUSED" }).message, "127.0.0.1:9 cannot be reached: nobody listens there.")
  }).pipe(Effect.scoped))

it("says of a proxy's busy answer when to ask again", () => {
  const said = (status: number, headers = {}) => {
    const { message, next } = fromBody(status, "<h1>busy</h1>", headers)
    return [message, next]
  }
  assert.deepStrictEqual(said(429, { "retry-after": "61" }), ["Something in front of the service is busy.", "Try again in 2 min."])
  assert.deepStrictEqual(said(429), ["Something in front of the service is busy.", "Try again in a moment."])
  assert.deepStrictEqual(said(522, { "retry-after": "30" }), ["The service is away (522).", "Try again in 30 s."])
  assert.deepStrictEqual(said(418), ["This address answered 418, and not as svc does.", "svc doctor"])
})

it.live("says where a password is set, where an account that has none asks for an export", () =>
  Effect.gen(function*() {
    const { port } = yield* answering((_, response) =>
      response.writeHead(403, { "content-type": "application/json" }).end(envelope("forbidden", "Your account has no password yet.", "password", { reason: "password_not_set" })))
    const base = `http://127.0.0.1:${port}`
    const asking = ["export", "request", "--workspace", "01890a5d-ac96-774b-bcce-b302099a8057"]
    const { code, stderr } = yield* Effect.promise(() => svc(asking, environment({ SVC_BASE_URL: base, SVC_TOKEN: TOKEN }), { input: "anything\n" }))
    assert.strictEqual(code, 1)
    assert.include(stderr, `→ ${base}/forgot-password   mails a link that sets one.\n`)
  }).pipe(Effect.scoped))

it.live("says a day as people do where the language is one that Node does not know", () =>
  Effect.gen(function*() {
    const at = "2026-12-07T12:00:00.000Z"
    const invite = { id: "01890a5d-ac96-774b-bcce-b302099a8057", email: "bob@example.com", role: "member", status: "pending", expires_at: at, created_at: at, invited_by: null }
    const { port } = yield* answering((_, response) => response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(invite)))
    for (const LC_ALL of ["tlh_QO.UTF-8", "UTF-8"]) {
      const env = environment({ SVC_BASE_URL: `http://127.0.0.1:${port}`, SVC_TOKEN: TOKEN, LC_ALL })
      const { stderr, stdout } = yield* Effect.promise(() => svc(["invites", "add", "bob@example.com"], env))
      assert.include(stdout, "Its link works until 7 Dec 2026.", stderr)
    }
  }).pipe(Effect.scoped))

it("advises nothing that what the service said makes useless, and waits in the units that it counts in", () => {
  const said = (status: number, code: string, message: string, field: string | null, details: Record<string, unknown>) => fromBody(status, envelope(code, message, field, details), {}).next
  assert.strictEqual(said(503, "unavailable", "The service has no room left for this.", null, { reason: "no_room" }), undefined)
  assert.strictEqual(said(503, "unavailable", "The service is not available right now.", null, {}), "Try again in a moment.")
  assert.strictEqual(said(403, "forbidden", "Your account has no password yet.", "password", { reason: "password_not_set" }), undefined)
  assert.strictEqual(said(403, "forbidden", "The password is wrong.", "password", { reason: "password_wrong" }), "Try again with the right one.")
  assert.strictEqual(said(429, "rate_limited", "Too many tries.", null, { retry_after_seconds: 41 }), "Try again in 41 seconds.")
  assert.strictEqual(said(429, "rate_limited", "Too many tries.", null, { retry_after_seconds: 3541 }), "Try again in 60 minutes.")
})

it.live("sends no more to a front that has refused, so that nothing keeps the command from ending", () =>
  Effect.gen(function*() {
    const { port } = yield* Effect.acquireRelease(
      Effect.promise(() =>
        new Promise<{ readonly port: number; readonly close: () => void }>((resolve) => {
          const front = createTcpServer((socket) => {
            // It keeps the connection, and never reads the rest.
            socket.once("data", () => socket.pause().write("HTTP/1.1 503 X\r\nRetry-After: 1\r\nContent-Length: 4\r\n\r\nbusy"))
            socket.on("error", () => {})
          }).listen(0, "127.0.0.1", () => resolve({ port: (front.address() as AddressInfo).port, close: () => front.close() }))
        })),
      ({ close }) => Effect.sync(close)
    )
    let ended = false
    const body = async function*() {
      try {
        for (;;) yield Buffer.alloc(65_536)
      } finally {
        ended = true
      }
    }
    const got = yield* Effect.promise(() => exchange(new URL(`http://127.0.0.1:${port}`), { method: "PUT", headers: {}, body: body() }))
    assert.strictEqual(got.status, 503)
    yield* Effect.promise(() => eventually("the end of the body", () => ended))
  }).pipe(Effect.scoped))

const child = (script: string, env: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const started = spawn("bash", ["-c", script, process.execPath, join(await packed(), "svc.js"), ...args], { env, stdio: "pipe" })
    let stderr = ""
    started.stderr.on("data", (chunk) => (stderr += String(chunk)))
    return { started, ended: new Promise<readonly [code: number | null, stderr: string]>((resolve) => started.once("close", (code) => resolve([code, stderr]))) }
  })

it.live("goes on when its reader has gone, and says once where the answer cannot be written", () =>
  Effect.gen(function*() {
    let asked = 0
    const published = { slug: "one", url: "http://one.svc.test", kind: "site", version: 1, visibility: "public", password: null }
    const there = yield* answering((_, response) => void (++asked === 1 ? response.writeHead(503).end() : response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(published))))
    const env = environment({ SVC_BASE_URL: `http://127.0.0.1:${there.port}`, SVC_TOKEN: TOKEN })
    const left = yield* child("$0 \"$@\" | true; exit ${PIPESTATUS[0]}", env, "publish", html, "--json")
    const [code, stderr] = yield* Effect.promise(() => left.ended)
    assert.deepStrictEqual([code, asked], [0, 2], stderr)

    if (!existsSync("/dev/full")) return
    const full = yield* child("exec $0 \"$@\" > /dev/full", env, "--help")
    assert.deepStrictEqual(yield* Effect.promise(() => full.ended), [1, "✗ The answer cannot be written: ENOSPC.\n"])
  }).pipe(Effect.scoped))

it.live("says that what was sent may be live, stopped before the answer came", () =>
  Effect.gen(function*() {
    let arrived = false
    const there = yield* answering(() => void (arrived = true))
    const { ended, started } = yield* child("exec $0 \"$@\"", environment({ SVC_BASE_URL: `http://127.0.0.1:${there.port}`, SVC_TOKEN: TOKEN }), "publish", html)
    yield* Effect.promise(() => eventually("the upload", () => arrived))
    started.kill("SIGINT")
    assert.deepStrictEqual(yield* Effect.promise(() => ended), [130, "Stopped. What was sent may be live: svc list   shows what is.\n"])
  }).pipe(Effect.scoped))

it.live("leaves nothing of stdin behind when the terminal goes away", () =>
  Effect.gen(function*() {
    const TMPDIR = newFolder()
    const { ended, started } = yield* child("exec $0 \"$@\"", environment({ SVC_BASE_URL: "http://127.0.0.1:9", SVC_TOKEN: TOKEN, TMPDIR }), "publish", "-", "--name", "a.txt")
    started.stdin.write("secret")
    yield* Effect.promise(() => eventually("a copy", () => readdirSync(TMPDIR).some((name) => readdirSync(join(TMPDIR, name)).length > 0)))
    started.kill("SIGHUP")
    assert.strictEqual((yield* Effect.promise(() => ended))[0], 130)
    assert.deepStrictEqual(readdirSync(TMPDIR), [])
  }))
