/** Names that can only mean a setting of a publish, in its query and in its form. */
import { Effect, Layer, SchemaAST } from "effect"
import type { Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Fault } from "../../../domain/failures.ts"
import { meantBy } from "../../../domain/names.ts"
import { asInvalid } from "../../contract/faults.ts"
import { Spelt } from "../../contract/spelling.ts"

const didYouMean = (name: string) => `Did you mean ${name}?`

/** Addresses end up in logs. */
const NO_DOORCODE = "A doorcode does not go into an address. Send it as password in a form, or set it by PATCH."

const NO_BASE = "A new project is based on no version. Leave this out, or send it to the project: PUT /v1/projects/{slug}, or POST /v1/projects/{slug}/files."

/** Names that are refused however they are spelt where they are not taken, and what to do instead. */
const IN_QUERY = { password: NO_DOORCODE, doorcode: NO_DOORCODE, base_version: NO_BASE }
export const IN_FORM = { doorcode: didYouMean("password"), base_version: NO_BASE }

export const misspelt = (given: object, taken: ReadonlyArray<string>, instead: Readonly<Record<string, string>>): ReadonlyArray<Fault> => {
  const names = [...taken, ...Object.keys(instead)]
  return Object.keys(given).filter((name) => !taken.includes(name)).flatMap((field) => {
    const meant = meantBy(field, names)
    return meant === undefined ? [] : { field, message: taken.includes(meant) ? didYouMean(meant) : instead[meant]! }
  })
}

const namesIn = (query: Schema.Top | undefined): ReadonlyArray<string> =>
  query !== undefined && SchemaAST.isObjects(query.ast) ? query.ast.propertySignatures.map(({ name }) => String(name)) : []

export const SpeltChecked = Layer.succeed(
  Spelt,
  Spelt.of(Effect.fnUntraced(function*(next, { endpoint }) {
    const faults = misspelt(yield* HttpServerRequest.ParsedSearchParams, namesIn(endpoint.query), IN_QUERY)
    return faults.length === 0 ? yield* next : yield* asInvalid(faults)
  }))
)
