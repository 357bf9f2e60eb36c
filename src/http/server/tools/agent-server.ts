/** The MCP server that agents speak with, on the official SDK: stateless, one per request, with all tools. */
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"
import type { CallToolResult, McpHttpHandler } from "@modelcontextprotocol/server"
import type { Effect } from "effect"
import { API_VERSION } from "../../contract/version.ts"
import { instructions } from "./instructions.ts"
import { TOOLS } from "./tools.ts"
import type { ToolParts } from "./tools.ts"

export interface Session {
  readonly baseUrl: string
  /** Runs a tool as the caller of this request, who is already authenticated. */
  readonly run: (call: Effect.Effect<CallToolResult, never, ToolParts>, signal: AbortSignal) => Promise<CallToolResult>
}

/** What is the same for everybody until the next release. */
const LISTED = { ttlMs: 5 * 60_000, cacheScope: "public" } as const

const make = ({ baseUrl, run }: Session): McpServer => {
  const server = new McpServer(
    { name: "svc", title: "svc", version: API_VERSION, websiteUrl: baseUrl },
    { instructions: instructions(baseUrl), capabilities: { tools: { listChanged: false } }, cacheHints: { "tools/list": LISTED, "server/discover": LISTED } }
  )
  // Only its own batch can cancel a request here; it would not be answered, so that the batch's answers would never end.
  server.server.removeNotificationHandler("notifications/cancelled")
  for (const { call, described, name } of TOOLS) {
    server.registerTool(name, described, (given, { mcpReq }) => run(call(given), mcpReq.signal))
  }
  return server
}

/** Nothing is ever announced: a subscription is acknowledged as empty and ends there, so that no stream is held open. */
export const agentHandler = (session: Session, maxRequestBodySize: number): McpHttpHandler =>
  createMcpHandler(() => make(session), { maxRequestBodySize })
