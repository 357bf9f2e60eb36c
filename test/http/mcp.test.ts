/** `/mcp`: both lines of the official client reach a tool from a bare address; everybody else is refused in order. */
import { request } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { Arrival } from "../../src/http/server/mcp.ts"
import { agentBefore, agentNow, consent } from "../support/agents.ts"
import { approved, posted, register, signIn } from "../support/oauth.ts"
import type { Account } from "../support/service.ts"
import { Service, serviceWith } from "../support/service.ts"

type It = typeof Service.Service

const publish = (service: It, { bearer }: Account, slug: string) =>
  service.ask(`/v1/projects/${slug}?visibility=password`, { method: "PUT", body: "hello", headers: { ...bearer, "content-type": "text/plain" } })

/** One hand-written message, in the newest stateless revision of the 2025 line. */
const send = (service: It, headers: Record<string, string>, method: string, params: unknown = {}) =>
  Effect.map(
    service.ask("/mcp", {
      headers: { accept: "application/json, text/event-stream", ...headers },
      json: { jsonrpc: "2.0", id: 1, method, params }
    }),
    (answer) => ({ ...answer, message: JSON.parse(/^data: (.*)$/m.exec(answer.text)?.[1] ?? (answer.text === "" ? "null" : answer.text)) })
  )

const call = (service: It, headers: Record<string, string>, given: unknown) =>
  Effect.map(send(service, headers, "tools/call", { name: "list_projects", arguments: given }), ({ message }) => message.result)

/** A long message whose last bytes do not come. */
const halfSent = async ({ port }: It, { bearer }: Account) => {
  const half = request({ host: "127.0.0.1", port, path: "/mcp", method: "POST", headers: { host: `svc.localhost:${port}`, ...bearer, "content-type": "application/json", "content-length": 300_000 } })
  half.on("error", () => {}).write("x".repeat(200_000))
  await new Promise<void>((resolve) => half.once("drain", resolve).writableNeedDrain || resolve())
  return half
}

const refusalOf = (result: { isError: boolean; content: ReadonlyArray<{ text: string }> }) => {
  assert.strictEqual(result.isError, true)
  assert.notProperty(result, "structuredContent")
  return JSON.parse(result.content[0]!.text).error
}

