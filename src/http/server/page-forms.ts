/** Forms of our own pages, read only where one of those pages sent them. */
import { Effect, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import { Addresses } from "../../domain/ports/addresses.ts"
import { fromForeignPage } from "../contract/fetch-metadata.ts"
import { pageAnswer } from "./answers.ts"
import { foreignFormPage } from "./foreign-form-page.ts"

const Fields = Schema.Record(Schema.String, Schema.String)

/** In bytes: many times what one of our forms has. Of a million parameters the reading takes seconds, and anybody may send them. */
const LONGEST = 8 * 1024

/** The form's fields, each once; none where the body is too long or cannot be read as a form, which is not an error. */
const fieldsOf = HttpServerRequest.HttpServerRequest.pipe(
  Effect.flatMap(({ arrayBuffer }) => arrayBuffer),
  Effect.filterOrFail(({ byteLength }) => byteLength <= LONGEST),
  Effect.andThen(HttpServerRequest.schemaBodyUrlParams(Fields)),
  Effect.orElseSucceed(() => ({}) as Readonly<Record<string, string>>)
)

export const ownForm = <E, R>(
  answer: (fields: Readonly<Record<string, string>>) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { baseUrl } = yield* Addresses
    // These forms use no session, so they need no other guard.
    if (fromForeignPage(request.headers, [new URL(baseUrl).origin])) return pageAnswer(foreignFormPage(), 403)
    return yield* answer(yield* fieldsOf)
  })
