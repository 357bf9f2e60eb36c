/** How to connect the common clients to this service, for /mcp.md and the web app. */
import { isLocal, sessionUrl } from "./local-names.ts"

/** A paragraph, or code to type or paste. In a paragraph backticks mark what is typed. */
type Step = { readonly text: string } | { readonly code: string; readonly language: "sh" | "json" | "toml" }

export interface Client {
  readonly name: string
  readonly steps: ReadonlyArray<Step>
}

const json = (value: unknown): Step => ({ code: JSON.stringify(value, null, 2), language: "json" })
const sh = (...lines: ReadonlyArray<string>): Step => ({ code: lines.join("\n"), language: "sh" })
const text = (text: string): Step => ({ text })

const bearer = (variable: string) => ({ Authorization: `Bearer ${variable}` })

/** The bridge takes plain http for `localhost` alone, and signs in at the host name it was given: locally it sends a token instead. */
const bridge = (baseUrl: string) =>
  isLocal(baseUrl)
    ? { command: "npx", args: ["-y", "mcp-remote", `${sessionUrl(baseUrl)}/mcp`, "--header", "Authorization:${SVC_AUTHORIZATION}"], env: { SVC_AUTHORIZATION: "Bearer svc_…" } }
    : { command: "npx", args: ["-y", "mcp-remote", `${baseUrl}/mcp`] }

export const clients = (baseUrl: string): ReadonlyArray<Client> => {
  const url = `${baseUrl}/mcp`
  return [
    {
      name: "Claude Code",
      steps: [
        sh(`claude mcp add --transport http svc ${url}`),
        text("Then `/mcp` inside Claude Code signs you in. With a token instead:"),
        sh(`claude mcp add --transport http svc ${url} --header "Authorization: Bearer $SVC_TOKEN"`),
        text("For all your folders instead of this one, add `--scope user`.")
      ]
    },
    {
      name: "Claude: desktop, web and phone",
      steps: [
        text(`Customize → Connectors → + → Add custom connector, with the address ${url}. It is reached from Anthropic’s servers, so it must be on the public internet. The desktop app can also reach it through a bridge that runs on your machine, in \`claude_desktop_config.json\`:`),
        json({ mcpServers: { svc: bridge(baseUrl) } })
      ]
    },
    {
      name: "ChatGPT",
      steps: [
        text(`On the web: Settings → Apps → Advanced settings → Developer mode, then Create app, with the address ${url} and OAuth. It is reached from OpenAI’s servers, so it must be on the public internet.`)
      ]
    },
    {
      name: "Cursor",
      steps: [
        text("In `~/.cursor/mcp.json`, or `.cursor/mcp.json` of a project:"),
        json({ mcpServers: { svc: { url } } }),
        text("It signs in where that is offered, as here, and may then pass over a token given under `headers`.")
      ]
    },
    {
      name: "VS Code",
      steps: [
        sh(`code --add-mcp '${JSON.stringify({ name: "svc", type: "http", url })}'`),
        text("Or in `.vscode/mcp.json`, or by the command “MCP: Add Server”:"),
        json({ servers: { svc: { type: "http", url } } }),
        text("With a token, which VS Code asks for once:"),
        json({ inputs: [{ type: "promptString", id: "svc-token", description: "svc API token", password: true }], servers: { svc: { type: "http", url, headers: bearer("${input:svc-token}") } } })
      ]
    },
    {
      name: "Codex",
      steps: [
        sh(`codex mcp add svc --url ${url}`, "codex mcp login svc"),
        text("Or in `~/.codex/config.toml`, with a token from the environment:"),
        { code: `[mcp_servers.svc]\nurl = "${url}"\nbearer_token_env_var = "SVC_TOKEN"`, language: "toml" }
      ]
    },
    {
      name: "Gemini CLI",
      steps: [
        sh(`gemini mcp add --scope user --transport http svc ${url}`),
        text("Then `/mcp auth svc` inside Gemini signs you in. In `~/.gemini/settings.json`, with a token from the environment:"),
        json({ mcpServers: { svc: { httpUrl: url, headers: bearer("$SVC_TOKEN") } } }),
        text(`Its successor Antigravity CLI: \`agy mcp add svc ${url}\`.`)
      ]
    },
    {
      name: "Windsurf",
      steps: [
        text("In `~/.codeium/windsurf/mcp_config.json`; without `headers` it signs in:"),
        json({ mcpServers: { svc: { serverUrl: url, headers: bearer("${env:SVC_TOKEN}") } } })
      ]
    },
    {
      name: "Any other client",
      steps: [
        text("Most take this shape; the names differ:"),
        json({ mcpServers: { svc: { type: "http", url, headers: bearer("${SVC_TOKEN}") } } }),
        text("By hand:"),
        sh(
          `curl ${url} -H "Authorization: Bearer $SVC_TOKEN" -H "Accept: application/json, text/event-stream" \\`,
          `  --json '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`
        )
      ]
    }
  ]
}
