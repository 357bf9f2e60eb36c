/** Bad input over the wire: always the envelope, never a 500, nothing lost, nothing leaked. */
import { createServer, request } from "node:http"
import type { IncomingMessage } from "node:http"
import { connect } from "node:net"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, layer } from "@effect/vitest"
import { parseErrorResponse } from "@modelcontextprotocol/sdk/client/auth.js"
import { Effect, Fiber, Logger, Schedule } from "effect"
import { HttpServerRequest } from "effect/http"
import { SqlClient, SqlError } from "effect/sql"
import { Outages } from "../../src/domain/ports/outages.ts"
import { enveloped, failureOf } from "../../src/http/server/middleware/envelope.ts"
import { RequestId } from "../../src/http/server/request-id.ts"
import { DatabaseEmbedded } from "../../src/services/database/client.ts"
import { OutagesSql } from "../../src/services/database/outages.ts"
import { ask, UNFOLLOWED } from "../support/ask.ts"
import { freshDatabaseFacts } from "../support/database.ts"
import { busyFor } from "../support/growth.ts"
import { locked } from "../support/locked.ts"
import { Service, serviceWith } from "../support/service.ts"

const shaped = (json: { error: Record<string, unknown> }) => {
  assert.sameMembers(Object.keys(json), ["error"])
  assert.sameMembers(Object.keys(json.error), ["code", "message", "field", "details"])
  assert.isObject(json.error["details"])
}

const form = { "content-type": "application/x-www-form-urlencoded" }

/** Bytes straight onto the socket, for what no client library would send. */
const raw = (port: number, ...pieces: ReadonlyArray<string>) =>
  Effect.callback<string>((resume) => {
    let answer = ""
    // One after the other has been read, as far as waiting can tell.
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, async () => {
      for (const piece of pieces) {
        if (socket.writable) socket.write(piece)
        if (pieces.length > 1) await pause(100)
      }
    })
    socket.on("data", (chunk) => { answer += chunk.toString() })
    socket.on("close", () => resume(Effect.succeed(answer)))
    socket.on("error", () => resume(Effect.succeed(answer)))
  })

/** A head that never ends, a byte a second: returns the answer, and the seconds until the connection was closed. */
const dripping = (port: number) =>
  Effect.callback<{ readonly answer: string; readonly seconds: number }>((resume) => {
    const began = performance.now()
    let answer = ""
    const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: svc.localhost\r\nX-Slow: "))
    const timer = setInterval(() => socket.writable && socket.write("x"), 1_000)
    socket.on("data", (chunk) => { answer += chunk.toString() }).on("error", () => undefined)
    socket.once("close", () => {
      clearInterval(timer)
      resume(Effect.succeed({ answer, seconds: (performance.now() - began) / 1_000 }))
    })
  })

