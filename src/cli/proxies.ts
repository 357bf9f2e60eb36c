/** The proxies that the environment names, as curl reads it: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in small letters too. */
import * as http from "node:http"
import * as https from "node:https"

/** This machine's own names, for which no proxy is asked. */
const HERE = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i

/** From 22.21 and 24.5 on. */
const nodeCan = process.allowedNodeEnvironmentFlags.has("--use-env-proxy")

/** Undefined if no variable names a proxy for the address; Node decides by NO_PROXY whether a usable one is asked. */
export const proxyFor = ({ hostname, protocol }: URL) => {
  const name = `${protocol.slice(0, -1)}_proxy`
  const variable = HERE.test(hostname) ? undefined : [name, name.toUpperCase()].find((one) => (process.env[one] ?? "") !== "")
  if (variable === undefined) return undefined
  const given = process.env[variable]!
  const address = given.includes("://") ? given : `http://${given}`
  return { variable, address, usable: nodeCan && /^https?:/i.test(address) && URL.canParse(address) }
}

/** They keep connections as Node's own agents do. */
const agents: { [protocol: string]: http.Agent } = {}

/** Undefined where Node's own agent does. */
export const agentFor = (url: URL): http.Agent | undefined => {
  const proxy = proxyFor(url)
  if (proxy?.usable !== true) return undefined
  const { Agent } = url.protocol === "https:" ? https : http
  return agents[url.protocol] ??= new Agent({ keepAlive: true, timeout: 5_000, proxyEnv: { ...process.env, [proxy.variable]: proxy.address } })
}