layer(serviceWith(), { excludeTestServices: true })("the agents’ door", (it) => {
  const lines = [
    ["client 1.x", (service: It) => agentBefore(service), undefined],
    ["client 2.x, as it comes", (service: It) => agentNow(service, "legacy"), "2025-11-25"],
    ["client 2.x, newest revision", (service: It) => agentNow(service, "auto"), "2026-07-28"]
  ] as const

  for (const [index, [name, agentOf, revision]] of lines.entries()) {
    it.effect(`${name}: from a bare address to a tool's answer, and out again`, () =>
      Effect.gen(function*() {
        const service = yield* Service
        const account = yield* service.account()
        const stranger = yield* service.account()
        const session = yield* signIn(service, account.email)
        yield* publish(service, account, `agents-own-${index}`)
        yield* publish(service, stranger, `agents-foreign-${index}`)

        yield* Effect.promise(async () => {
          const agent = agentOf(service)
          const refused = await agent.first().then(() => undefined, (error: Error) => error)
          assert.strictEqual(refused?.constructor.name, "UnauthorizedError")
          assert.deepStrictEqual(agent.asked, [
            "POST /mcp 401",
            "GET /.well-known/oauth-protected-resource 200",
            "GET /.well-known/oauth-authorization-server 200",
            "POST /oauth/register 201"
          ])
          assert.strictEqual(agent.kept.sentTo?.searchParams.get("resource"), `http://svc.localhost:${service.port}/mcp`)
          assert.strictEqual(agent.kept.sentTo?.searchParams.get("scope"), "mcp")
          await agent.finish(await consent(service, session, agent.kept.sentTo!))

          const client = await agent.connect()
          if ("getNegotiatedProtocolVersion" in client) assert.strictEqual(client.getNegotiatedProtocolVersion(), revision)
          assert.deepInclude(client.getServerVersion(), { name: "svc", version: "0.1.0" })
          assert.include(client.getInstructions(), "list_projects")
          const { tools } = await client.listTools()
          const listing = tools.find((tool) => tool.name === "list_projects")
          assert.deepInclude(listing, { title: "List projects" })
          assert.strictEqual(listing?.annotations?.readOnlyHint, true)
          assert.hasAllKeys(listing?.inputSchema.properties, ["workspace", "folder_id", "query", "cursor", "limit"])
          assert.hasAllKeys(listing?.outputSchema?.["properties"], ["projects", "usage", "workspaces", "next_cursor"])

          const result = await client.callTool({ name: "list_projects", arguments: {} })
          const { projects, usage } = result["structuredContent"] as { projects: ReadonlyArray<Record<string, unknown>>; usage: unknown }
          assert.deepStrictEqual(projects.map(({ slug }) => slug), [`agents-own-${index}`])
          assert.deepInclude(projects[0], { kind: "text", version: 1, visibility: "password", url: `http://agents-own-${index}.svc.localhost:${service.port}` })
          assert.notProperty(projects[0], "password")
          assert.deepInclude(usage, { projects: 1, storage_bytes: 5 })
          const [{ text }] = result["content"] as [{ text: string }]
          assert.include(text, `agents-own-${index}`)
          assert.notInclude(JSON.stringify(result), `agents-foreign-${index}`)

          const { access_token } = agent.kept.tokens!
          const elsewhere = await Effect.runPromise(service.ask("/v1/projects", { headers: { authorization: `Bearer ${access_token}` } }))
          assert.deepStrictEqual([elsewhere.status, elsewhere.json.error.code], [401, "auth_required"])
          const { client_id } = agent.kept.client!
          assert.strictEqual((await Effect.runPromise(posted(service, "/oauth/revoke", { client_id, token: access_token }))).status, 200)
          agent.asked.length = 0
          await client.callTool({ name: "list_projects", arguments: {} }).then(() => assert.fail("still open"), () => undefined)
          assert.strictEqual(agent.asked[0], "POST /mcp 401")
        })
      }))
  }

  it.effect("an API token needs no consent; revisions of both lines are spoken; no stream is held open", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account()
      const before = yield* Effect.promise(() => agentBefore(service, bearer).connect())
      assert.deepStrictEqual((yield* Effect.promise(() => before.callTool({ name: "list_projects", arguments: {} })))["content"], [{ type: "text", text: "No projects here.\nIn all: 0 projects, 0 bytes, 1 seat taken." }])
      for (const protocolVersion of ["2025-11-25", "2025-06-18"]) {
        const { message, status } = yield* send(service, bearer, "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "hand", version: "1" } })
        assert.deepStrictEqual([status, message.result.protocolVersion, message.result.capabilities], [200, protocolVersion, { tools: { listChanged: false } }])
      }
      const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "hand", version: "1" } }
      for (const [method, params, message] of [
        ["initialize", { ...hello, protocolVersion: null }, "params.protocolVersion: expected string, received null."],
        ["initialize", { ...hello, protocolVersion: 5 }, "params.protocolVersion: expected string, received number."],
        ["initialize", { ...hello, protocolVersion: undefined, clientInfo: "hand" }, "params.protocolVersion: expected string, received undefined. params.clientInfo: expected object, received string."],
        ["tools/list", { cursor: 5 }, "params.cursor: expected string, received number."]
      ] as const) assert.deepStrictEqual((yield* send(service, bearer, method, params)).message, { jsonrpc: "2.0", id: 1, error: { code: -32602, message } })
      const asked = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "hand", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {}
      }
      const modern = (method: string, params = {}) =>
        send(service, { ...bearer, "mcp-protocol-version": "2026-07-28", "mcp-method": method }, method, { ...params, _meta: asked })
      const discovered = yield* modern("server/discover")
      assert.include(discovered.message.result.supportedVersions, "2026-07-28")
      assert.deepStrictEqual((yield* modern("tools/list", { cursor: 5 })).message.error, { code: -32602, message: "params.cursor: expected string, received number." })
      const listening = yield* modern("subscriptions/listen", { notifications: { toolsListChanged: true } })
      const heard = [...listening.text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!))
      assert.deepStrictEqual(heard.map(({ params, result }) => params?.notifications ?? result.resultType), [{}, "complete"])
    }))

  it.effect("no token, a dead one, or one of another kind: 401 before anything is read", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const session = yield* signIn(service, account.email)
      const { client_id } = (yield* register(service)).json as { client_id: string }
      const tokens = (yield* posted(service, "/oauth/token", yield* approved(service, session, client_id))).json
      for (const headers of [{}, session, { authorization: "Bearer svc_nothing" }, { authorization: `Bearer ${tokens.refresh_token}` }, { authorization: `Basic ${account.token}` }, { authorization: `Bearer ${account.token} ${account.token}` }] as ReadonlyArray<Record<string, string>>) {
        for (const question of [{ method: "POST", body: "{" }, { method: "POST", body: "x".repeat(64) }, { method: "GET" }]) {
          const refused = yield* service.ask(`/mcp?access_token=${account.token}`, { ...question, headers })
          assert.deepStrictEqual([refused.status, refused.json.error.code, refused.headers["cache-control"]], [401, "auth_required", "no-store"])
          assert.match(refused.headers["www-authenticate"]!, /^Bearer resource_metadata="http:[^"]+\/\.well-known\/oauth-protected-resource", scope="mcp"/)
        }
      }
      assert.strictEqual((yield* send(service, { authorization: `Bearer ${tokens.access_token}` }, "ping")).status, 200)
    }))

  it.effect("a page of another origin, another host, another method, too much", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account()
      const own = `http://svc.localhost:${service.port}`
      for (const origin of ["https://evil.example", "null", "http://svc.localhost", `http://page.svc.localhost:${service.port}`, `${own}.evil.example`, "not an origin"]) {
        const refused = yield* send(service, { ...bearer, origin }, "ping")
        assert.deepStrictEqual([refused.status, refused.json.error.code], [403, "forbidden"], origin)
        assert.notProperty(refused.headers, "access-control-allow-origin")
      }
      assert.strictEqual((yield* send(service, { ...bearer, origin: own }, "ping")).status, 200)
      assert.strictEqual((yield* service.ask("/mcp", { method: "POST", host: "evil.example", headers: bearer })).status, 404)

      for (const method of ["GET", "DELETE", "PUT"]) {
        const refused = yield* service.ask("/mcp", { method, headers: { ...bearer, accept: "text/event-stream" } })
        assert.deepStrictEqual([refused.status, refused.headers["allow"], refused.json.error.code], [405, "POST", "method_not_allowed"], method)
      }

      const garbled = yield* service.ask("/mcp", {
        method: "POST", body: Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"pad":"caf\xe9"}}}`, "latin1"),
        headers: { ...bearer, "content-type": "application/json", accept: "application/json, text/event-stream" }
      })
      assert.deepStrictEqual([garbled.status, garbled.json.error.code], [400, -32700])

      const padded = (bytes: number) => ({ jsonrpc: "2.0", id: 1, method: "ping", params: { _meta: { pad: "x".repeat(bytes) } } })
      const ask = (json: unknown) => service.ask("/mcp", { json, headers: { ...bearer, accept: "application/json, text/event-stream" } })
      assert.strictEqual((yield* ask(padded(4 * 1024 * 1024 - 200))).status, 200)
      const large = yield* ask(padded(4 * 1024 * 1024))
      assert.deepStrictEqual([large.status, large.json.error.code], [413, "upload_too_large"])
      assert.include(large.json.error.message, "begin_upload")
      const names = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`name ${at}`, 0]))
      for (const params of [{ _meta: names }, { name: "publish", arguments: names }, { name: "publish", arguments: { files: [names] } }, { name: "publish", arguments: { files: Array(100_000).fill(0) } }]) {
        const crowded = yield* ask({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
        assert.deepStrictEqual([crowded.status, crowded.json.error.code, crowded.json.error.field], [422, "validation_error", "body"])
      }
      const bare = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_projects" } }
      const without = (yield* ask(bare)).text
      assert.include(without, "structuredContent")
      for (const accept of [{}, { accept: "*/*" }, { accept: "text/html, */*;q=0.8" }]) assert.strictEqual((yield* service.ask("/mcp", { json: bare, headers: { ...bearer, ...accept } })).text, without)
      assert.strictEqual((yield* service.ask("/mcp", { json: bare, headers: { ...bearer, accept: "text/html" } })).status, 406)
      for (const params of [{ ...bare.params, arguments: null }, { ...bare.params, arguments: null, _meta: null }]) assert.strictEqual((yield* ask({ ...bare, params })).text, without)
      const listed = { jsonrpc: "2.0", id: 1, method: "tools/list" }
      const tools = (yield* ask(listed)).text
      for (const params of [null, { cursor: null, _meta: null }]) assert.strictEqual((yield* ask({ ...listed, params })).text, tools)
      const batch = (size: number) => Array.from({ length: size }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }))
      assert.strictEqual((yield* ask(batch(10))).status, 200)
      for (const [revision, status] of [["2025-03-26", 200], ["2025-06-18", 400], ["2025-11-25", 400]] as const) {
        const answer = yield* service.ask("/mcp", { json: batch(2), headers: { ...bearer, accept: "application/json, text/event-stream", "mcp-protocol-version": revision } })
        assert.strictEqual(answer.status, status, revision)
        if (status === 400) assert.deepInclude(answer.json, { jsonrpc: "2.0", id: null, error: { code: -32600, message: "From revision 2025-06-18 on, send each message by itself." } })
      }
      for (const marks of ["", "\uFEFF\uFEFF"]) {
        const crowd = yield* service.ask("/mcp", { method: "POST", body: `${marks}${JSON.stringify(batch(11))}`, headers: { ...bearer, "content-type": "application/json", accept: "application/json, text/event-stream" } })
        assert.deepStrictEqual([crowd.status, crowd.json.error.code, crowd.json.error.field], [422, "validation_error", "body"])
      }
      assert.strictEqual((yield* service.ask("/mcp", { method: "POST", body: "{", headers: { ...bearer, "content-type": "application/json", accept: "application/json, text/event-stream" } })).status, 400)
    }))

  it.effect("the answers to a batch end, also where it cancels what it asks", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account()
      const batch = (json: unknown, headers: Record<string, string> = {}) =>
        service.ask("/mcp", { json, headers: { ...bearer, accept: "application/json, text/event-stream", ...headers } })
      const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" })
      const listed = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_projects" } }
      const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }
      for (const headers of [{}, { "mcp-protocol-version": "2025-03-26" }] as const) {
        for (const one of [ping(1), listed]) {
          for (const sent of [[one, cancelled], [cancelled, one], [ping("1"), one, cancelled, ping(2)]]) {
            const { status, text } = yield* batch(sent, headers)
            assert.strictEqual(status, 200)
            const ids = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!).id)
            assert.sameMembers(ids, sent.flatMap((message) => "id" in message ? [message.id] : []), text)
          }
        }
      }
      assert.strictEqual((yield* batch([cancelled])).status, 202)
    }))

  it.effect("a batch with one id for two requests is refused before either runs", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account()
      const batch = (json: unknown) => service.ask("/mcp", { json, headers: { ...bearer, accept: "application/json, text/event-stream" } })
      const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" })
      const made = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "publish", arguments: { slug: "agents-twice", text: "hello", file_name: "a.txt" } } }
      for (const sent of [[made, made], [made, ping(2), ping(1)]]) {
        const refused = yield* batch(sent)
        assert.deepStrictEqual([refused.status, refused.json], [400, { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Give each request of a batch an id of its own." } }])
      }
      assert.strictEqual((yield* service.ask("/v1/projects/agents-twice", { headers: bearer })).status, 404)
      assert.strictEqual((yield* batch([made, ping("1")])).status, 200)
      assert.strictEqual((yield* service.ask("/v1/projects/agents-twice", { headers: bearer })).status, 200)
    }))

  it.effect("a faulty call gets a tool error with the envelope's code", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const stranger = yield* service.account()
      const faulty = refusalOf(yield* call(service, account.bearer, { limit: 0, folder_id: "none", query: 7 }))
      assert.strictEqual(faulty.code, "validation_error")
      assert.sameMembers(faulty.details.errors.map(({ field }: { field: string }) => field), ["limit", "folder_id", "query"])
      for (const given of ["text", [1]]) {
        const refused = yield* send(service, account.bearer, "tools/call", { name: "list_projects", arguments: given })
        assert.isTrue(refused.message.error !== undefined || refused.message.result.isError)
      }
      const foreign = refusalOf(yield* call(service, account.bearer, { workspace: stranger.workspaceId }))
      assert.deepInclude(foreign, { code: "not_found", field: "workspace" })
      const nothing = yield* call(service, account.bearer, { workspace: null, cursor: null, query: null, unknown: 1 })
      assert.deepStrictEqual(nothing.structuredContent.projects, [])

      for (const slug of ["agents-a", "agents-b", "agents-c"]) yield* publish(service, account, slug)
      const first = yield* call(service, account.bearer, { limit: 2 })
      assert.include(first.content[0].text, first.structuredContent.next_cursor)
      const rest = yield* call(service, account.bearer, { limit: 2, cursor: first.structuredContent.next_cursor })
      assert.deepStrictEqual(
        [...first.structuredContent.projects, ...rest.structuredContent.projects].map(({ slug }) => slug),
        ["agents-c", "agents-b", "agents-a"]
      )
      assert.strictEqual(rest.structuredContent.next_cursor, null)
    }))

  it.effect("of long messages two are taken of a person at once; short ones, and another's, are answered meanwhile", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [eve, bob] = [yield* service.account(), yield* service.account()]
      const long = { query: "x".repeat(300_000) }
      const answered: Array<string> = []
      const sent = (name: string, { bearer }: Account) =>
        Effect.forkChild(Effect.tap(send(service, bearer, "tools/call", { name: "list_projects", arguments: long }), () => Effect.sync(() => answered.push(name))))
      const halves = yield* Effect.promise(() => Promise.all([eve, eve].map((account) => halfSent(service, account))))
      // By the time that these are answered, both have come.
      for (let at = 0; at < 10; at++) yield* call(service, eve.bearer, {})
      const third = yield* sent("eve", eve)
      yield* Fiber.join(yield* sent("bob", bob))
      for (let at = 0; at < 10; at++) yield* call(service, eve.bearer, {})
      assert.deepStrictEqual(answered, ["bob"])
      halves[0]!.destroy()
      yield* Fiber.join(third)
      halves[1]!.destroy()
    }))
})

layer(Layer.provide(serviceWith(), Layer.succeed(Arrival, "1 second")), { excludeTestServices: true })("long messages that never end", (it) => {
  it.effect("give up their turns: sixteen of them, each of another person, hold nobody up for long", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const bob = yield* service.account()
      const all = yield* Effect.forEach(Array.from({ length: 16 }), () => service.account())
      const halves = yield* Effect.promise(() => Promise.all(all.map((one) => halfSent(service, one))))
      const told = halves.map((half) => new Promise((resolve) => half.on("response", ({ statusCode }) => resolve(statusCode))))
      const { message } = yield* send(service, bob.bearer, "tools/call", { name: "list_projects", arguments: { query: "x".repeat(300_000) } })
      assert.include(refusalOf(message.result), { code: "validation_error", field: "query" })
      assert.deepStrictEqual([...new Set(yield* Effect.promise(() => Promise.all(told)))], [408])
      for (const half of halves) half.destroy()
    }))
})
