/** The OpenAPI document of the contract (3.1). Checked in as openapi.json; drift fails a test. */
import { OpenApi } from "effect/http-api"
import { Api } from "./api.ts"

/** Component names as people would give them: the generator marks the wire form and numbers look-alikes. */
const nameOf = (generated: string): string => generated.replace(/_\d+$/, "").replace(/Encoded$/, "")

const REFERENCE = "#/components/schemas/"

const renamed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(renamed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string" ? REFERENCE + nameOf(inner.slice(REFERENCE.length)) : renamed(inner)
    ])
  )
}

/** How the generator writes a number that travels as text, in a path or a query. */
const isNumeric = (schema: unknown): boolean =>
  typeof schema === "object" && schema !== null && "pattern" in schema && String(schema.pattern).startsWith("^[+-]?(?:\\d+")

const typed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(typed)
  if (typeof value !== "object" || value === null) return value
  if (isNumeric(value)) return { type: "integer" }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, typed(inner)]))
}

/** A middleware and an endpoint may declare the same refusal under one status: it is listed once. */
const listedOnce = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(listedOnce)
  if (typeof value !== "object" || value === null) return value
  const tidy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, listedOnce(inner)]))
  const union = tidy["anyOf"]
  if (!Array.isArray(union)) return tidy
  const members = [...new Map(union.map((member) => [JSON.stringify(member), member])).values()]
  return members.length === 1 ? members[0] : { ...tidy, anyOf: members }
}

const spec = OpenApi.fromApi(Api)

const components = Object.fromEntries(
  Object.entries(spec.components.schemas).map(([name, schema]) => [nameOf(name), schema])
)

/** The address of a service started with no settings; a running one names its own. */
const servers = [{ url: "http://svc.localhost:8787" }]

export const openApiDocument = listedOnce(
  typed(renamed({ ...spec, servers, components: { ...spec.components, schemas: components } }))
) as OpenApi.OpenAPISpec
