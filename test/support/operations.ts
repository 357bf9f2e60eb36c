/** The operations of openapi.json, each with a request made from its description: new ones are tested from their first day. */
import { readFileSync } from "node:fs"
import { form } from "./ask.ts"
import type { FormPart, Question } from "./ask.ts"

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly minimum?: number
  readonly minLength?: number
}

interface Described {
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string; readonly required?: boolean; readonly schema: Schema }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, unknown>>
}

/** Values for known names; everything else is made up from the schema. */
export type Known = Readonly<Record<string, unknown>>

export interface Operation {
  /** As a person would write it: `POST /v1/tokens`. */
  readonly name: string
  readonly mutates: boolean
  /** Every name in its path, query and body. */
  readonly names: ReadonlySet<string>
  /** Those of its query that may be left out, and that `request` leaves out. */
  readonly options: ReadonlyArray<string>
  /** The statuses that it may be answered with. */
  readonly statuses: ReadonlySet<number>
  /** Where the contract describes it, as a JSON pointer. */
  readonly pointer: string
  /** The names of the security schemes that let a caller in. */
  readonly doors: ReadonlySet<string>
  readonly request: (known?: Known) => { readonly path: string; readonly question: Question }
}

export const contract = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const UUID = "018f4a2e-0000-7000-8000-00000000abcd"

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolved(contract.components.schemas[schema.$ref.split("/").at(-1)!]!)

/** What is required or known, or the first property if there is neither: an empty body would ask for nothing. */
const propertiesOf = (schema: Schema, known: Known): ReadonlyArray<readonly [string, Schema]> => {
  const all = Object.entries(schema.properties ?? {})
  const wanted = all.filter(([name]) => schema.required?.includes(name) === true || name in known)
  return wanted.length > 0 ? wanted : all.slice(0, 1)
}

const text = ({ format, minLength = 0, pattern }: Schema): string => {
  if (format === "email") return "somebody@example.com"
  if (format === "date-time") return "2099-01-01T00:00:00.000Z"
  if (format === "uuid" || (pattern !== undefined && new RegExp(pattern, "u").test(UUID))) return UUID
  return "sample".padEnd(minLength, "e")
}

const sample = (given: Schema, known: Known): unknown => {
  const schema = resolved(given)
  const [one] = (schema.anyOf ?? schema.oneOf ?? []).filter((member) => resolved(member).type !== "null")
  if (one !== undefined) return sample(one, known)
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((part) => sample(part, known)))
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  switch (schema.type) {
    case "array":
      return schema.items === undefined ? [] : [sample(schema.items, known)]
    case "boolean":
      return true
    case "integer":
    case "number":
      return schema.minimum ?? 1
    case "object":
      return Object.fromEntries(propertiesOf(schema, known).map(([name, inner]) => [name, name in known ? known[name] : sample(inner, known)]))
    default:
      return text(schema)
  }
}

const written = (value: unknown): string => typeof value === "object" ? JSON.stringify(value) : String(value)

const isBinary = (schema: Schema): boolean => resolved(schema).format === "binary" || (schema.items !== undefined && isBinary(schema.items))

const partOf = ([name, schema]: readonly [string, Schema], known: Known): FormPart =>
  isBinary(schema)
    ? { name, file: "index.html", type: "text/html", content: "<h1>A sample</h1>" }
    : { name, value: written(known[name] ?? [sample(schema, known)].flat()[0]) }

const bodyOf = ({ requestBody }: Described, known: Known): Question => {
  if (requestBody === undefined) return {}
  const { content } = requestBody
  if (content["application/json"] !== undefined && !isBinary(content["application/json"].schema)) {
    return { json: sample(content["application/json"].schema, known) }
  }
  const multipart = content["multipart/form-data"]
  if (multipart !== undefined) return form(...propertiesOf(resolved(multipart.schema), known).map((property) => partOf(property, known)))
  const type = Object.keys(content).find((name) => !name.includes("*")) ?? "application/octet-stream"
  return { headers: { "content-type": type }, body: "<h1>A sample</h1>" }
}

const bodyNames = ({ requestBody }: Described): ReadonlyArray<string> =>
  Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => Object.keys(resolved(schema).properties ?? {}))

const operation = (method: string, path: string, described: Described): Operation => ({
  name: `${method.toUpperCase()} ${path}`,
  mutates: !["get", "head", "options"].includes(method),
  names: new Set([...(described.parameters ?? []).map(({ name }) => name), ...bodyNames(described)]),
  options: (described.parameters ?? []).filter((one) => one.in === "query" && one.required !== true).map(({ name }) => name),
  statuses: new Set(Object.keys(described.responses).map(Number)),
  pointer: `/paths/${path.replaceAll("/", "~1")}/${method}`,
  doors: new Set((described.security ?? []).flatMap(Object.keys)),
  request: (known = {}) => {
    const value = (name: string, schema: Schema) => encodeURIComponent(written(known[name] ?? sample(schema, known)).toWellFormed())
    const given = described.parameters ?? []
    const filled = given.filter((one) => one.in === "path").reduce((text, { name, schema }) => text.replace(`{${name}}`, value(name, schema)), path)
    const query = given.filter((one) => one.in === "query" && one.required === true).map(({ name, schema }) => `${name}=${value(name, schema)}`)
    return { path: query.length === 0 ? filled : `${filled}?${query.join("&")}`, question: { ...bodyOf(described, known), method: method.toUpperCase() } }
  }
})

export const operations: ReadonlyArray<Operation> = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, described]) => operation(method, path, described))
)
