/** How agents are shown what a tool takes and answers: as JSON Schema without what tells them nothing, for they pay for each word. */
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server"
import { Schema } from "effect"
import { TIME } from "../../contract/wire.ts"

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** What `said` and `atMost` add stands apart wherever the schema has words or limits of its own. */
const joined = ({ allOf, ...rest }: Json): Json =>
  Array.isArray(allOf) ? Object.assign({}, rest, ...(allOf as ReadonlyArray<Json>)) as Json : { ...rest, ...(allOf === undefined ? {} : { allOf }) }

const without = (json: Json, ...keys: ReadonlyArray<string>): Json => Object.fromEntries(Object.entries(json).filter(([key]) => !keys.includes(key)))

/** `given | null` has its words outside. */
const described = (json: Json): Json =>
  Array.isArray(json["anyOf"]) && typeof json["description"] === "string"
    ? { ...json, anyOf: json["anyOf"].map((one: unknown) => isJson(one) ? without(one, "description") : one) }
    : json

/** `strict`: unknown fields are refused, at every level. */
const lean = (strict: boolean) => {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isJson(value)) return value
    const json = described(joined(value))
    // MCP’s own dialect is 2020-12.
    const idle = Object.entries({
      $schema: true,
      minimum: json["minimum"] === Number.MIN_SAFE_INTEGER,
      maximum: json["maximum"] === Number.MAX_SAFE_INTEGER,
      description: json["description"] === TIME,
      additionalProperties: json["additionalProperties"] === true
    }).filter(([, is]) => is).map(([key]) => key)
    const closed = strict && json["additionalProperties"] === true ? { additionalProperties: false } : {}
    return { ...Object.fromEntries(Object.entries(without(json, ...idle)).map(([key, inner]) => [key, walk(inner)])), ...closed }
  }
  return (schema: Json) => walk(schema) as Record<string, unknown>
}

type JsonSchemas = StandardSchemaWithJSON["~standard"]["jsonSchema"]

/**
 * The SDK does not check the arguments: a tool decodes them itself, so that their faults come in our envelope. It asks for
 * each schema in every request, and gets what was made at the first one.
 */
const shown = (schema: Schema.Top, change: (schema: Json) => Record<string, unknown>): StandardSchemaWithJSON => {
  const { jsonSchema: { input } } = Schema.toStandardJSONSchemaV1(Schema.toEncoded(schema))["~standard"]
  const kept = new Map<string, Record<string, unknown>>()
  const made: JsonSchemas["input"] = (options) => {
    const json = kept.get(options.target) ?? change(input(options))
    kept.set(options.target, json)
    return json
  }
  return { "~standard": { version: 1, vendor: "effect", validate: (value) => ({ value }), jsonSchema: { input: made, output: made } } }
}

/** What may be left out may be null, too, which agents' libraries need not know: they send null for it by themselves, and some cannot say it. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (!isJson(value)) return value
  const { properties, required } = value
  const walked = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
  if (!isJson(properties)) return walked
  const needed = Array.isArray(required) ? required : []
  const options = Object.entries(walked["properties"] as Json).map(([name, given]) => {
    const { anyOf, ...words } = given as Json
    const meant = Array.isArray(anyOf) && !needed.includes(name) ? (anyOf as ReadonlyArray<Json>).filter(({ type }) => type !== "null") : []
    return [name, meant.length === 1 ? { ...meant[0], ...words } : given]
  })
  return { ...walked, properties: Object.fromEntries(options) }
}

export const shownInput = (schema: Schema.Top, strict: boolean, more: (schema: Record<string, unknown>) => Record<string, unknown>): StandardSchemaWithJSON =>
  shown(schema, (json) => ({ ...more(plain(lean(strict)(json)) as Record<string, unknown>), ...(strict && { additionalProperties: false }) }))

export const shownOutput = (schema: Schema.Top): StandardSchemaWithJSON => shown(schema, lean(false))
