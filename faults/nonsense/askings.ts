/** Requests with something wrong in them: to every operation of the API, every tool of agents, every form of OAuth, and the hosts of projects. */
import type { Question } from "../../test/support/ask.ts"
import { elsewhere } from "../../test/support/newcomers.ts"
import { operations } from "../../test/support/operations.ts"
import type { Operation } from "../../test/support/operations.ts"
import { signed } from "../../test/support/stripe.ts"
import type { Chance } from "../chance.ts"
import { someContent } from "./contents.ts"
import type { Asker, There } from "./people.ts"
import { escaped, nonsense, nonsenseHeaders, nonsenseText, tear, twisted, written } from "./words.ts"

/** By which rules the answer is judged. */
export type Door = { readonly via: "api"; readonly operation: Operation; /** Whether its path may lead elsewhere. */ readonly strays: boolean } | { readonly via: "tool"; readonly tool: Tool } | { readonly via: "oauth" | "rpc" | "page" }

export interface Asking {
  readonly door: Door
  readonly path: string
  readonly question: Question
}

export interface Tool {
  readonly name: string
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> }
  readonly outputSchema?: object
}

const SOME_ID = "018f4a2e-0000-7000-8000-00000000abcd"

/** They take from the asker what everything else is asked with. */
const ENDING = /^(?:DELETE \/v1\/(?:me|workspace|tokens\/\{token_id\})|POST \/v1\/auth\/(?:logout|logout-all|password\/change))$/

/** For some of the names, values that are in order. */
const valuesFor = (names: Iterable<string>, { there }: Pick<Asker, "there">, chance: Chance): Record<string, unknown> => {
  const values: Record<string, unknown> = {}
  for (const name of names) if (name in there && chance.happens(0.5)) values[name] = chance.one(there[name]!)
  return values
}

/** The same values, mostly with one of them wrong, so that the others do not hide it. */
const spoilt = (values: Record<string, unknown>, names: ReadonlyArray<string>, chance: Chance): Record<string, unknown> => {
  for (let left = chance.one([0, 1, 1, 1, 2]); left > 0 && names.length > 0; left--) {
    const name = chance.one(names)
    values[name] = ["string", "number"].includes(typeof values[name]) && chance.happens(0.4) ? twisted(values[name], chance) : nonsense(chance)
  }
  return values
}

/** With nonsense somewhere inside. */
const pierced = (value: unknown, chance: Chance): unknown => {
  if (Array.isArray(value) && value.length > 0 && !chance.happens(0.2)) return value.with(chance.below(value.length), pierced(value[0], chance))
  const inner = typeof value === "object" ? Object.entries(value ?? {}) : []
  if (inner.length === 0 || chance.happens(0.2)) return nonsense(chance)
  const [name, one] = chance.one(inner)
  return { ...Object.fromEntries(inner), [name]: pierced(one, chance) }
}

const callerOf = ({ person }: Asker, { happens }: Chance): Readonly<Record<string, string>> =>
  happens(0.75) ? person.bearer : happens(0.7) ? { ...person.session } : {}

/** Headers that no client can send are sent without what makes them so. */
const sendable = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "")]))

/** `id` is what the path lists. */
const thereFor = ({ name }: Operation, { ids, there }: Asker): There => {
  const listed = Object.entries(ids).find(([list]) => name.includes(`/${list}/{id}`))
  return listed === undefined ? there : { ...there, id: listed[1] }
}

/** The path with its names filled in, and the query with what may be left out. */
const addressOf = ({ name, options }: Operation, required: string, values: Record<string, unknown>, there: There, chance: Chance): string => {
  const { happens, one } = chance
  const path = name.split(" ")[1]!.replaceAll(/\{(\w+)\}/g, (_, inner: string) => escaped(values[inner] ?? one(there[inner] ?? [SOME_ID])))
  const optional = options.flatMap((option) => option in values ? [`${option}=${escaped(values[option])}`] : [])
  const twice = happens(0.05) ? optional.slice(0, 1) : []
  const unknown = happens(0.05) ? [`${escaped(nonsenseText(chance))}=1`] : []
  const query = [...(required === "" ? [] : [required]), ...optional, ...twice, ...unknown].join("&")
  return query === "" ? path : `${path}?${query}`
}

