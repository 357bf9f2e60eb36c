/** /docs.md: the whole API as plain text, for people and for agents that read one page and start. Made from openapi.json. */
import type { OpenApi } from "effect/http-api"
import { resolved } from "../contract/examples.ts"
import type { Shape } from "../contract/examples.ts"
import { MAX_BODY_BYTES } from "../contract/request-shape.ts"
import { sizeText } from "../contract/sizes.ts"
import { codesIn, errorTable } from "./docs-errors.ts"
import { exampleOf } from "./docs-examples.ts"
import type { Described } from "./docs-examples.ts"
import { guide } from "./docs-guide.ts"

type Document = OpenApi.OpenAPISpec
type Operation = OpenApi.OpenAPISpecOperation

const intro = (baseUrl: string) => `# svc API

Publish a file, get a live address. Base address: ${baseUrl}

This page is the whole API: a walk through it, the conventions, then every operation. The same for programs: ${baseUrl}/openapi.json. For agents that speak MCP: ${baseUrl}/mcp.md.

${guide(baseUrl)}
## Conventions

- JSON with snake_case names. Times are RFC 3339 in UTC with milliseconds. Ids are UUIDs. Sizes are bytes; KB, MB and GB are powers of 1024.
- Authentication: \`Authorization: Bearer svc_…\`, or a browser session whose changing requests carry \`X-CSRF-Token\`. Where a session’s \`X-Account-Id\` names another account than the one signed in, nothing is done (403). A request with an \`Authorization\` header is judged by it alone.
- Errors: \`{"error": {"code", "message", "field", "details"}}\`. Branch on \`code\`; \`message\` is for people and may change. A \`validation_error\` lists every fault in \`details.errors\`.
- 429 and a 503 that passes (\`unavailable\`) carry \`Retry-After\` in seconds. Every answer carries \`X-Request-Id\`; quote it when you ask for help.
- Sending again: with an \`Idempotency-Key\` header (1 to 255 visible ASCII characters, one you make up for each thing to do), a request that makes something may be repeated when its answer was lost. For 24 hours the same key gets the first 2xx answer, with \`Idempotent-Replayed: true\`. Keys belong to your account, method and path; with another query, type, file name or body the same key is a 422 (the boundary of a form does not count), and while the first request still runs it is a 409 \`conflict\`: wait a moment. Refusals are not kept. You sign in each time as ever, and an answer about what you no longer see is a 404. Where a server dies in the middle, the key is free again after a minute. The operations below say which take it; the agents’ tools take \`idempotency_key\`, and say in an answer given again that it is one.
- Names, titles and labels are one line, in any script, without characters that are not seen or that turn text around: a \`validation_error\` otherwise.
- JSON bodies hold at most ${sizeText(MAX_BODY_BYTES)}. Uploads hold what the plan allows and are refused while they stream, with nothing stored.
- Lists that can grow take \`limit\` (1 to 100; 50 by default) and \`cursor\`, and answer \`next_cursor\`: pass it on as \`cursor\` for the next page; null is the end.
- Any operation may also answer 500 \`internal_error\` and 503 \`unavailable\`.
`

const named = (schema: Shape): string => {
  const reference = schema["$ref"]
  if (typeof reference === "string") return reference.split("/").at(-1) ?? "object"
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value)).join(" | ")
  const union = schema["anyOf"] ?? schema["oneOf"]
  if (Array.isArray(union)) return [...new Set(union.map((member: Shape) => named(member)))].join(" | ")
  if (schema["type"] === "array") return `${named((schema["items"] ?? {}) as Shape)}[]`
  return String(schema["format"] ?? schema["type"] ?? "any")
}

/** The schema one level down: of an object's fields, or of a list's members. */
const inner = (document: Document, property: Shape): Shape | undefined => {
  const [only, ...others] = ((property["anyOf"] ?? [property]) as ReadonlyArray<Shape>).filter(({ type }) => type !== "null")
  const one = others.length === 0 ? resolved(document, only ?? {}) : property
  const member = one["type"] === "array" ? resolved(document, (one["items"] ?? {}) as Shape) : one
  return member["properties"] === undefined ? undefined : member
}

const fields = (document: Document, given: Shape, indent = "  "): ReadonlyArray<string> => {
  const schema = resolved(document, given)
  const properties = (schema["properties"] ?? {}) as Record<string, Shape>
  const required = new Set((schema["required"] ?? []) as ReadonlyArray<string>)
  return Object.entries(properties)
    .filter(([, property]) => Object.keys(property).length > 0)
    .flatMap(([name, property]) => {
      const nested = inner(document, property)
      const about = typeof property["description"] === "string" ? `: ${property["description"]}` : ""
      return [
        `${indent}- \`${name}\` ${named(property)}${required.has(name) ? "" : ", optional"}${about}`,
        ...(nested === undefined ? [] : fields(document, nested, `${indent}  `))
      ]
    })
}

