/**
 * What an MCP client may read before it connects (SEP-2127): the server card, at the path that the draft reserves beside
 * `/mcp` and at the one that earlier drafts and scanners use; and the catalog that leads a client that knows only the host
 * to it. Advisory and public: `/mcp` itself decides who may enter. Tools are left out, since `tools/list` cannot go stale.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { bareHost } from "../../domain/host-names.ts"
import { Addresses } from "../../domain/ports/addresses.ts"
import { API_VERSION } from "../contract/version.ts"

/** The MCP revisions that the SDK speaks at `/mcp`. */
export const REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"] as const

const CARD_TYPE = "application/mcp-server-card+json"
const CATALOG_TYPE = "application/ai-catalog+json"

/** `docs.example.com` → `com.example.docs`: the name is unique as the host is. */
const reversed = (host: string) => bareHost(host).replaceAll(":", "-").split(".").toReversed().join(".")

const card = (baseUrl: string) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  name: `${reversed(new URL(baseUrl).hostname)}/svc`,
  title: "svc",
  version: API_VERSION,
  description: "Publish documents, data and sites at live addresses, share them, and work on readers’ comments.",
  websiteUrl: baseUrl,
  remotes: [{
    type: "streamable-http",
    url: `${baseUrl}/mcp`,
    supportedProtocolVersions: REVISIONS,
    headers: [{
      name: "Authorization",
      description: "“Bearer svc_…”, an API token. Not needed by clients that sign in by OAuth: without it the answer says where",
      isRequired: false,
      isSecret: true
    }]
  }]
})

const catalog = (baseUrl: string) => ({
  specVersion: "1.0",
  host: { displayName: "svc", documentationUrl: `${baseUrl}/mcp.md` },
  entries: [{
    identifier: `urn:air:${new URL(baseUrl).hostname}:mcp:svc`,
    type: CARD_TYPE,
    url: `${baseUrl}/mcp/server-card`
  }]
})

/** Pages of any origin may read it: it holds nothing private. */
const said = (document: (baseUrl: string) => object, contentType: string) =>
  Effect.map(Addresses, ({ baseUrl }) =>
    HttpServerResponse.text(JSON.stringify(document(baseUrl)), {
      contentType,
      headers: { "access-control-allow-origin": "*", "cache-control": "public, max-age=3600" }
    }))

export const AgentCard = Layer.mergeAll(
  HttpRouter.add("GET", "/mcp/server-card", said(card, CARD_TYPE)),
  HttpRouter.add("GET", "/.well-known/mcp/server-card.json", said(card, "application/json")),
  HttpRouter.add("GET", "/.well-known/ai-catalog.json", said(catalog, CATALOG_TYPE))
)
