/** The MCP server that agents speak with, on the official SDK: stateless, one per request, with all tools. */
import { createMcpHandler, INTERNAL_ERROR, INVALID_PARAMS, McpServer } from "@modelcontextprotocol/server"
import type { CallToolResult, JSONRPCMessage, McpHttpHandler, Transport } from "@modelcontextprotocol/server"
import { Option, Schema } from "effect"
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

const Findings = Schema.fromJsonString(Schema.NonEmptyArray(Schema.Struct({ path: Schema.Array(Schema.Union([Schema.String, Schema.Finite])), message: Schema.String })))

const findingsIn = Schema.decodeUnknownOption(Findings)

/** What the SDK's validator found in a request, which the SDK answers as JSON in a text, and as an error of the server's. */
const inWords = (message: JSONRPCMessage): JSONRPCMessage => {
  if (!("error" in message) || message.error.code !== INTERNAL_ERROR) return message
  const said = Option.map(findingsIn(message.error.message), (all) =>
    all.map(({ message, path }) => `${path.join(".")}: ${message.replace(/^Invalid input: /, "")}.`).join(" "))
  return Option.isNone(said) ? message : { ...message, error: { code: INVALID_PARAMS, message: said.value } }
}

class AgentServer extends McpServer {
  override connect(transport: Transport) {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => send(inWords(message), options)
    return super.connect(transport)
  }
}

/** What is the same for everybody until the next release. */
const LISTED = { ttlMs: 5 * 60_000, cacheScope: "public" } as const

const make = ({ baseUrl, run }: Session): McpServer => {
  const server = new AgentServer(
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
