/** An example request for each operation of /docs.md, with the body that the document gives as its example. */
import type { OpenApi } from "effect/http-api"
import { sample } from "../contract/examples.ts"
import type { Shape } from "../contract/examples.ts"
import { sessionUrl } from "./local-names.ts"

export interface Described {
  readonly method: string
  readonly path: string
  readonly operation: OpenApi.OpenAPISpecOperation
}

/** None for uploads, which the guide shows, and none for what only Stripe sends. */
export const exampleOf = (document: OpenApi.OpenAPISpec, baseUrl: string, { method, operation, path }: Described): string | undefined => {
  const content = operation.requestBody?.content as Record<string, { readonly example?: unknown }> | undefined
  const body = content?.["application/json"]?.example
  if (content !== undefined && (body === undefined || Object.keys(content).length > 1)) return undefined
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
    ...(body === undefined ? [] : [`--json '${JSON.stringify(body)}'`]),
    ...(session ? ["-b jar", ...(method === "get" ? [] : ["-H \"X-CSRF-Token: $csrf\""])] : schemes.size > 0 ? ["-H \"Authorization: Bearer $TOKEN\""] : []),
    query.length === 0 ? `${session ? sessionUrl(baseUrl) : baseUrl}${at}` : `"${session ? sessionUrl(baseUrl) : baseUrl}${at}"`
  ].join(" ")
}
