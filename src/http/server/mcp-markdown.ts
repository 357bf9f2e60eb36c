/** /mcp.md: how to connect the common clients to this service, for people and for agents that read one page. */
import { sizeText } from "../contract/sizes.ts"
import { REVISIONS } from "./agent-card.ts"
import { isLocal, sessionUrl } from "./local-names.ts"
import { clients } from "./mcp-clients.ts"
import type { Client } from "./mcp-clients.ts"
import { MAX_BINARY, MAX_TEXT } from "./tools/content.ts"
import { TOOLS } from "./tools/tools.ts"

const section = ({ name, steps }: Client) =>
  [`## ${name}`, ...steps.map((step) => "text" in step ? step.text : ["```" + step.language, step.code, "```"].join("\n"))].join("\n\n")

const local = (baseUrl: string) => `
This service runs on this machine, under a name that browsers know and many programs do not. A client that cannot reach it, that refuses to sign in there without TLS, or that runs elsewhere, takes \`${sessionUrl(baseUrl)}/mcp\` with an API token instead; a client that is a website cannot reach it at all.
`

const tools = TOOLS.map(({ described: { annotations, description }, name }) =>
  `| \`${name}\` | ${annotations.readOnlyHint === true ? "reads" : annotations.destructiveHint === true ? "changes, ask first" : "adds or sets"} | ${/^.*?\.(?= |$)/.exec(description)?.[0] ?? description} |`)

export const mcpMarkdown = (baseUrl: string, appUrl: string): string => {
  const url = `${baseUrl}/mcp`
  return `# Connect an agent to svc

The address: ${url} (MCP over streamable HTTP, stateless; revisions ${REVISIONS.join(", ")}). What clients read beforehand: ${url}/server-card.

Two ways in, the same tools:

- **Sign in** (OAuth): give the client the address alone. It opens a page where you say yes, and you can take that back at ${appUrl}/account/connections. A client that registered and that nobody let in is forgotten after thirty days. Where the page says that a client is not known, remove svc in that program and add it again, so that it registers anew.
- **API token**: \`Authorization: Bearer svc_…\`, for scripts and for clients without a browser. ${baseUrl}/docs.md says how to make one; it can do everything your account can, so keep it out of files that others see.
${isLocal(baseUrl) ? local(baseUrl) : ""}
${clients(baseUrl).map(section).join("\n\n")}

Without a token the answer is 401, and its \`WWW-Authenticate\` names ${baseUrl}/.well-known/oauth-protected-resource, where clients find how to sign in.

## Tools

| Tool | It | What for |
|---|---|---|
${tools.join("\n")}

A refusal is a tool error whose text is \`{"error": {"code", "message", "field", "details"}}\`, with the codes of ${baseUrl}/docs.md. One call takes ${sizeText(MAX_TEXT)} of text or ${sizeText(MAX_BINARY)} of binary files; larger ones go through \`begin_upload\`, \`append_upload\` and \`finish_upload\`.
`
}
