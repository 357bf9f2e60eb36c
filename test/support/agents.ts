/** The official MCP clients, both SDK lines, used as an agent's host uses them: with nothing but an address, and a person to ask for consent. */
import { Client as ClientNow, StreamableHTTPClientTransport as TransportNow } from "@modelcontextprotocol/client"
import { Client as ClientBefore } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as TransportBefore } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"
import { Effect } from "effect"
import { ask } from "./ask.ts"
import { decide } from "./oauth.ts"
import type { SessionHeaders } from "./oauth.ts"
import type { Service } from "./service.ts"

type It = typeof Service.Service

/** Only browsers resolve the service's name: the clients connect by the loopback's own name. Every request is recorded. */
const fetchFrom = ({ port }: It, asked: Array<string>) => async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
  const request = new Request(input, init)
  const { pathname, search } = new URL(request.url)
  const sent = await request.text()
  const { bytes, headers, status } = await ask(port, pathname + search, {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    ...(sent === "" ? {} : { body: sent })
  })
  asked.push(`${request.method} ${pathname} ${status}`)
  const given = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string")
  return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), { status, headers: given })
}

const AGENT_REDIRECT = "http://127.0.0.1:49152/callback"

/** What a host stores for one account: its registration, its verifier, its tokens; and where the person was sent. */
const memory = () => {
  const kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; sentTo?: URL; discovery?: unknown } = {}
  const provider = {
    redirectUrl: AGENT_REDIRECT,
    clientMetadata: { client_name: "Agent", redirect_uris: [AGENT_REDIRECT], token_endpoint_auth_method: "none" },
    state: () => "a state of its own",
    clientInformation: () => kept.client,
    saveClientInformation: (client: OAuthClientInformationMixed) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: OAuthTokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (address: URL) => void (kept.sentTo = address),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? "",
    invalidateCredentials: () => void (delete kept.tokens),
    saveDiscoveryState: (found: unknown) => void (kept.discovery = found),
    // The two SDK lines name the same facts differently.
    discoveryState: () => kept.discovery as never
  }
  return { kept, provider }
}

/** A person with a session who consents: sends what the consent page would, taken from the address that the client made. */
export const consent = (service: It, session: SessionHeaders, sentTo: URL): Promise<URLSearchParams> => {
  const { response_type: _, ...request } = Object.fromEntries(sentTo.searchParams)
  return Effect.runPromise(Effect.map(decide(service, session, request), ({ json }) => new URL(json.redirect_to).searchParams))
}

const address = ({ port }: It) => new URL(`http://svc.localhost:${port}/mcp`)

/** SDK 1.x. */
export const agentBefore = (service: It, headers: Record<string, string> = {}) => {
  const asked: Array<string> = []
  const { kept, provider } = memory()
  const transport = () =>
    new TransportBefore(address(service), { fetch: fetchFrom(service, asked), requestInit: { headers }, ...(headers["authorization"] === undefined ? { authProvider: provider } : {}) })
  const enter = transport()
  return {
    asked,
    kept,
    finish: (answer: URLSearchParams) => enter.finishAuth(answer.get("code") ?? ""),
    first: () => new ClientBefore({ name: "host", version: "1" }).connect(enter),
    connect: async () => {
      const client = new ClientBefore({ name: "host", version: "1" })
      await client.connect(transport())
      return client
    }
  }
}

/** SDK 2.x; `auto` speaks the newest revision that both sides know. */
export const agentNow = (service: It, mode: "auto" | "legacy", headers: Record<string, string> = {}) => {
  const asked: Array<string> = []
  const { kept, provider } = memory()
  const transport = () =>
    new TransportNow(address(service), { fetch: fetchFrom(service, asked), requestInit: { headers }, ...(headers["authorization"] === undefined ? { authProvider: provider } : {}) })
  const made = () => new ClientNow({ name: "host", version: "2" }, { versionNegotiation: { mode } })
  const enter = transport()
  return {
    asked,
    kept,
    finish: (answer: URLSearchParams) => enter.finishAuth(answer),
    first: () => made().connect(enter),
    connect: async () => {
      const client = made()
      await client.connect(transport())
      return client
    }
  }
}
