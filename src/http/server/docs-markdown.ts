/** /docs.md: the whole API as plain text, for people and for agents that read one page and start. Read off the contract. */
import type { OpenApi } from "effect/http-api"
import { PLANS } from "../../domain/workspaces/rules.ts"

type Document = OpenApi.OpenAPISpec
type Operation = OpenApi.OpenAPISpecOperation
type Shape = Record<string, unknown>

/** curl keeps `Secure` cookies over plain http for `localhost` alone, not for the names below it. */
export const sessionUrl = (baseUrl: string): string => baseUrl.replace(/^(http:\/\/)[^/:]+\.localhost/, "$1localhost")

const megabytes = (bytes: number) => bytes >= 1024 ** 4 ? `${bytes / 1024 ** 4} TB` : bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3} GB` : `${bytes / 1024 ** 2} MB`

const planLines = Object.entries(PLANS)
  .map(([name, plan]) =>
    `${name} holds ${plan.projects} projects and ${megabytes(plan.storageBytes)}, takes ${megabytes(plan.uploadBytes)} an upload and keeps ${plan.versionsKept} versions`)
  .join("; ")

const intro = (baseUrl: string) => `# svc API

Publish a file, get a live address. Base address: ${baseUrl}

## Start

1. Sign up: \`curl ${baseUrl}/v1/auth/signup --json '{"email":"you@example.com","password":"a long phrase"}'\`, then follow the link in the mail.
2. Sign in and make an API token (a session makes tokens; tokens do everything else):

\`\`\`sh
csrf=$(curl -s -c jar ${sessionUrl(baseUrl)}/v1/auth/login --json '{"email":"you@example.com","password":"a long phrase"}' | sed 's/.*"csrf_token":"\\([^"]*\\)".*/\\1/')
curl -b jar -H "X-CSRF-Token: $csrf" ${sessionUrl(baseUrl)}/v1/tokens --json '{"label":"laptop"}'
\`\`\`

3. Publish: \`curl -T report.html -H "Authorization: Bearer svc_…" -H "Content-Type: text/html" ${baseUrl}/v1/projects/my-report\`

The \`Content-Type\` says what it is: \`text/html\`, \`text/markdown\`, \`text/plain\`, \`text/csv\`, \`application/json\`, \`application/pdf\`, \`image/*\`, \`video/*\`, or \`application/zip\` for a whole site with an \`index.html\` at its root. The answer holds the live \`url\`. Publishing to the same slug again makes the next version; the old one serves until the new one is whole.

More ways, each with \`-H "Authorization: Bearer svc_…"\`:

\`\`\`sh
# A zipped site, behind a doorcode that the answer names
curl -T site.zip -H "Content-Type: application/zip" "${baseUrl}/v1/projects/docs?visibility=password"
# Several files in one form; each file's name is its path
curl -F "file=@index.html" -F "file=@style.css;filename=css/style.css" -F slug=hand-made ${baseUrl}/v1/projects
# Replace one file of a site, remove another
curl -F "file=@index.html" -F delete=old.html ${baseUrl}/v1/projects/hand-made/files
# Rename, and let members alone open it
curl -X PATCH --json '{"slug":"q3-final","visibility":"private"}' ${baseUrl}/v1/projects/my-report
\`\`\`

Plans: ${planLines}.

## Conventions

- JSON with snake_case names. Times are RFC 3339 in UTC with milliseconds. Ids are UUIDs. Sizes are bytes; KB, MB and GB are powers of 1024.
- Authentication: \`Authorization: Bearer svc_…\`, or a browser session whose changing requests carry \`X-CSRF-Token\`. A request with an \`Authorization\` header is judged by it alone.
- Errors: \`{"error": {"code", "message", "field", "details"}}\`. Branch on \`code\`; \`message\` is for people and may change. A \`validation_error\` lists every fault in \`details.errors\`.
- 429 and 503 carry \`Retry-After\` in seconds. Every answer carries \`X-Request-Id\`; quote it when you ask for help.
- JSON bodies hold at most 1 MB. Uploads hold what the plan allows and are refused while they stream, with nothing stored.
`

