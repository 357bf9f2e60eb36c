/** Exports over HTTP: asking for one, and the archive behind the mailed link. */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Exports } from "../../../domain/exports/exports.ts"
import { invalid } from "../../../domain/failures.ts"
import type { NotFound } from "../../../domain/failures.ts"
import { Addresses } from "../../../domain/ports/addresses.ts"
import { countText } from "../../../domain/words.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"
import { prefersHtml } from "../../contract/negotiation.ts"
import { rangeHolds } from "../../contract/preconditions.ts"
import { rangeOf } from "../../contract/ranges.ts"
import { pageAnswer, refusalAnswer } from "../answers.ts"
import { handlersOf } from "../carried.ts"
import { noSuchExportPage } from "../export-pages.ts"
import { parametersIn } from "../page-session.ts"

type Download = Effect.Success<ReturnType<typeof Exports.Service["open"]>>

/** The requested part; the whole without a Range header, where If-Range names another archive, and for a HEAD. */
const asked = ({ headers, method }: HttpServerRequest.HttpServerRequest, tag: string, length: number) => {
  const range = headers["range"]
  return range === undefined || method === "HEAD" || !rangeHolds(headers["if-range"], tag) ? "whole" : rangeOf(range, length)
}

const noSuchPart = (length: number) => invalid({ field: "Range", message: `The archive has ${countText(length, "byte")}. Ask for some of them, or leave Range out.` })

const answer = Effect.fnUntraced(function*({ bytes, hash, name, noted, sizeBytes }: Download) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const tag = `"${hash}"`
  const headers = {
    "accept-ranges": "bytes",
    "cache-control": "private, no-store",
    "content-disposition": `attachment; filename="${name}"`,
    "etag": tag,
    "referrer-policy": "no-referrer"
  }
  const part = asked(request, tag, sizeBytes)
  if (part === "unsatisfiable") return refusalAnswer(416, noSuchPart(sizeBytes), { "content-range": `bytes */${sizeBytes}`, "referrer-policy": "no-referrer" })
  const { end, start } = part === "whole" ? { start: 0, end: sizeBytes - 1 } : part
  yield* noted({ sendsBytes: request.method === "GET", start })
  return HttpServerResponse.stream(bytes(start, end + 1 - start), {
    status: part === "whole" ? 200 : 206,
    contentType: "application/zip",
    contentLength: end + 1 - start,
    headers: part === "whole" ? headers : { ...headers, "content-range": `bytes ${start}-${end}/${sizeBytes}` }
  })
})

/** People come here from a mail. */
const missing = (appUrl: string) => (failure: NotFound) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    prefersHtml(headers["accept"]) ? Effect.succeed(pageAnswer(noSuchExportPage(`${appUrl}/workspace/export`), 404)) : Effect.fail(failure))

export const ExportsHandlers = handlersOf(
  Api,
  "exports",
  Effect.fnUntraced(function*(handlers) {
    const exports = yield* Exports
    const { appUrl } = yield* Addresses

    return handlers.handleAll({
      request: ({ payload: { password, workspace } }) => Caller.use(({ user }) => exports.request(user, workspace, password)),
      latest: ({ query }) => Caller.use(({ user }) => exports.latest(user, query.workspace)),
      download: ({ params }) =>
        HttpServerRequest.ParsedSearchParams.pipe(
          Effect.flatMap((query) => exports.open(params.export_id, parametersIn(query)["token"] ?? "")),
          Effect.flatMap(answer),
          Effect.catchTag("not_found", missing(appUrl))
        )
    })
  })
)