const toApi = (asker: Asker, chance: Chance): Asking => {
  const { happens, one } = chance
  const operation = one(operations)
  if (ENDING.test(operation.name) && !happens(0.02)) return toApi(asker, chance)
  const there = thereFor(operation, asker)
  const values = spoilt(valuesFor(operation.names, { there }, chance), [...operation.names], chance)
  const inPath = [...operation.pointer.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const { path, question } = operation.request({ ...values, ...Object.fromEntries(inPath.map((name) => [name, SOME_ID])) })
  const file = operation.name === "PUT /v1/projects/{slug}" ? someContent(chance) : undefined
  const body = file === undefined ? { ...("json" in question && happens(0.1) && { json: pierced(question.json, chance) }) } : { body: file.body }
  const headers = { ...elsewhere(), ...question.headers, ...(file !== undefined && { "content-type": file.type }), ...callerOf(asker, chance) }
  return {
    door: { via: "api", operation, strays: inPath.length > 0 },
    path: addressOf(operation, path.split("?")[1] ?? "", values, there, chance),
    question: disturbed({ ...question, ...body, headers }, chance)
  }
}

/** With strange headers, or a body that is torn. */
const disturbed = ({ json, ...rest }: Question, chance: Chance): Question => {
  const whole = json === undefined ? rest.body : written(json)
  const body = whole !== undefined && chance.happens(0.08) ? tear(Buffer.from(whole as string), chance) : whole
  const headers = { ...rest.headers, ...(json !== undefined && { "content-type": "application/json" }), ...(chance.happens(0.2) && nonsenseHeaders(chance)) }
  const method = rest.method ?? (body === undefined ? "GET" : "POST")
  if (body === undefined) return { method, headers: sendable(headers) }
  return { method, body, headers: sendable({ ...headers, "content-length": String(Buffer.byteLength(body as string)) }) }
}

const toTool = (asker: Asker, tools: ReadonlyArray<Tool>, chance: Chance): Asking => {
  const tool = chance.one(tools)
  const names = Object.keys(tool.inputSchema.properties ?? {})
  const given = spoilt(valuesFor(names, asker, chance), [...names, "unknown"], chance)
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool.name, arguments: given } }
  const headers = { accept: "application/json, text/event-stream", ...elsewhere(), ...asker.person.bearer }
  return { door: { via: "tool", tool }, path: "/mcp", question: disturbed({ json: chance.happens(0.05) ? { ...call, [chance.one(Object.keys(call))]: nonsense(chance) } : call, headers }, chance) }
}

const FORMS = [
  ["/oauth/token", ["grant_type", "code", "redirect_uri", "client_id", "code_verifier", "refresh_token", "device_code", "resource", "scope"]],
  ["/oauth/revoke", ["token", "token_type_hint", "client_id"]],
  ["/oauth/device_authorization", ["client_id", "scope", "resource"]]
] as const

const GRANTS = ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"]

const toOauth = (asker: Asker, chance: Chance): Asking => {
  const { happens, one } = chance
  if (happens(0.25)) {
    const metadata = spoilt({ client_name: "An agent", redirect_uris: ["http://127.0.0.1:9/cb"] }, ["client_name", "redirect_uris", "grant_types", "response_types", "token_endpoint_auth_method", "scope", "client_uri", "logo_uri", "software_id"], chance)
    return { door: { via: "oauth" }, path: "/oauth/register", question: disturbed({ json: metadata, headers: elsewhere() }, chance) }
  }
  const [path, names] = one(FORMS)
  const values = spoilt({ ...(path === "/oauth/token" && { grant_type: one(GRANTS) }), ...valuesFor(names, asker, chance) }, names, chance)
  const body = Object.entries(values).map(([name, value]) => `${name}=${escaped(value)}`).join("&")
  return { door: { via: "oauth" }, path, question: disturbed({ method: "POST", body, headers: { ...elsewhere(), "content-type": "application/x-www-form-urlencoded" } }, chance) }
}

const PROCEDURES = ["findUser", "findWorkspace", "findProject", "inviteOwner", "extendTrial", "restoreDeletion", "statistics", "jobs", "nonsense", "__proto__"]

const toRpc = (asker: Asker, chance: Chance): Asking => {
  const call = spoilt({ _tag: "Request", id: "1", tag: chance.one(PROCEDURES), payload: spoilt({ user: asker.person.id, workspace: asker.person.workspace, slug: asker.slugs[0] }, ["user", "workspace", "slug"], chance), headers: [] }, ["_tag", "id", "tag", "payload", "headers", "traceId"], chance)
  return { door: { via: "rpc" }, path: "/rpc", question: disturbed({ method: "POST", body: `${written(call)}\n`, headers: { ...elsewhere(), "content-type": "application/ndjson", ...callerOf(asker, chance) } }, chance) }
}