const security = (operation: Operation): string => {
  const schemes = (operation.security ?? []).flatMap((one) => Object.keys(one))
  if (schemes.length === 0) return "nobody has to sign in"
  return schemes.map((scheme) => scheme === "bearer" ? "API token" : "session").join(" or ")
}

const body = (document: Document, operation: Operation): ReadonlyArray<string> => {
  const { description = "The file itself." } = (operation.requestBody ?? {}) as { readonly description?: string }
  const content = (operation.requestBody?.content ?? {}) as Record<string, { readonly schema?: Shape }>
  const types = Object.keys(content)
  if (types.length === 0) return []
  const form = content["multipart/form-data"]?.schema
  if (form !== undefined) return ["- Body (multipart/form-data):", ...fields(document, form)]
  const json = content["application/json"]?.schema
  if (types.length === 1 && json !== undefined) return ["- Body (JSON):", ...fields(document, json)]
  return [`- Body: ${description} One of ${types.join(", ")}`]
}

/** The codes that any operation may answer: listed once, with the conventions. */
const ANYWHERE = new Set(["internal_error", "unavailable"])

const answers = (document: Document, operation: Operation): ReadonlyArray<string> => {
  const all = Object.entries(operation.responses).map(([status, response]) => {
    const content = (response.content ?? {}) as unknown as Record<string, { readonly schema?: Shape }>
    return { status, schema: content["application/json"]?.schema }
  })
  const refusals = all.filter(({ status }) => Number(status) >= 400).flatMap(({ schema, status }) => {
    const codes = codesIn(schema === undefined ? {} : schemaDeep(document, schema)).filter((code) => !ANYWHERE.has(code))
    return codes.length === 0 ? [] : [`${status} ${codes.map((code) => `\`${code}\``).join(", ")}`]
  })
  return [
    ...all.filter(({ status }) => Number(status) < 400).flatMap(({ schema, status }) =>
      [`- ${status}${schema === undefined ? "" : `: ${named(schema)}`}`, ...(schema === undefined ? [] : fields(document, schema))]),
    ...(refusals.length === 0 ? [] : [`- Refusals: ${refusals.join("; ")}`])
  ]
}

/** Replaces every reference by what it names, at all levels. */
const schemaDeep = (document: Document, schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map((member) => schemaDeep(document, member))
  if (typeof schema !== "object" || schema === null) return schema
  return Object.fromEntries(
    Object.entries(resolved(document, schema as Shape)).map(([key, value]) => [key, schemaDeep(document, value)])
  )
}

/** Headers and cookies that the conventions explain once. */
const CONVENTIONAL = new Set(["Idempotency-Key", "X-CSRF-Token", "__Host-svc_csrf"])

const section = (document: Document, baseUrl: string, described: Described): string => {
  const { method, operation: one, path } = described
  const example = exampleOf(document, baseUrl, described)
  return [
    `### ${method.toUpperCase()} ${path}`,
    "",
    [one.summary, one.description].filter((text) => text !== undefined && text !== "").join(". ").replace(/([.?])\./g, "$1"),
    "",
    `- Who: ${security(one)}`,
    ...(one.parameters ?? []).filter((parameter) => parameter.in === "path" || parameter.in === "query" || !CONVENTIONAL.has(parameter.name)).map((parameter) => {
      const about = typeof parameter.description === "string" ? `: ${parameter.description}` : ""
      return `- ${parameter.in} \`${parameter.name}\` ${named(parameter.schema as Shape)}${parameter.required ? "" : ", optional"}${about}`
    }),
    ...((one.parameters ?? []).some(({ name }) => name === "Idempotency-Key") ? ["- Takes `Idempotency-Key`"] : []),
    ...body(document, one),
    ...answers(document, one),
    ...(example === undefined ? [] : [`- Example: \`${example}\``]),
    ""
  ].join("\n")
}

const METHODS = ["get", "post", "put", "patch", "delete"] as const

export const docsMarkdown = (document: Document, baseUrl: string): string => {
  const sections = document.tags.map((tag) => {
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const one = item[method]
        return one !== undefined && one.tags.includes(tag.name) ? [section(document, baseUrl, { method, path, operation: one })] : []
      })
    )
    return [`## ${tag.name}`, "", tag.description ?? "", "", ...operations].join("\n")
  })
  return [intro(baseUrl), errorTable(document), ...sections].join("\n")
}
