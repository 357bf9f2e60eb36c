/** What openapi.json, and the documents made from it, say about an endpoint and its fields. */
import { SchemaAST } from "effect"
import type { Schema } from "effect"
import { OpenApi } from "effect/http-api"

export const annotate = (summary: string, description?: string, override?: Record<string, unknown>) =>
  OpenApi.annotations({ summary, description, override })

/** What the contract says of each field: the generator keeps it only of what travels as it is, not of a number that travels as text. */
export const wordsOf = (fields: Schema.Top | undefined): Readonly<Record<string, string>> =>
  fields !== undefined && SchemaAST.isObjects(fields.ast)
    ? Object.fromEntries(fields.ast.propertySignatures.flatMap(({ name, type }) => {
      const words = SchemaAST.resolveDescription(type)
      return words === undefined ? [] : [[String(name), words]]
    }))
    : {}