const EVENTS = ["customer.subscription.created", "customer.subscription.updated", "customer.subscription.deleted", "checkout.session.completed", "invoice.paid", "invoice.payment_failed", "nonsense"]

/** Signed as the payment service signs it: what it says is wrong all the same. */
const toHook = (asker: Asker, chance: Chance): Asking => {
  const object = spoilt({ id: "sub_000001", customer: "cus_000001", subscription: "sub_000001", status: "active", metadata: { workspace_id: asker.person.workspace }, items: { data: [] } }, ["id", "customer", "subscription", "status", "metadata", "items", "mode"], chance)
  const event = spoilt({ id: `evt_${chance.below(1e9)}`, object: "event", type: chance.one(EVENTS), created: 1_800_000_000, livemode: false, data: { object: pierced(object, chance) } }, ["id", "type", "created", "data", "livemode"], chance)
  const hook = operations.find(({ name }) => name === "POST /v1/billing/webhook")!
  return { door: { via: "api", operation: hook, strays: false }, path: "/v1/billing/webhook", question: signed(event) }
}

/** Of a project's host, and of our own beside the API; `*`: anything. */
const PATHS = [
  "/", "/*", "/index.html", "/notes.md", "/_svc/*", "/_svc/raw/*", "/_svc/raw/notes.md?drawn=*", "/_svc/versions?from=*&to=*", "/_svc/versions/*/index.html", "/_svc/versions/1/*", "/_svc/comments?status=*&limit=*", "/_svc/comments/*",
  "/_svc/gate/share?t=*", "/_svc/gate/member?t=*&next=*", "/_svc/gate/password?note=*&next=*", "/_svc/gate/*", "/_svc/enter?k=*&next=*", "/_svc/assets/*", "/?t=*", "/*?*", "/robots.txt", "/favicon.ico"
]
const OWN_PATHS = [
  "/", "/*", "/login?next=*", "/projects/*", "/workspace/*", "/settings/*", "/device?code=*", "/invite?token=*", "/verify-email?token=*", "/v1/*", "/v1/gate/member?slug=*&next=*", "/v1/gate/comment?slug=*&next=*", "/v1/auth/idp?next=*",
  "/v1/auth/idp/callback?state=*&code=*", "/docs/*", "/docs", "/comments/mute?token=*", "/.well-known/*", "/mcp", "/mcp/*", "/assets/*", "/fonts/*", "/healthz", "/readyz?*", "/openapi.json", "/oauth/authorize?client_id=*&redirect_uri=*", "/llms.txt", "/metrics"
]
const METHODS = ["GET", "GET", "GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]

const toPage = (asker: Asker, chance: Chance): Asking => {
  const { happens, one } = chance
  const isOwn = happens(0.3)
  const path = one(isOwn ? OWN_PATHS : PATHS).replaceAll("*", () => happens(0.3) ? nonsenseText(chance).replaceAll(/[^\x21-\x7e]/g, "") : escaped(nonsense(chance))).slice(0, 8_000)
  const host = isOwn ? {} : { host: `${happens(0.9) ? one(asker.slugs) : one(["svc--x", "-", "a.b", "xn--x", "x".repeat(64)])}.svc.localhost` }
  const method = one(METHODS)
  const body = ["GET", "HEAD", "OPTIONS", "TRACE"].includes(method) ? {} : { body: one(["password=nothing&next=/", "{\"body\":\"x\"}", "", "x"]) }
  const type = happens(0.5) ? "application/x-www-form-urlencoded" : "application/json"
  return { door: { via: "page" }, path, question: { ...disturbed({ method, ...body, headers: { ...elsewhere(), ...("body" in body && { "content-type": type }), ...(happens(0.3) && callerOf(asker, chance)) } }, chance), ...host } }
}

export const someAsking = (asker: Asker, tools: ReadonlyArray<Tool>, chance: Chance): Asking => {
  const at = chance.below(100)
  return at < 55 ? toApi(asker, chance) : at < 75 ? toTool(asker, tools, chance) : at < 82 ? toOauth(asker, chance) : at < 85 ? toRpc(asker, chance) : at < 86 ? toHook(asker, chance) : toPage(asker, chance)
}
