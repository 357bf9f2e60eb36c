/** The proxies that the environment names, as curl reads it: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in small letters too. */
import type * as http from "node:http"
import { bareHost } from "../domain/host-names.ts"
import { httpFor } from "./node-http.ts"

/** This machine's own names, for which no proxy is asked. */
const HERE = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i

/** From 22.21 and 24.5 on. */
const nodeCan = process.allowedNodeEnvironmentFlags.has("--use-env-proxy")

const variableOf = (name: string) => [name, name.toUpperCase()].find((one) => (process.env[one] ?? "") !== "")

/** As Node reads NO_PROXY; it also knows ranges of addresses, and passes the proxy by for them itself. */
const excepted = ({ hostname, port, protocol }: URL) => {
  const host = bareHost(hostname)
  const withPort = `${host}:${port || (protocol === "https:" ? 443 : 80)}`
  const entries = (process.env[variableOf("no_proxy") ?? ""] ?? "").toLowerCase().split(",").map((entry) => entry.trim())
  return entries.some((entry) => ["*", host, withPort, `.${host}`].includes(entry) || (/^\*?\../.test(entry) && host.endsWith(entry.replace("*", ""))))
}

/** Undefined if the address is asked directly: no variable names a proxy for it, or it is excepted. */
export const proxyFor = (url: URL) => {
  const variable = HERE.test(url.hostname) || excepted(url) ? undefined : variableOf(`${url.protocol.slice(0, -1)}_proxy`)
  if (variable === undefined) return undefined
  const given = process.env[variable]!
  const address = given.includes("://") ? given : `http://${given}`
  const fault = !/^https?:/i.test(address) || !URL.canParse(address) ? "address" as const : nodeCan ? undefined : "node" as const
  return { variable, address, fault }
}

/** The proxy that is asked; one that cannot be used is passed by. */
export const proxyAsked = (url: URL) => {
  const proxy = proxyFor(url)
  return proxy?.fault === undefined ? proxy : undefined
}

/** How long an answer to a question may take, and an agent waits for a tunnel and keeps an idle connection unless the other side announces less. Slow proxies ask others first. */
export const PATIENCE_MS = 60_000

const agents: { [protocol: string]: http.Agent } = {}

/** Undefined where Node's own agent does. */
export const agentFor = (url: URL): http.Agent | undefined => {
  const proxy = proxyAsked(url)
  if (proxy === undefined) return undefined
  const { Agent } = httpFor(url)
  return agents[url.protocol] ??= new Agent({ keepAlive: true, timeout: PATIENCE_MS, proxyEnv: { ...process.env, [proxy.variable]: proxy.address } })
}
