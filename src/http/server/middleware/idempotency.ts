/**
 * `Idempotency-Key`: a repeat gets the first 2xx answer instead of doing the work twice (CONTRACT §1). The caller is
 * authenticated before; a repeat also checks whether they could still get that answer.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Idempotency } from "../../../domain/idempotency/idempotency.ts"
import { keyFrom, MAX_ANSWER_BYTES } from "../../../domain/idempotency/rules.ts"
import { ProjectId } from "../../../domain/projects/model.ts"
import { Caller } from "../../contract/authentication.ts"
import { IDEMPOTENCY_HEADER, Idempotent } from "../../contract/idempotency.ts"
import { pathOf } from "../request-path.ts"
import { overheard } from "./body-print.ts"
import { aboutOf, stillSeen } from "./still-seen.ts"
import type { Guards } from "./still-seen.ts"

const Answer = Schema.Struct({ status: Schema.Int, type: Schema.String, body: Schema.String, about: Schema.optionalKey(ProjectId) })

const answerOf = ({ body, status }: HttpServerResponse.HttpServerResponse) =>
  status >= 200 && status < 300 && body._tag === "Uint8Array" && body.body.length <= MAX_ANSWER_BYTES
    ? { status, type: body.contentType, body: Buffer.from(body.body).toString("utf8") }
    : undefined

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const jsonOf = (body: string): unknown => Option.getOrUndefined(decodeJson(body))

export const IdempotentChecked = Layer.effect(
  Idempotent,
  Effect.gen(function*() {
    const { once } = yield* Idempotency
    const parts = yield* Effect.context<Guards>()

    return Idempotent.of(Effect.fnUntraced(function*(next, { endpoint, group }) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const sent = request.headers[IDEMPOTENCY_HEADER]
      if (sent === undefined) return yield* next
      const key = yield* Effect.fromResult(keyFrom(sent))
      const { user } = yield* Caller
      const incoming = NodeHttpServerRequest.toIncomingMessage(request)
      // `originalUrl` includes the host, and all our host names are one service.
      const url = incoming.url ?? "/"
      // All of it: a query may hold further question marks.
      const query = url.slice(pathOf({ url }).length + 1)
      const named = yield* HttpRouter.params
      // The path as the API spells it: the router lets other spellings through, such as with a slash at the end.
      const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => named[name] ?? "")
      const { given, print, printed } = overheard(incoming, query)
      const operation = `${group.identifier}.${endpoint.identifier}`
      return yield* once({ userId: user.id, operation: `${request.method} ${path}`, key }, {
        run: Effect.gen(function*() {
          const response = yield* next
          const answer = answerOf(response)
          const given = answer === undefined ? Option.none() : yield* printed
          if (answer === undefined || Option.isNone(given)) return { value: response, kept: undefined }
          const about = yield* Effect.provideContext(aboutOf(operation, user, jsonOf(answer.body)), parts)
          return { value: response, kept: { print: given.value, answer: { ...answer, ...(about !== undefined && { about }) } } }
        }),
        print,
        again: Effect.fnUntraced(function*(kept) {
          const { about, body, status, type } = yield* Effect.orDie(Schema.decodeUnknownEffect(Answer)(kept))
          const repeat = { user, named, given: jsonOf(given()), answer: jsonOf(body), about }
          yield* Effect.provideContext(stillSeen(operation, repeat), parts)
          return HttpServerResponse.text(body, { status, contentType: type, headers: { "idempotent-replayed": "true" } })
        })
      })
    }))
  })
)
