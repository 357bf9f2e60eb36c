/** What a client learns before it connects agrees with what it finds afterwards. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Service, serviceWith } from "../../support/service.ts"

layer(serviceWith(), { excludeTestServices: true })("the agents’ card", (it) => {
  it.effect("from the host alone over the catalog and the card to the door, at every revision it names", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account()
      const base = `http://svc.localhost:${service.port}`
      const open = (answer: { headers: Record<string, unknown> }) => assert.deepInclude(answer.headers, { "access-control-allow-origin": "*", "cache-control": "public, max-age=3600" })

      const catalog = yield* service.ask("/.well-known/ai-catalog.json", { headers: { origin: "https://anybody.example" } })
      open(catalog)
      assert.strictEqual(catalog.headers["content-type"], "application/ai-catalog+json")
      assert.strictEqual(catalog.json.specVersion, "1.0")
      assert.deepStrictEqual(catalog.json.entries, [{ identifier: "urn:air:svc.localhost:mcp:svc", type: "application/mcp-server-card+json", url: `${base}/mcp/server-card` }])

      const found = yield* service.ask(new URL(catalog.json.entries[0].url).pathname)
      open(found)
      assert.strictEqual(found.headers["content-type"], "application/mcp-server-card+json")
      assert.deepStrictEqual((yield* service.ask("/.well-known/mcp/server-card.json")).json, found.json)
      const { description, name, remotes: [remote], title, version } = found.json
      assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
      assert.isAtMost(description.length, 100)
      assert.deepInclude(remote, { type: "streamable-http", url: `${base}/mcp` })

      const ask = (headers: Record<string, string>, method: string, params: unknown) =>
        Effect.map(service.ask(new URL(remote.url).pathname, { json: { jsonrpc: "2.0", id: 1, method, params }, headers: { ...bearer, accept: "application/json, text/event-stream", ...headers } }), ({ text }) =>
          JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result)
      const clientInfo = { name: "hand", version: "1" }
      for (const revision of remote.supportedProtocolVersions.slice(0, -1)) {
        const met = yield* ask({}, "initialize", { protocolVersion: revision, capabilities: {}, clientInfo })
        assert.deepStrictEqual([met.protocolVersion, met.serverInfo.title, met.serverInfo.version], [revision, title, version])
        // Some hosts read only this much of it.
        assert.match(met.instructions.slice(0, 512), /`publish`.*`create_share_link`.*Ask the person.*\n\n/s)
      }
      const newest = remote.supportedProtocolVersions.at(-1)
      const _meta = { "io.modelcontextprotocol/protocolVersion": newest, "io.modelcontextprotocol/clientInfo": clientInfo, "io.modelcontextprotocol/clientCapabilities": {} }
      const met = yield* ask({ "mcp-protocol-version": newest, "mcp-method": "server/discover" }, "server/discover", { _meta })
      assert.include(met.supportedVersions, newest)
    }))
})
