/** The server that agents speak with: one a request, stateless, with the tools there are, on the official SDK. */
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"
import type { CallToolResult, McpHttpHandler } from "@modelcontextprotocol/server"
import type { Effect } from "effect"
import { API_VERSION } from "../../contract/api.ts"
import { instructions } from "./instructions.ts"
import { TOOLS } from "./tools.ts"
import type { ToolParts } from "./tools.ts"

export interface Session {
  readonly baseUrl: string
  /** Runs a tool as the caller of this request, who has been let in already. */
  readonly run: (call: Effect.Effect<CallToolResult, never, ToolParts>, signal: AbortSignal) => Promise<CallToolResult>
}

const make = ({ baseUrl, run }: Session): McpServer => {
  const server = new McpServer(
    { name: "svc", title: "svc", version: API_VERSION, websiteUrl: baseUrl },
    { instructions: instructions(baseUrl), capabilities: { tools: { listChanged: false } } }
  )
  for (const { call, described, name } of TOOLS) {
    server.registerTool(name, described, (given, { mcpReq }) => run(call(given), mcpReq.signal))
  }
  return server
}

/** Nothing is ever announced, so that no stream is worth holding open. */
export const agentHandler = (session: Session, maxRequestBodySize: number): McpHttpHandler =>
  createMcpHandler(() => make(session), { maxSubscriptions: 0, maxRequestBodySize })
