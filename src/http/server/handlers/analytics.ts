/** Analytics over HTTP, as JSON or as a file for a spreadsheet. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Analytics } from "../../../domain/analytics/analytics.ts"
import type { Analysis } from "../../../domain/analytics/model.ts"
import { csvOf } from "../../../domain/analytics/rules.ts"
import { DAYS } from "../../contract/analytics.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"
import { handlersOf } from "../carried.ts"

const csv = ({ series }: Analysis, slug: string) =>
  HttpServerResponse.text(csvOf(series), {
    contentType: "text/csv; charset=utf-8",
    headers: { "content-disposition": `attachment; filename="${slug}-analytics.csv"` }
  })

export const AnalyticsHandlers = handlersOf(
  Api,
  "analytics",
  Effect.fnUntraced(function*(handlers) {
    const analytics = yield* Analytics

    return handlers.handleAll({
      of: ({ params, query }) =>
        Caller.use(({ user }) => analytics.of(user, params.slug, query.days ?? DAYS)).pipe(
          Effect.map((analysis) => query.format === "csv" ? csv(analysis, params.slug) : analysis)
        )
    })
  })
)
