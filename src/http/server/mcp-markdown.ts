/** /mcp.md: how the common clients are connected to this very service, for people and for agents that read one page. */
import { REVISIONS } from "./agent-card.ts"
import { sessionUrl } from "./docs-guide.ts"
import { TOOLS } from "./tools/tools.ts"

const json = (value: unknown) => ["```json", JSON.stringify(value, null, 2), "```"].join("\n")

/** A name below localhost is known to browsers, and to few programs. */
const isLocal = (baseUrl: string) => new URL(baseUrl).hostname.endsWith("localhost")

const local = (baseUrl: string) => `
This service runs on this machine, under a name that browsers know and many programs do not. A client that cannot reach it, or that runs elsewhere, takes \`${sessionUrl(baseUrl)}/mcp\` with an API token instead; a client that is a website cannot reach it at all.
`

const tools = TOOLS.map(({ described: { annotations, description }, name }) =>
  `| \`${name}\` | ${annotations.readOnlyHint === true ? "reads" : annotations.destructiveHint === true ? "changes, ask first" : "adds or sets"} | ${/^.*?[.:](?= |$)/.exec(description)?.[0] ?? description} |`)

export const mcpMarkdown = (baseUrl: string): string => {
  const url = `${baseUrl}/mcp`
  const bearer = (variable: string) => ({ Authorization: `Bearer ${variable}` })
  // The bridge takes plain http for \`localhost\` alone, and signs in at the name it was given: there a token speaks instead.
  const bridge = isLocal(baseUrl)
    ? { command: "npx", args: ["-y", "mcp-remote", `${sessionUrl(baseUrl)}/mcp`, "--header", "Authorization:${SVC_AUTHORIZATION}"], env: { SVC_AUTHORIZATION: "Bearer svc_…" } }
    : { command: "npx", args: ["-y", "mcp-remote", url] }
  return `# Connect an agent to svc

The address: ${url} (MCP over streamable HTTP, stateless; revisions ${REVISIONS.join(", ")}). What clients read beforehand: ${url}/server-card.

Two ways in, the same tools:

- **Sign in** (OAuth): give the client the address alone. It opens a page where you say yes, and you can take that back at ${baseUrl}/settings. A client that registered and that nobody let in is forgotten after thirty days; it registers anew.
- **API token**: \`Authorization: Bearer svc_…\`, for scripts and for clients without a browser. ${baseUrl}/docs.md says how to make one; it can do everything your account can, so keep it out of files that others see.
${isLocal(baseUrl) ? local(baseUrl) : ""}
## Claude Code

\`\`\`sh
claude mcp add --transport http svc ${url}
\`\`\`

Then \`/mcp\` inside Claude Code signs you in. With a token instead:

\`\`\`sh
claude mcp add --transport http svc ${url} --header "Authorization: Bearer $SVC_TOKEN"
\`\`\`

For all your folders instead of this one, add \`--scope user\`.

## Claude: desktop, web and phone

Customize → Connectors → + → Add custom connector, with the address ${url}. It is reached from Anthropic’s servers, so it must be on the public internet. The desktop app can also reach it through a bridge that runs on your machine, in \`claude_desktop_config.json\`:

${json({ mcpServers: { svc: bridge } })}

## ChatGPT

On the web: Settings → Apps → Advanced settings → Developer mode, then Create app, with the address ${url} and OAuth. It is reached from OpenAI’s servers, so it must be on the public internet.

## Cursor

In \`~/.cursor/mcp.json\`, or \`.cursor/mcp.json\` of a project:

${json({ mcpServers: { svc: { url } } })}

It signs in where that is offered, as here, and may then pass over a token given under \`headers\`.

## VS Code

\`\`\`sh
code --add-mcp '${JSON.stringify({ name: "svc", type: "http", url })}'
\`\`\`

Or in \`.vscode/mcp.json\`, or by the command “MCP: Add Server”:

${json({ servers: { svc: { type: "http", url } } })}

With a token, which VS Code asks for once:

${json({ inputs: [{ type: "promptString", id: "svc-token", description: "svc API token", password: true }], servers: { svc: { type: "http", url, headers: bearer("${input:svc-token}") } } })}

## Codex

\`\`\`sh
codex mcp add svc --url ${url}
codex mcp login svc
\`\`\`

Or in \`~/.codex/config.toml\`, with a token from the environment:

\`\`\`toml
[mcp_servers.svc]
url = "${url}"
bearer_token_env_var = "SVC_TOKEN"
\`\`\`

## Gemini CLI

\`\`\`sh
gemini mcp add --scope user --transport http svc ${url}
\`\`\`

Then \`/mcp auth svc\` inside Gemini signs you in. In \`~/.gemini/settings.json\`, with a token from the environment:

${json({ mcpServers: { svc: { httpUrl: url, headers: bearer("$SVC_TOKEN") } } })}

Its successor Antigravity CLI: \`agy mcp add svc ${url}\`.

## Windsurf

In \`~/.codeium/windsurf/mcp_config.json\`; without \`headers\` it signs in:

${json({ mcpServers: { svc: { serverUrl: url, headers: bearer("${env:SVC_TOKEN}") } } })}

## Any other client

Most take this shape; the names differ:

${json({ mcpServers: { svc: { type: "http", url, headers: bearer("${SVC_TOKEN}") } } })}

By hand:

\`\`\`sh
curl ${url} -H "Authorization: Bearer $SVC_TOKEN" -H "Accept: application/json, text/event-stream" \\
  --json '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
\`\`\`

Without a token the answer is 401, and its \`WWW-Authenticate\` names ${baseUrl}/.well-known/oauth-protected-resource, where clients find how to sign in.

## Tools

| Tool | It | What for |
|---|---|---|
${tools.join("\n")}

A refusal is a tool error whose text is \`{"error": {"code", "message", "field", "details"}}\`, with the codes of ${baseUrl}/docs.md. One call takes 256 KB of text or 1 MB of binary files; larger ones go through \`begin_upload\`, \`append_upload\` and \`finish_upload\`.
`
}