const resolve = (document: Document, schema: Shape): Shape => {
  const reference = schema["$ref"]
  if (typeof reference !== "string") return schema
  const name = reference.split("/").at(-1) ?? ""
  return (document.components.schemas as Record<string, Shape>)[name] ?? {}
}

const named = (schema: Shape): string => {
  const reference = schema["$ref"]
  if (typeof reference === "string") return reference.split("/").at(-1) ?? "object"
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value)).join(" | ")
  const union = schema["anyOf"] ?? schema["oneOf"]
  if (Array.isArray(union)) return [...new Set(union.map((member: Shape) => named(member)))].join(" | ")
  if (schema["type"] === "array") return `${named((schema["items"] ?? {}) as Shape)}[]`
  return String(schema["format"] ?? schema["type"] ?? "any")
}

/** What lies one level down: the fields of an object, or of a list's members. */
const inner = (document: Document, property: Shape): Shape | undefined => {
  const one = resolve(document, property)
  const member = one["type"] === "array" ? resolve(document, (one["items"] ?? {}) as Shape) : one
  return member["properties"] === undefined ? undefined : member
}

const fields = (document: Document, given: Shape, indent = "  "): ReadonlyArray<string> => {
  const schema = resolve(document, given)
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

const answers = (document: Document, operation: Operation): ReadonlyArray<string> =>
  Object.entries(operation.responses).flatMap(([status, response]) => {
    const content = (response.content ?? {}) as unknown as Record<string, { readonly schema?: Shape }>
    const schema = content["application/json"]?.schema
    if (Number(status) >= 400) {
      const codes = [...JSON.stringify(schema === undefined ? {} : schemaDeep(document, schema)).matchAll(/"code":\{[^}]*"enum":\["([a-z_]+)"\]/g)]
        .map(([, code]) => `\`${code}\``)
      return [`- ${status}: ${[...new Set(codes)].join(", ")}`]
    }
    return [`- ${status}${schema === undefined ? "" : `: ${named(schema)}`}`, ...(schema === undefined ? [] : fields(document, schema))]
  })

/** With every reference replaced by what it names, one level of nesting after another. */
const schemaDeep = (document: Document, schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map((member) => schemaDeep(document, member))
  if (typeof schema !== "object" || schema === null) return schema
  return Object.fromEntries(
    Object.entries(resolve(document, schema as Shape)).map(([key, value]) => [key, schemaDeep(document, value)])
  )
}

const operation = (document: Document, method: string, path: string, one: Operation): string =>
  [
    `### ${method.toUpperCase()} ${path}`,
    "",
    [one.summary, one.description].filter((text) => text !== undefined && text !== "").join(". ").replace(/([.?])\./g, "$1"),
    "",
    `- Who: ${security(one)}`,
    ...(one.parameters ?? []).filter((parameter) => parameter.in !== "cookie").map((parameter) => {
      const about = typeof parameter.description === "string" ? `: ${parameter.description}` : ""
      return `- ${parameter.in} \`${parameter.name}\` ${named(parameter.schema as Shape)}${parameter.required ? "" : ", optional"}${about}`
    }),
    ...body(document, one),
    ...answers(document, one),
    ""
  ].join("\n")

const METHODS = ["get", "post", "put", "patch", "delete"] as const

export const docsMarkdown = (document: Document, baseUrl: string): string => {
  const sections = document.tags.map((tag) => {
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const one = item[method]
        return one !== undefined && one.tags.includes(tag.name) ? [operation(document, method, path, one)] : []
      })
    )
    return [`## ${tag.name}`, "", tag.description ?? "", "", ...operations].join("\n")
  })
  return [intro(baseUrl), ...sections].join("\n")
}