layer(serviceWith(), { excludeTestServices: true })("the envelope", (it) => {
  it.effect("answers unknown paths 404 and wrong methods 405 with Allow", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const unknown = yield* service.ask("/v1/nothing/here", { method: "POST", headers: UNFOLLOWED })
      assert.deepStrictEqual([unknown.status, unknown.json.error.code], [404, "not_found"])
      shaped(unknown.json)
      const wrong = yield* service.ask("/v1/projects/some-thing", { method: "POST", headers: UNFOLLOWED })
      assert.deepStrictEqual([wrong.status, wrong.json.error.code], [405, "method_not_allowed"])
      assert.sameMembers(String(wrong.headers.allow).split(", "), ["GET", "HEAD", "PUT", "PATCH", "DELETE"])
      shaped(wrong.json)
      assert.match(String((yield* service.ask("/nothing")).headers["content-type"]), /^text\/html/)
      for (const program of [{ headers: { accept: "application/json" } }, { method: "POST", json: {} }]) {
        const refused = yield* service.ask("/nothing", program)
        assert.deepStrictEqual([refused.status, refused.json?.error.code, refused.headers["cache-control"]], [404, "not_found", "no-store"])
      }
      for (const [accept, type] of [["text/html, application/json;q=0", /^text\/html/], ["application/json, text/html;q=0.5", /^application\/json/]] as const) {
        for (const path of ["/nothing", "/_dev/mail"]) assert.match(String((yield* service.ask(path, { headers: { accept } })).headers["content-type"]), type, path)
      }
      for (const id of ["%00", "x", "01900000-0000-7000-8000-000000000000"]) assert.strictEqual((yield* service.ask(`/_dev/mail/${id}`)).status, 404, id)
      const elsewhere = yield* service.ask("/v1/me", { host: "elsewhere.example" })
      assert.deepStrictEqual([elsewhere.status, elsewhere.json.error.code, elsewhere.headers["cache-control"]], [404, "not_found", "no-store"])
      assert.isString(elsewhere.headers["x-request-id"])
      assert.strictEqual((yield* service.ask("/v1/me")).headers["cache-control"], "no-store")
      const { bearer } = yield* service.account()
      assert.strictEqual((yield* service.ask(`/v1/projects/${"y".repeat(300)}`, { headers: bearer })).status, 404)
    }))

  it.effect("addresses for programs beside the API say which methods they take, in a format that programs read", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const read = [
        "/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/mcp/server-card.json", "/.well-known/ai-catalog.json", "/mcp/server-card", "/mcp/clients.json",
        "/openapi.json", "/docs.md", "/mcp.md", "/llms.txt", "/healthz", "/readyz", "/metrics", "/", "/docs", "/redoc"
      ]
      for (const path of read) {
        for (const method of ["GET", "HEAD"]) {
          const { headers } = yield* service.ask(path, { method }).pipe(Effect.repeat({ until: ({ status }) => status === 200 }))
          assert.isString(headers["cache-control"], `${method} ${path}: some caches keep for minutes what says nothing of it`)
        }
        for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
          const refused = yield* service.ask(path, { method })
          assert.deepStrictEqual([refused.status, refused.headers.allow, refused.json?.error.code], [405, "GET, HEAD", "method_not_allowed"], `${method} ${path}`)
          shaped(refused.json)
        }
      }
      for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const refused = yield* service.ask("/comments/mute", { method })
        assert.deepStrictEqual([refused.status, refused.headers.allow, refused.json?.error.code], [405, "GET, HEAD, POST", "method_not_allowed"], method)
      }
      for (const path of ["/v1/gate/member", "/v1/gate/comment", "/login", "/device/", "/settings", "/account/tokens", "/projects/any"]) {
        const refused = yield* service.ask(path, { method: "POST", json: {} })
        assert.deepStrictEqual([refused.status, refused.headers.allow, refused.json?.error.code], [405, "GET, HEAD", "method_not_allowed"], path)
      }
      for (const path of ["/oauth/token", "/oauth/token/", "/oauth/register", "/oauth/revoke", "/oauth/device_authorization"]) {
        for (const method of ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
          const refused = yield* service.ask(path, { method })
          assert.deepStrictEqual([refused.status, refused.headers.allow, refused.headers["cache-control"]], [405, "POST", "no-store"], `${method} ${path}`)
          assert.deepStrictEqual(refused.json, { error: "invalid_request", error_description: "This address takes POST." })
        }
        assert.include([400, 429], (yield* service.ask(path, { method: "POST" })).status, path)
      }
      const nothing = yield* service.ask("/oauth/nothing", { method: "POST" })
      assert.deepStrictEqual([nothing.status, nothing.json?.error], [404, "invalid_request"])
    }))

  it.effect("says so where it closes a connection on a body of unknown length", () =>
    Effect.gen(function*() {
      const { account, port } = yield* Service
      const { bearer } = yield* account()
      const send = (path: string) =>
        Effect.promise(() =>
          new Promise<IncomingMessage>((resolve, reject) => {
            const headers = { host: "svc.localhost", "content-type": "application/json", ...bearer }
            const sent = request({ port, path, method: "POST", headers }, resolve).once("error", reject)
            for (let part = 0; part < 32; part++) sent.write("x".repeat(64 * 1024))
            sent.end()
          }))
      for (const path of ["/v1/folders", "/oauth/register"]) {
        const refused = yield* send(path)
        refused.resume()
        assert.deepStrictEqual([refused.statusCode, refused.headers.connection], [413, "close"], path)
      }
    }))

  it.effect("lists every faulty field of query and body together", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const both = yield* service.ask("/v1/auth/signup", { json: { email: "not-an-address", name: "x".repeat(101) } })
      assert.strictEqual(both.status, 422)
      shaped(both.json)
      assert.sameMembers(both.json.error.details.errors.map((fault: { field: string }) => fault.field), ["email", "password", "name"])
      assert.strictEqual(both.json.error.field, both.json.error.details.errors[0].field)
      assert.isFalse(both.text.includes("not-an-address"))
      const long = yield* service.ask("/v1/auth/magic-link", { json: { email: "somebody@example.com", next: "/".repeat(4001) } })
      assert.deepStrictEqual(long.json.error.details.errors, [{ field: "next", message: "At most 4000 characters." }])
      const { bearer } = yield* service.account()
      const pathAndBody = yield* service.ask("/v1/projects/a%00b", { method: "PATCH", json: { visibility: "secret", indexable: "yes" }, headers: bearer })
      assert.sameMembers(pathAndBody.json.error.details.errors.map((fault: { field: string }) => fault.field), ["slug", "visibility", "indexable"])
      const pathAndQuery = yield* service.ask("/v1/comments/no-id?author_only=perhaps", { method: "DELETE", headers: bearer })
      assert.deepStrictEqual([pathAndQuery.status, pathAndQuery.json.error.field], [422, "id"])
      assert.deepStrictEqual(pathAndQuery.json.error.details.errors.map((fault: { field: string }) => fault.field), ["id", "author_only"])
    }))

  it.effect("a refusal never lands in an answer that is on its way: the connection is cut instead", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account({ plan: "agency" })
      const bytes = 24 * 1024 * 1024
      const put = yield* service.ask("/v1/projects/long-answer?visibility=public", { method: "PUT", body: Buffer.alloc(bytes, "."), headers: { ...bearer, "content-type": "video/mp4", "x-filename": "long.mp4" } })
      assert.strictEqual(put.status, 201, put.text)
      const request = "GET /long.mp4 HTTP/1.1\r\nHost: long-answer.svc.localhost\r\n"
      const late = (first: string, then: string) =>
        Effect.callback<string>((resume) => {
          let answer = ""
          const socket = connect(service.port, "127.0.0.1", () => socket.write(first))
          socket.setEncoding("latin1").once("data", () => socket.write(then)).on("data", (chunk) => { answer += String(chunk) })
          socket.on("error", () => undefined).once("close", () => resume(Effect.succeed(answer)))
        })
      for (const then of ["garbage\r\n\r\n", "CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443\r\n\r\n", `GET / HTTP/1.1\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`]) {
        const [head = "", body = "", ...more] = (yield* late(`${request}\r\n`, then)).split("\r\n\r\n")
        assert.match(head, /^HTTP\/1\.1 200 /, then)
        assert.deepStrictEqual([/[^.]/.exec(body)?.[0], more], [undefined, []], then)
        assert.isBelow(body.length, bytes, then)
      }
      // An error after a complete answer is answered after it.
      const after = yield* late("HEAD /long.mp4 HTTP/1.1\r\nHost: long-answer.svc.localhost\r\n\r\n", "garbage\r\n\r\n")
      assert.deepStrictEqual([...after.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]), ["200", "400"])
    }))

  it.effect("takes any JSON there is without a 500", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account()
      const headers = { ...bearer, "content-type": "application/json" }
      const bodies: ReadonlyArray<string> = [
        "", "{", "null", "[]", "\"text\"", "[".repeat(10_000) + "]".repeat(10_000), `{"name":${"{\"a\":".repeat(10_000)}1${"}".repeat(10_000)}}`,
        "{\"__proto__\":{\"name\":\"x\"}}", "{\"name\":1e400}", "{\"name\":\"a\\u0000b\"}", "{\"name\":\"\\ud800\"}", "{\"name\":\"a\\r\\nb\"}",
        " ".repeat(1_000_000), "{\"name\":\"\u202e\"}", "\ufeff{}"
      ]
      for (const body of bodies) {
        const answer = yield* service.ask("/v1/me", { method: "PATCH", body, headers })
        assert.isTrue(answer.status === 422 || answer.status === 200, `${answer.status} for ${body.slice(0, 40)}`)
        if (answer.status === 422) assert.strictEqual(answer.json.error.code, "validation_error")
      }
      const malformed = yield* service.ask("/v1/me", { method: "PATCH", body: "{\"name\":", headers })
      assert.deepStrictEqual([malformed.json.error.field, malformed.json.error.message], ["body", "Send valid JSON."])
      const large = yield* service.ask("/v1/me", { method: "PATCH", body: JSON.stringify({ name: "x".repeat(1_100_000) }), headers })
      assert.deepStrictEqual([large.status, large.json?.error.code], [413, "upload_too_large"])
      const typed = yield* service.ask("/v1/me", { method: "PATCH", body: "name=x", headers: { ...bearer, "content-type": "application/x-www-form-urlencoded" } })
      assert.deepStrictEqual([typed.status, typed.json.error.field], [422, "Content-Type"])
    }))

  it.effect("parses no JSON that nests, lists or names without end, at any door that strangers find", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account()
      const headers = { "content-type": "application/json" }
      yield* service.ask("/v1/projects/much-said?comments_enabled=true", { method: "PUT", body: "x", headers: { ...bearer, "content-type": "text/plain" } })
      const bodies = ["[".repeat(1_000_000), `[${"0,".repeat(100_001)}0]`, `{${Array.from({ length: 1_001 }, (_, at) => `"name ${at}":0`).join(",")}}`]
      for (const body of bodies) {
        const refused = yield* service.ask("/v1/auth/login", { method: "POST", body, headers })
        assert.deepStrictEqual([refused.status, refused.json.error.details.errors], [422, [
          { field: "body", message: "A body of JSON may have 64 levels, 100,000 values, and 1,000 names in one object." }
        ]])
        const commented = yield* service.ask("/_svc/comments", { method: "POST", body, headers, host: "much-said.svc.localhost" })
        assert.deepStrictEqual([commented.status, commented.json.error], [422, refused.json.error])
        const client = yield* service.ask("/oauth/register", { method: "POST", body, headers })
        assert.deepStrictEqual([client.status, client.json.error], [400, "invalid_client_metadata"])
      }
      const many = Array.from({ length: 10_000 }, (_, at) => `name${at}=1`).join("&")
      const form = yield* service.ask("/oauth/token", { method: "POST", body: many, headers: { "content-type": "application/x-www-form-urlencoded" } })
      assert.deepStrictEqual([form.status, form.json.error_description], [400, "Send application/x-www-form-urlencoded, each parameter once, a hundred of them and 64 KB at most."])
      // Of what our own page sends, only a short form is read.
      const spent = (body: string) =>
        Effect.gen(function*() {
          const before = busyFor()
          const answer = yield* service.ask("/comments/mute", { method: "POST", body, headers: { "content-type": "application/x-www-form-urlencoded" } })
          assert.strictEqual(answer.status, 400)
          return busyFor() - before
        })
      assert.isBelow(yield* spent("a&".repeat(500_000)), 10 * Math.max(yield* spent("a".repeat(1_000_000)), 20_000))
    }))

  it.effect("keeps nothing of a body that is not UTF-8, and what is UTF-8 as it came", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account()
      const named = (name: string, encoding: BufferEncoding, type: Record<string, string> = { "content-type": "application/json" }) =>
        service.ask("/v1/me", { method: "PATCH", body: Buffer.from(JSON.stringify({ name }), encoding), headers: { ...bearer, ...type } })
      for (const [name, encoding] of [["caf\xe9", "latin1"], ["a\xff", "latin1"], ["\xed\xa0\x80", "latin1"], ["café", "utf16le"]] as const) {
        for (const type of [undefined, {}, { "content-type": "application/json; charset=latin1" }]) {
          const refused = yield* named(name, encoding, type)
          assert.deepStrictEqual([refused.status, refused.json.error.code, refused.json.error.field], [422, "validation_error", "body"], name)
          shaped(refused.json)
        }
      }
      const [fault] = (yield* named("caf\xe9", "latin1")).json.error.details.errors
      assert.deepStrictEqual(fault, { field: "body", message: "Send the body in UTF-8." })
      assert.strictEqual((yield* service.ask("/v1/me", { headers: bearer })).json.user.name, "Ada Example")
      assert.strictEqual((yield* named("caf\u00e9 \ufffd \u{1f600}", "utf8")).json.name, "caf\u00e9 \ufffd \u{1f600}")
      const stranger = yield* service.ask("/v1/me", { method: "PATCH", body: Buffer.from([0x22, 0xff, 0x22]), headers: { "content-type": "application/json" } })
      assert.strictEqual(stranger.status, 401)
      const client = yield* service.ask("/oauth/register", { method: "POST", body: Buffer.from([0x22, 0xff, 0x22]), headers: { "content-type": "application/json" } })
      assert.deepStrictEqual([client.status, client.json.error], [400, "invalid_client_metadata"])
    }))

  it.effect("ignores extra and read-only fields, and lets none of them change anything", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account()
      const renamed = yield* service.ask("/v1/me", {
        method: "PATCH", json: { name: "Grace", email_verified: false, is_platform_admin: true, id: "x" }, headers: bearer
      })
      assert.strictEqual(renamed.status, 200)
      assert.deepStrictEqual([renamed.json.name, renamed.json.email_verified, renamed.json.is_platform_admin], ["Grace", true, false])
    }))

  it.effect("an address has one spelling, and unsupported requests are refused in the envelope too", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account()
      assert.strictEqual((yield* service.ask("/V1/me", { headers: bearer })).status, 404)
      // As a script writes it whose variable is empty: what it names is left alone.
      for (const [path, method] of [["/v1/projects//comment-notifications", "PUT"], ["/v1/projects//comment-notifications?visibility=private", "PUT"], ["//v1/projects/packed", "PUT"], ["/v1//projects/packed", "PUT"]] as const) {
        const emptied = yield* service.ask(path, { method, body: "<h1>Astray</h1>", headers: { ...bearer, "content-type": "text/html" } })
        assert.deepStrictEqual([emptied.status, emptied.json.error.code], [404, "not_found"], path)
        assert.include(emptied.json.error.message, "nothing between them")
      }
      assert.strictEqual((yield* service.ask("/v1/projects/comment-notifications", { headers: bearer })).status, 404)
      // What is told apart by caches and proxies is told apart here; said behind the wrong sign, a setting is not left out.
      for (const path of ["/v1/me;a.css", "/v1/me;", "/v1/me#a", "/v1/me;a=b?c=d", "/metrics;a", "/healthz;a.css", "/docs.md;a"]) {
        assert.strictEqual((yield* service.ask(path, { headers: bearer })).status, 404, path)
      }
      for (const sign of [";", "#", ";visibility=public?"]) {
        const astray = yield* service.ask(`/v1/projects/astray${sign}visibility=private`, { method: "PUT", body: "<h1>Astray</h1>", headers: { ...bearer, "content-type": "text/html", "idempotency-key": "astray" } })
        assert.deepStrictEqual([astray.status, astray.json.error.field], [422, "slug"], sign)
      }
      assert.strictEqual((yield* service.ask("/v1/projects/astray", { headers: bearer })).status, 404)
      const misspelt = yield* service.ask("/v1/me", { method: "PATCH", json: { name: "Grace", nmae: "Ada" }, headers: bearer })
      assert.deepStrictEqual([misspelt.status, misspelt.json.error.field], [422, "nmae"])
      const put = (headers: Record<string, string>) =>
        service.ask("/v1/projects/packed?visibility=public", { method: "PUT", body: "<h1>Packed</h1>", headers: { ...bearer, "content-type": "text/html", ...headers } })
      const escaped = (headers: Record<string, string>) =>
        service.ask("/%761/projects/packed", { method: "PUT", body: "le</h1>", headers: { ...bearer, "content-type": "text/html", ...headers } })
      const form = (headers: Record<string, string>) => service.ask("/v1/projects", { method: "POST", body: "--b--", headers: { ...bearer, "content-type": "multipart/form-data; boundary=b", ...headers } })
      const rename = (headers: Record<string, string>) => service.ask("/v1/me", { method: "PATCH", json: { name: "Grace" }, headers: { ...bearer, ...headers } })
      const administer = (headers: Record<string, string>) => service.ask("/v1/workspace", { method: "PATCH", json: { name: "Grace" }, headers: { ...bearer, ...headers } })
      const refused: ReadonlyArray<readonly [send: typeof put, field: string, value: string]> = [
        [put, "Content-Encoding", "gzip"], [put, "Content-Range", "bytes 1000-1999/2000"], [form, "Content-Range", "bytes 5-"], [put, "If-Unmodified-Since", "Wed, 21 Oct 2026 07:28:00 GMT"],
        [rename, "If-Unmodified-Since", "Wed, 21 Oct 2026 07:28:00 GMT"], [rename, "If-Match", "\"x\""], [rename, "If-None-Match", "*"], [administer, "If-Match", "\"x\""], [put, "If-Match", "*, \"x\""],
        [escaped, "Content-Range", "bytes 6-8/9"], [escaped, "Content-Encoding", "gzip"]
      ]
      for (const [send, field, value] of refused) {
        const { json, status } = yield* send({ [field]: value })
        assert.deepStrictEqual([status, json.error.code, json.error.field], [422, "validation_error", field])
      }
      const signIn = { body: gzipSync(JSON.stringify({ email: "ada@example.com", password: "x" })), headers: { "content-type": "application/json", "content-encoding": "gzip" } }
      assert.strictEqual((yield* service.ask("/v1/auth/login", { method: "POST", ...signIn })).json.error.field, "Content-Encoding")
      assert.strictEqual((yield* service.ask("/v1/projects/packed", { headers: bearer })).status, 404)
      assert.strictEqual((yield* rename({ "if-match": "*", "content-encoding": "identity, Identity" })).status, 200)
      for (const path of ["/v1/me", "/v1/workspace"]) {
        assert.strictEqual((yield* service.ask(path, { headers: { ...bearer, ...UNFOLLOWED, "content-encoding": "gzip", "if-unmodified-since": "x" } })).status, 200)
      }
      for (const [head, status, field] of [["", 400, null], ["Host: svc.localhost\r\nExpect: a-miracle\r\n", 417, "Expect"]] as const) {
        const [lines = "", body = ""] = (yield* raw(service.port, `GET /v1/me HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)).split("\r\n\r\n")
        assert.match(lines, new RegExp(`^HTTP/1.1 ${status} `))
        assert.match(lines, /x-request-id: [0-9a-f-]{36}/i)
        assert.match(lines, /x-content-type-options: nosniff/i)
        const sent = JSON.parse(body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1))
        shaped(sent)
        assert.deepStrictEqual([sent.error.code, sent.error.field], ["validation_error", field])
      }
      assert.match(yield* raw(service.port, "GET /v1/projects?query=Größe HTTP/1.1\r\nHost: svc.localhost\r\n\r\n"), /^HTTP\/1.1 400 [^]*Percent-encode/)
    }))

  it.effect("a request is for the one host that its target names; any other is refused in the envelope", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const told = (head: string) =>
        Effect.map(raw(service.port, `${head}\r\nConnection: close\r\n\r\n`), (answer) => [Number(answer.split(" ")[1]), /"code":"(\w+)"/.exec(answer)?.[1]] as const)
      const here = "Host: svc.localhost"
      assert.deepStrictEqual(yield* told(`GET http://svc.localhost/healthz HTTP/1.1\r\nHost: elsewhere.example`), [200, undefined])
      assert.deepStrictEqual(yield* told(`GET HTTP://SVC.localhost:${service.port}/v1/me HTTP/1.1\r\n${here}`), [401, "auth_required"])
      for (const target of ["http://elsewhere.example/v1/me", "http://svc.localhost:x@elsewhere.example/v1/me", "http://%/v1/me", "http:///v1/me", "http://[::1", "ftp://svc.localhost/", "*"]) {
        assert.deepStrictEqual(yield* told(`GET ${target} HTTP/1.1\r\n${here}`), [404, "not_found"], target)
      }
      // Somebody in front may take the part behind the colon for the host.
      for (const host of ["svc.localhost:80, elsewhere.example", "svc.localhost:x@elsewhere.example"]) {
        assert.deepStrictEqual(yield* told(`GET /v1/me HTTP/1.1\r\nHost: ${host}`), [404, "not_found"], host)
      }
      assert.deepStrictEqual(yield* told(`OPTIONS * HTTP/1.1\r\n${here}`), [404, "not_found"])
      for (const [first, second] of [["svc.localhost", "elsewhere.example"], ["elsewhere.svc.localhost", "svc.localhost"], ["svc.localhost", "svc.localhost"]]) {
        assert.deepStrictEqual(yield* told(`GET /v1/me HTTP/1.1\r\nHost: ${first}\r\nhOST: ${second}`), [400, "validation_error"])
      }
      assert.deepStrictEqual(yield* told(`CONNECT svc.localhost:443 HTTP/1.1\r\n${here}`), [400, "validation_error"])
      assert.strictEqual((yield* service.ask("/healthz")).status, 200)
    }))

  it.effect("a host with a trailing dot redirects reads to the configured address, and is unknown to other requests", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const told = (line: string, host: string) =>
        Effect.map(raw(service.port, `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`), (answer) =>
          [Number(answer.split(" ")[1]), /^location: (.*)\r$/im.exec(answer)?.[1] ?? /"code":"(\w+)"/.exec(answer)?.[1]] as const)
      const at = (host: string) => `http://${host}:${service.port}`
      const cases = [
        ["GET /v1/me?a=%20b", "svc.localhost.", `${at("svc.localhost")}/v1/me?a=%20b`],
        ["HEAD /a//b?c=\\d", `Plan.svc.localhost.:${service.port}`, `${at("plan.svc.localhost")}/a//b?c=\\d`],
        ["GET //evil.example", "plan.svc.localhost.", `${at("plan.svc.localhost")}//evil.example`],
        ["GET http://plan.svc.localhost./x?y", "elsewhere.example", `${at("plan.svc.localhost")}/x?y`],
        ["GET http://plan.svc.localhost.:80?y", "plan.svc.localhost", `${at("plan.svc.localhost")}/?y`]
      ] as const
      for (const [line, host, location] of cases) assert.deepStrictEqual(yield* told(line, host), [308, location], `${line} ${host}`)
      for (const [line, host] of [
        ["POST /v1/auth/login", "svc.localhost."], ["DELETE /", "plan.svc.localhost."], ["GET /", "elsewhere.example."], ["GET /", "a.b.svc.localhost."],
        ["GET /", "evil.example/.svc.localhost."], ["GET /", ".svc.localhost."], ["GET /", "plan.svc.localhost.."]
      ] as const) assert.deepStrictEqual(yield* told(line, host), [404, "not_found"], `${line} ${host}`)
      assert.strictEqual((yield* told("GET /healthz", "svc."))[0], 200)
    }))

  it.effect("keeps an idle connection for longer than proxies do, at every host", () =>
    Effect.gen(function*() {
      const service = yield* Service
      for (const [path, host] of [["/v1/me", "svc.localhost"], ["/", "any.svc.localhost"]] as const) {
        const { headers } = yield* service.ask(path, { host, headers: { connection: "keep-alive" } })
        assert.isAbove(Number(/^timeout=(\d+)$/.exec(String(headers["keep-alive"]))?.[1]), 120, host)
      }
    }))

  it.effect("gives every answer a request id, and keeps a sane one", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const kept = yield* service.ask("/v1/nothing", { headers: { "x-request-id": "trace-0123456789" } })
      assert.strictEqual(kept.headers["x-request-id"], "trace-0123456789")
      assert.strictEqual(kept.headers["x-content-type-options"], "nosniff")
      const replaced = yield* service.ask("/v1/nothing", { headers: { "x-request-id": "<script>" } })
      assert.match(String(replaced.headers["x-request-id"]), /^[0-9a-f-]{36}$/)
    }))

  it.effect("a defect is a 500 that says nothing but its request id; a database that is away is a 503", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account()
      const sql = yield* service.inside(SqlClient.SqlClient)
      yield* Effect.orDie(sql`ALTER TABLE workspaces RENAME COLUMN plan TO plan_away`)
      const broken = yield* service.ask("/v1/me", { headers: bearer })
      yield* Effect.orDie(sql`ALTER TABLE workspaces RENAME COLUMN plan_away TO plan`)
      assert.deepStrictEqual([broken.status, broken.json.error.code], [500, "internal_error"])
      shaped(broken.json)
      assert.deepStrictEqual(broken.json.error.details, { request_id: broken.headers["x-request-id"] })
      assert.isFalse(/column|plan|sql/i.test(broken.text))
      yield* Effect.orDie(sql`ALTER TABLE oauth_clients RENAME COLUMN name TO name_away`)
      const oauth = yield* service.ask("/oauth/revoke", { method: "POST", body: "token=x&client_id=x", headers: form })
      yield* Effect.orDie(sql`ALTER TABLE oauth_clients RENAME COLUMN name_away TO name`)
      assert.deepStrictEqual([oauth.status, oauth.headers["cache-control"]], [500, "no-store"])
      assert.deepStrictEqual(oauth.json, { error: "server_error", error_description: broken.json.error.message })
      assert.strictEqual((yield* service.ask("/v1/me", { headers: bearer })).status, 200)
    }))

  it.effect("a database without a connection to spare is told in the log from one that is gone, and from what others hold, by codes alone", () =>
    Effect.gen(function*() {
      const facts = yield* freshDatabaseFacts
      const username = `${facts.database}_full`
      const sql = yield* (yield* Service).inside(SqlClient.SqlClient)
      yield* Effect.orDie(sql`CREATE ROLE ${sql(username)} LOGIN CONNECTION LIMIT 0`)
      const letGo = yield* Effect.provideService(locked("LOCK TABLE spent_keys"), SqlClient.SqlClient, sql)
      const asked = SqlClient.SqlClient.use((sql) => sql`SELECT 1`)
      for (const [code, message, program] of [
        ["53300", "database away", Effect.provide(asked, DatabaseEmbedded({ ...facts, username }))],
        ["ENOENT", "database away", Effect.provide(asked, DatabaseEmbedded({ ...facts, host: `${facts.host}/gone` }))],
        ["55P03", "waited too long for others", sql.withTransaction(sql`LOCK TABLE spent_keys NOWAIT`)]
      ] as const) {
        const lines: Array<string> = []
        const cause = yield* Effect.flip(Effect.sandbox(program))
        const failure = yield* failureOf(cause).pipe(
          Effect.provideService(RequestId, "trace"),
          Effect.provide(OutagesSql),
          Effect.provide(Logger.layer([Logger.make((options) => void lines.push(Logger.formatJson.log(options)))]))
        )
        assert.strictEqual(failure._tag, "unavailable")
        assert.lengthOf(lines, 1)
        assert.deepInclude(JSON.parse(lines[0]!), { message, annotations: { code } })
      }
      yield* letGo
      yield* Effect.orDie(sql`DROP ROLE ${sql(username)}`)
    }))

  it.effect("a connection to the database that is reset is an outage, also once all of the request's body is here, and no client that went away", () =>
    Effect.gen(function*() {
      const outages = yield* Effect.provide(Outages, OutagesSql)
      const cut = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })
      const failing = HttpServerRequest.HttpServerRequest.use(({ text }) => text).pipe(
        Effect.andThen(Effect.die(new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: cut, message: "Socket error" }) })))
      )
      const listener = yield* NodeHttpServer.makeHandler(enveloped(outages)(failing), { scope: yield* Effect.scope })
      const server = createServer(listener)
      yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
      yield* Effect.addFinalizer(() => Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve()))))
      const { port } = server.address() as AddressInfo
      const answer = yield* Effect.promise(() => ask(port, "/v1/projects/cut-off", { method: "PUT", body: "<p>kept</p>" }))
      assert.deepStrictEqual([answer.status, answer.json?.error.code, answer.headers["retry-after"]], [503, "unavailable", "2"])
    }))

  it.effect("answers 503 with Retry-After while the database is away, says so in /readyz, and recovers by itself", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      yield* service.ask("/v1/projects/kept-page", { method: "PUT", body: "<p>kept</p>", headers: { ...account.bearer, "content-type": "text/html" } })
      yield* service.database.away
      const api = yield* service.ask("/v1/me", { headers: account.bearer })
      assert.deepStrictEqual([api.status, api.json.error.code, api.headers["retry-after"]], [503, "unavailable", "2"])
      // OAuth clients understand only these error codes, and take any other for a reason to ask for consent anew.
      for (const [path, asked] of [
        ["/oauth/token", { body: "grant_type=refresh_token&refresh_token=x&client_id=x", headers: form }], ["/oauth/revoke", { body: "token=x&client_id=x", headers: form }],
        ["/oauth/device_authorization", { body: "client_id=x", headers: form }], ["/oauth/register", { json: { redirect_uris: ["https://agent.example/cb"] } }]
      ] as const) {
        const oauth = yield* service.ask(path, { method: "POST", ...asked })
        assert.deepStrictEqual([oauth.status, oauth.headers["retry-after"], oauth.headers["cache-control"]], [503, "2", "no-store"], path)
        assert.deepStrictEqual(oauth.json, { error: "temporarily_unavailable", error_description: api.json.error.message }, path)
        const read = yield* Effect.promise(() => parseErrorResponse(new Response(oauth.text, { status: oauth.status })))
        assert.strictEqual(read.errorCode, "temporarily_unavailable")
      }
      const page = yield* service.ask("/", { host: "kept-page.svc.localhost" })
      assert.deepStrictEqual([page.status, page.headers["retry-after"]], [503, "2"])
      // Links that people follow show them a page; programs get the envelope there too, and browsers everywhere else in the API.
      const cookie = "__Host-svc_session=any"
      const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
      for (const [path, accept, shown] of [
        ["/v1/gate/member?slug=kept-page&way=open", browser, true], ["/v1/gate/member?slug=kept-page&way=open", "*/*", false],
        ["/v1/gate/member?slug=kept-page&way=open", "application/json, text/html;q=0.9", false],
        ["/v1/exports/01a0b1c2-0000-7000-8000-000000000000/download", browser, true], ["/v1/me", browser, false]
      ] as const) {
        const { headers, status, text } = yield* service.ask(path, { headers: { ...(path === "/v1/me" || path.includes("exports") ? account.bearer : { cookie }), accept } })
        assert.deepStrictEqual([status, headers["retry-after"], headers["cache-control"], /^<!doctype html>[^]*Out of reach for a moment/i.test(text)], [503, "2", "no-store", shown], `${path} ${accept}`)
      }
      const ready = yield* service.ask("/readyz")
      assert.deepStrictEqual([ready.status, ready.json.database, ready.json.blobs], [503, "unavailable", "ok"])
      assert.strictEqual((yield* service.ask("/healthz")).status, 200)
      yield* service.database.back
      yield* service.ask("/readyz").pipe(Effect.repeat({ until: (answer) => answer.status === 200, schedule: Schedule.spaced("50 millis"), times: 4_800 }))
      assert.strictEqual((yield* service.ask("/v1/me", { headers: account.bearer })).status, 200)
      assert.strictEqual((yield* service.ask("/", { host: "kept-page.svc.localhost" })).text, "<p>kept</p>")
    }))

  it.effect("cookies that no head has room for are cleared, for projects and service alike; a long address clears none", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const cookies = (many: number) => Array.from({ length: many }, (_, index) => `full${index}=${"x".repeat(4_000)}`).join("; ")
      for (const [host, many] of [["svc.localhost", 5], ["any.svc.localhost", 5], ["any.svc.localhost", 150]] as const) {
        const answer = yield* raw(service.port, `GET / HTTP/1.1\r\nHost: ${host}:${service.port}\r\nAccept: text/html\r\nCookie: ${cookies(many)}\r\n\r\n`)
        assert.match(answer, /^HTTP\/1\.1 431 Request Header Fields Too Large(?=[^]*\r\nClear-Site-Data: "cookies"\r\n)(?=[^]*\r\nConnection: close\r\n)/, host)
        const told = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))
        shaped(told)
        assert.include(told.error.message, "try again")
      }
      for (const [status, request] of [
        [431, `GET /?${"a".repeat(20_000)} HTTP/1.1\r\nHost: svc.localhost\r\nCookie: a=b\r\n\r\n`],
        [431, `GET /?${"a".repeat(15_500)} HTTP/1.1\r\nHost: svc.localhost\r\nCookie: a=${"b".repeat(2_000)}\r\n\r\n`],
        [400, "GET / HTTP/1.1\r\nHost : svc.localhost\r\nCookie: a=b\r\n\r\n"],
        [400, "GET / HTTP/1.1\r\nCookie: a=b\r\nConnection: close\r\n\r\n"]
      ] as const) {
        const answer = yield* raw(service.port, request)
        assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
        assert.notMatch(answer, /clear-site-data/i)
      }
      // Proxies and networks cut a head into pieces anywhere.
      const long = (letters: number) => `GET /?${"a".repeat(letters)} HTTP/1.1\r\nHost: svc.localhost\r\nCookie: a=${"b".repeat(2_000)}\r\n\r\n`
      for (const [head, at] of [[long(20_000), 14_480], [long(20_000), 16_000], [long(15_500), 14_480], [long(15_500), long(15_500).indexOf("Host")]] as const) {
        const answer = yield* raw(service.port, head.slice(0, at), head.slice(at))
        assert.match(answer, /^HTTP\/1\.1 431 (?![^]*clear-site-data)/i, `${head.length} in pieces at ${at}`)
      }
      for (const cookie of [cookies(5), Array.from({ length: 5 }, (_, index) => `full${index}=${"A ".repeat(2_000)}`).join("; ")]) {
        for (const at of [4_096, 14_480, 14_481]) {
          const head = `GET / HTTP/1.1\r\nHost: svc.localhost\r\nCookie: ${cookie}\r\n\r\n`
          assert.match(yield* raw(service.port, head.slice(0, at), head.slice(at)), /^HTTP\/1\.1 431 [^]*\r\nClear-Site-Data: "cookies"\r\n/, `cookies in pieces at ${at}`)
        }
      }
    }))

  it.effect("refuses oversized, contradictory and dripping heads, and others go on", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const drips = yield* Effect.forkChild(dripping(service.port))
      const host = `Host: svc.localhost:${service.port}\r\n`
      assert.match(yield* raw(service.port, `GET / HTTP/1.1\r\n${host}X-Big: ${"a".repeat(20_000)}\r\n\r\n`), /^HTTP\/1\.1 431 [^]*"code":"validation_error"/)
      assert.match(
        yield* raw(service.port, `POST /v1/auth/login HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
        /^HTTP\/1\.1 400 /
      )
      // Heads that hide a second request from one of two parsers: by a second length, or by a header folded onto the next line.
      for (const head of ["Content-Length: 4\r\nContent-Length: 5", "Transfer-Encoding: chunked, identity", "Transfer-Encoding : chunked", "Content-Length: 4\r\n Transfer-Encoding: chunked", "Host: elsewhere.example"]) {
        assert.match(yield* raw(service.port, `POST /v1/auth/login HTTP/1.1\r\n${host}${head}\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n${host}\r\n`), /^HTTP\/1\.1 400 (?![^]*HTTP\/1\.1 200)/, head)
      }
      assert.match(yield* raw(service.port, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"), /^HTTP\/1\.1 400 /)
      assert.strictEqual((yield* service.ask("/healthz")).status, 200)
      const { answer, seconds } = yield* Fiber.join(drips)
      assert.match(answer, /^HTTP\/1\.1 408 [^]*Connection: close[^]*"code":"validation_error"/)
      assert.isBelow(seconds, 60)
    }))
})

layer(serviceWith({ SVC_BASE_URL: "https://svc.example.com", SVC_CONTENT_DOMAIN: "example.com" }), { excludeTestServices: true })("a service beneath its content domain", (it) => {
  it.effect("answers at its own host, and projects at theirs", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account()
      assert.strictEqual((yield* service.ask("/v1/me", { host: "svc.example.com", headers: bearer })).status, 200)
      yield* service.ask("/v1/projects/beside", { method: "PUT", body: "<p>beside</p>", host: "svc.example.com", headers: { ...bearer, "content-type": "text/html" } })
      assert.include((yield* service.ask("/", { host: "beside.example.com" })).text, "<p>beside</p>")
    }))
})
