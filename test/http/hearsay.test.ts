/** What a request claims about itself: where it was sent, whom it comes from. No link, header or limit is based on it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { request } from "node:http"
import { networkInterfaces } from "node:os"
import { withoutId } from "../support/ask.ts"
import type { Answer } from "../support/ask.ts"
import { mailTo } from "../support/mail.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"

const EVIL = "evil.example"

/** The host is an alias of ours, so that it is answered at all; the rest is what proxies and attackers send. */
const LIES = {
  host: "localhost",
  origin: `https://${EVIL}`,
  forwarded: `host=${EVIL};proto=https;for=192.0.2.1`,
  "x-forwarded-host": EVIL,
  "x-forwarded-proto": "https",
  "x-forwarded-port": "444",
  "x-forwarded-prefix": `/${EVIL}`,
  "x-original-url": `//${EVIL}/`,
  "x-rewrite-url": `//${EVIL}/`,
  "x-host": EVIL
}

/** An address of this machine’s that is not loopback. Linux lets connections to its loopback addresses come from there. */
const ELSEWHERE = process.platform === "linux"
  ? Object.values(networkInterfaces()).flatMap((all) => all ?? []).find(({ family, internal }) => family === "IPv4" && !internal)?.address
  : undefined

const lookFrom = (localAddress: string, port: number, path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, localAddress, agent: false, headers: { host: `svc.localhost:${port}` } }, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end()
  })

layer(serviceWith({ SVC_SECURITY_CONTACT: "security@example.org" }), { excludeTestServices: true })("hearsay", (it) => {
  it.effect("no link in a mail, an answer or a header is made from a Host or a forwarding header", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const base = `http://svc.localhost:${service.port}`
      const account = yield* service.account()
      const unproven = yield* service.account({ verified: false })
      const said: Array<Answer> = []
      const ask = (path: string, json?: unknown, headers = {}) =>
        Effect.tap(service.ask(path, { ...(json === undefined ? {} : { json }), headers: { ...LIES, ...headers } }), (answer) => Effect.sync(() => said.push(answer)))

      for (const [way, email] of [["magic-link", account.email], ["password-reset", account.email], ["verify-email/resend", unproven.email], ["signup", "new@example.org"]] as const) {
        assert.strictEqual((yield* ask(`/v1/auth/${way}`, { email, ...(way === "signup" && { password: PASSWORD }) })).status, 202, way)
      }
      assert.strictEqual((yield* ask(`/v1/workspace/invites?workspace=${account.workspaceId}`, { email: "guest@example.org", role: "member" }, account.bearer)).status, 201)
      for (const [email, many] of [[account.email, 2], [unproven.email, 1], ["new@example.org", 1], ["guest@example.org", 1]] as const) {
        const mails = yield* mailTo(service, email, many)
        assert.isAtLeast(mails.length, many, email)
        for (const { links, text } of mails) {
          assert.isAtLeast(links.length, 1)
          for (const link of links) assert.strictEqual(new URL(link).origin, base)
          assert.notInclude(text, EVIL)
        }
      }
      const device = yield* ask("/v1/auth/device", {})
      assert.strictEqual(new URL(device.json.verification_url_complete).origin, base)
      const published = yield* service.ask("/v1/projects/hearsay", { method: "PUT", body: "<h1>Hi</h1>", headers: { ...LIES, ...account.bearer, "content-type": "text/html" } })
      assert.strictEqual(published.json.url, `http://hearsay.svc.localhost:${service.port}`)
      const link = yield* ask("/v1/projects/hearsay/share-links", { label: "One" }, account.bearer)
      assert.strictEqual(new URL(link.json.share_url).host, `hearsay.svc.localhost:${service.port}`)
      for (const path of [
        "/", "/openapi.json", "/docs.md", "/mcp.md", "/llms.txt", "/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource", "/mcp/server-card",
        "/.well-known/security.txt", "/v1/gate/member?slug=hearsay&next=/", "/account", "/projects/hearsay", "/login"
      ]) yield* ask(path)
      yield* ask("/mcp", {})
      for (const { headers, text } of [...said, published]) assert.notInclude(`${JSON.stringify(headers)}${text}`, EVIL)
    }))

  it.effect("with no trusted proxy, an address that a request claims has no effect, nor has another spelling of an email", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account()
      const forms = [email, email.toUpperCase(), ` ${email} `, `\t${email}\n`, email.replace("person", "PERSON")]
      const tries = yield* Effect.forEach(Array.from({ length: 12 }, (_, index) => index), (index) =>
        service.ask("/v1/auth/login", {
          json: { email: forms[index % forms.length], password: "a wrong guess" },
          headers: { "x-forwarded-for": `198.18.0.${index}`, "x-real-ip": `198.18.1.${index}`, forwarded: `for=198.18.2.${index}`, "true-client-ip": `198.18.3.${index}`, "cf-connecting-ip": `198.18.4.${index}` }
        }))
      assert.deepStrictEqual(tries.map(({ status }) => status), [...Array.from({ length: 5 }, () => 401), ...Array.from({ length: 7 }, () => 429)])
      for (const { json, text } of tries.slice(5)) {
        assert.isAbove(json.error.details.retry_after_seconds, 0)
        assert.notInclude(text, email)
      }
    }))

  it.effect("the developer mailbox, whose links sign in as anybody, is shown to nobody behind a proxy, nor on another machine", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account()
      yield* service.ask("/v1/auth/magic-link", { json: { email } })
      yield* mailTo(service, email)
      const look = (path: string, headers: Record<string, string> = {}) => service.ask(path, { headers: { accept: "application/json", ...headers } })
      const { id } = (yield* look("/_dev/mail")).json.messages.find(({ to }: { readonly to: string }) => to === email)
      for (const path of ["/_dev/mail", `/_dev/mail/${id}`]) {
        assert.strictEqual((yield* look(path)).status, 200, path)
        for (const headers of [{ "x-forwarded-for": "127.0.0.1" }, { "x-real-ip": "127.0.0.1" }, { forwarded: "for=127.0.0.1" }] as ReadonlyArray<Record<string, string>>) {
          const hidden = yield* look(path, headers)
          assert.deepStrictEqual([hidden.status, hidden.text.includes(email)], [404, false], JSON.stringify(headers))
        }
        if (ELSEWHERE !== undefined) assert.strictEqual(yield* Effect.promise(() => lookFrom(ELSEWHERE, service.port, path)), 404, path)
      }
    }))

  it.effect("the contact for a weakness is published if the operator named one", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { headers, status, text } = yield* service.ask("/.well-known/security.txt")
      assert.deepStrictEqual([status, headers["content-type"]], [200, "text/plain; charset=utf-8"])
      const lines = Object.fromEntries(text.trimEnd().split("\n").map((line) => line.split(/: (.*)/s)))
      assert.deepInclude(lines, { Contact: "mailto:security@example.org", Canonical: `http://svc.localhost:${service.port}/.well-known/security.txt` })
      // RFC 9116 requires it, less than a year away.
      const days = (Date.parse(lines["Expires"]) - Date.now()) / 86_400_000
      assert.isTrue(days > 90 && days < 365)
    }))
})

