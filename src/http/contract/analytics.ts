/** Who looked at a project (SPEC §2 analytics, §4.6; CONTRACT §9). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { NotFound } from "../../domain/failures.ts"
import { annotate } from "./annotations.ts"
import { Authenticated } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { bySlug, Timestamp, wire } from "./wire.ts"

/** The length of a window in days: its maximum and its default. */
export const MOST_DAYS = 90
export const DAYS = 30
export const Days = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MOST_DAYS }, { message: `Between 1 and ${MOST_DAYS}.` }))
export const daysWords = `1 to ${MOST_DAYS} days, today included; ${DAYS} by default`

const views = Schema.Int.annotate({ description: "Loads of its pages" })

export const analysis = {
  totals: wire({
    views,
    uniqueVisitors: Schema.Int.annotate({ description: "The sum over the days: a visitor who comes back on another day is counted again" }),
    lastViewedAt: Schema.NullOr(Timestamp).annotate({ description: "Of all time, as far as the plan keeps views" })
  }),
  series: Schema.Array(wire({
    date: Schema.String.annotate({ description: "A day in UTC", format: "date" }),
    views,
    uniqueVisitors: Schema.Int
  })).annotate({ description: "Every day of the window, zeros included, oldest first, ending today" }),
  shareLinks: Schema.Array(wire({
    label: Schema.String,
    viewCount: Schema.Int.annotate({ description: "How often it was opened since it was made, whatever the window" }),
    firstOpenedAt: Schema.NullOr(Timestamp)
  })).annotate({ description: "Those that are not revoked, newest first" }),
  window: wire({
    days: Schema.Int.annotate({ description: "Days in this answer" }),
    requestedDays: Schema.Int,
    retentionDays: Schema.NullOr(Schema.Int).annotate({ description: "How many days the plan keeps" }),
    truncated: Schema.Boolean.annotate({ description: "Whether more days were asked for than the plan keeps" })
  })
}
export const AnalyticsView = wire(analysis).annotate({ identifier: "Analytics" })

export class AnalyticsContract extends HttpApiGroup.make("analytics")
  .add(
    HttpApiEndpoint.get("of", "/projects/:slug/analytics", {
      params: bySlug,
      query: {
        days: Schema.optionalKey(Days).annotate({ description: daysWords }),
        format: Schema.optionalKey(Schema.Literals(["json", "csv"])).annotate({ description: "csv: the series alone, as a file" })
      },
      success: [AnalyticsView, Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv; charset=utf-8" }))],
      error: refusal(NotFound, 404)
    }).annotateMerge(annotate(
      "See how often it is read",
      "Views and visitors by day. A view is one load of a page by a reader: no assets, no prefetches, no crawlers. A visitor is one address and browser on one day; no cookie is set for it."
    ))
  )
  .prefix("/v1")
  .middleware(Authenticated)
  .annotateMerge(OpenApi.annotations({ title: "Analytics", description: "How often a project was looked at, and by how many." }))
{}
