/** The server that agents speak with: one a request, stateless, with the tools there are, on the official SDK. */
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"
import type { CallToolResult, McpHttpHandler } from "@modelcontextprotocol/server"
import type { Effect } from "effect"
import type { Addresses } from "../../../domain/ports/addresses.ts"
import type { Projects } from "../../../domain/projects/projects.ts"
import { API_VERSION } from "../../contract/api.ts"
import type { Caller } from "../../contract/authentication.ts"
import { listProjects } from "./list-projects.ts"
import type { Tool } from "./tool.ts"

/** What tools run on beside the caller. */
export type ToolParts = Addresses | Projects

const TOOLS: ReadonlyArray<Tool<Caller | ToolParts>> = [listProjects]

const instructions = (baseUrl: string) =>
  [
    "svc publishes files at addresses of their own. The tools act as the account that let you in, and see what it sees.",
    "list_projects finds a project’s slug and address; it reads, and nothing here changes anything yet.",
    `To publish or change something, use the HTTP API with an API token: ${baseUrl}/docs.md`
  ].join(" ")

export interface Session {
  readonly baseUrl: string
  /** Runs a tool as the caller of this request, who has been let in already. */
  readonly run: (call: Effect.Effect<CallToolResult, never, Caller | ToolParts>, signal: AbortSignal) => Promise<CallToolResult>
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