layer(serviceWith({ SVC_TRUSTED_PROXY_HOPS: "1" }), { excludeTestServices: true })("hearsay behind one proxy", (it) => {
  it.effect("addresses before the trusted hop have no effect either; a failed sign-in says the same of every account", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [withOne, without] = [yield* service.account(), yield* service.account()]
      yield* Effect.orDie(service.inside(SqlClient.SqlClient.use((sql) => sql`UPDATE users SET password_hash = NULL WHERE id = ${without.id}`)))
      let turn = 0
      const login = (email: string, password: string, address = `10.9.0.${++turn}`) =>
        service.ask("/v1/auth/login", { json: { email, password }, headers: { "x-forwarded-for": `198.18.7.${++turn}, 203.0.113.${turn}, ${address}` } })

      const refusals = [
        yield* login(withOne.email, "not it at all"), yield* login("nobody@example.org", PASSWORD), yield* login(without.email, PASSWORD), yield* login(without.email, "null")
      ].map(withoutId)
      assert.strictEqual(refusals[0]!.status, 401)
      for (const refusal of refusals) assert.deepStrictEqual(refusal, refusals[0])

      const statuses = yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.map(login("nobody@example.org", "a guess", `10.9.9.9:${40_000 + turn}`), ({ status }) => status))
      assert.deepStrictEqual(statuses, [401, 401, 401, 401, 401, 429, 429, 429])
      assert.strictEqual((yield* login(withOne.email, PASSWORD)).status, 200)
      // Without a configured contact there is nobody to name.
      assert.strictEqual((yield* service.ask("/.well-known/security.txt")).status, 404)
    }))
})
