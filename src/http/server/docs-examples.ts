/** An example request for each operation of /docs.md, made from its schema: the required fields, with well-formed values. */
import type { OpenApi } from "effect/http-api"
import { sessionUrl } from "./local-names.ts"

type Shape = Readonly<Record<string, unknown>>

/** Values by field name, where the type alone says too little. */
const NAMED: Readonly<Record<string, unknown>> = {
  slug: "my-report",
  body: "Say why",
  client: "laptop",
  client_id: "01900000-0000-7000-8000-000000000000",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
  current_password: "a long phrase",
  device_code: "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
  email: "ada@example.com",
  emails: "ada@example.com",
  label: "Acme",
  name: "Ada",
  new_password: "another long phrase",
  password: "a long phrase",
  redirect_uri: "https://agent.example/callback",
  title: "Week 47",
  token: "svc_…",
  user_code: "ABCDE-FGHJK",
  version: 1,
  from: 1,
  to: 2
}

const FORMS: Readonly<Record<string, unknown>> = {
  uuid: "01900000-0000-7000-8000-000000000000",
  "date-time": "2027-01-31T12:00:00.000Z"
}

/** What a schema's `$ref` names, or the schema itself. */
export const resolved = (document: OpenApi.OpenAPISpec, schema: Shape): Shape => {
  const reference = schema["$ref"]
  return typeof reference === "string" ? (document.components.schemas as Record<string, Shape>)[reference.split("/").at(-1) ?? ""] ?? {} : schema
}

const sample = (document: OpenApi.OpenAPISpec, given: Shape, name = ""): unknown => {
  const schema = resolved(document, given)
  const union = (schema["anyOf"] ?? schema["oneOf"]) as ReadonlyArray<Shape> | undefined
  if (union !== undefined) return sample(document, union.find(({ type }) => type !== "null") ?? {}, name)
  if (Array.isArray(schema["enum"])) return schema["enum"][0]
  if (schema["properties"] !== undefined) {
    const properties = Object.entries(schema["properties"] as Record<string, Shape>)
    const required = new Set((schema["required"] ?? []) as ReadonlyArray<string>)
    // Consent needs PKCE, though the schema accepts a request without it.
    const sent = properties.filter(([key]) => required.has(key) || key.startsWith("code_challenge"))
    return Object.fromEntries((sent.length === 0 ? properties.slice(0, 1) : sent).map(([key, property]) => [key, sample(document, property, key)]))
  }
  if (schema["type"] === "array") return [sample(document, (schema["items"] ?? {}) as Shape, name)]
  if (schema["format"] !== undefined && String(schema["format"]) in FORMS) return FORMS[String(schema["format"])]
  if (name in NAMED) return NAMED[name]
  if (schema["type"] === "integer" || schema["type"] === "number") return schema["minimum"] ?? 1
  return schema["type"] === "boolean" ? true : "…"
}

export interface Described {
  readonly method: string
  readonly path: string
  readonly operation: OpenApi.OpenAPISpecOperation
}

/** None for uploads, which the guide shows, and none for what only Stripe sends. */
export const exampleOf = (document: OpenApi.OpenAPISpec, baseUrl: string, { method, operation, path }: Described): string | undefined => {
  const content = operation.requestBody?.content as Record<string, { readonly schema?: Shape }> | undefined
  const body = content?.["application/json"]?.schema
  const sent = body === undefined ? undefined : sample(document, body)
  if (content !== undefined && (typeof sent !== "object" || Object.keys(content).length > 1)) return undefined
  const schemes = new Set((operation.security ?? []).flatMap((one) => Object.keys(one)))
  const parameters = operation.parameters ?? []
  const valueOf = (name: string) => {
    const { schema = {} } = parameters.find((parameter) => parameter.name === name) ?? {}
    return encodeURIComponent(String(sample(document, schema as Shape, name)))
  }
  const query = parameters.filter((parameter) => parameter.in === "query" && parameter.required).map(({ name }) => `${name}=${valueOf(name)}`)
  const at = `${path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => valueOf(name))}${query.length === 0 ? "" : `?${query.join("&")}`}`
  const session = schemes.size > 0 && !schemes.has("bearer")
  return [
    "curl",
    ...(method === "get" || (method === "post" && body !== undefined) ? [] : [`-X ${method.toUpperCase()}`]),
    ...(body === undefined ? [] : [`--json '${JSON.stringify(sent)}'`]),
    ...(session ? ["-b jar", ...(method === "get" ? [] : ["-H \"X-CSRF-Token: $csrf\""])] : schemes.size > 0 ? ["-H \"Authorization: Bearer $TOKEN\""] : []),
    query.length === 0 ? `${session ? sessionUrl(baseUrl) : baseUrl}${at}` : `"${session ? sessionUrl(baseUrl) : baseUrl}${at}"`
  ].join(" ")
}
