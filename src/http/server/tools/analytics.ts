/** `get_analytics` (SPEC §4.9): how often a project was looked at. */
import { Effect, Schema } from "effect"
import { Analytics } from "../../../domain/analytics/analytics.ts"
import { countText } from "../../../domain/words.ts"
import { Caller } from "../../contract/authentication.ts"
import { AnalyticsView, Days, DAYS, daysWords } from "../../contract/analytics.ts"
import { optional, slug } from "./arguments.ts"
import { READS, tool } from "./tool.ts"
import { moment, quoted } from "./words.ts"

const byDay = (series: typeof AnalyticsView.Type["series"]): ReadonlyArray<string> => {
  const days = series.filter(({ views }) => views > 0).map(({ date, uniqueVisitors, views }) => `${date}: ${views} (${uniqueVisitors})`)
  return days.length === 0 ? [] : [`Views (visitors) by day, where there were any: ${days.join(", ")}.`]
}

export const getAnalytics = tool("get_analytics", {
  title: "See who looked",
  description: "Views and visitors of a project by day, and how often each share link was opened. A view is one load of a page by a reader; a visitor is counted once a day. window.truncated says that the plan keeps fewer days than were asked for.",
  annotations: READS,
  input: Schema.Struct({
    slug,
    days: optional(Days, daysWords)
  }),
  output: AnalyticsView,
  run: Effect.fnUntraced(function*({ days, slug }) {
    const { user } = yield* Caller
    return yield* (yield* Analytics).of(user, slug, days ?? DAYS)
  }),
  words: ({ series, shareLinks, totals: { lastViewedAt, uniqueVisitors, views }, window }) =>
    [
      `${countText(views, "view")} by ${countText(uniqueVisitors, "visitor")} in ${countText(window.days, "day")}${window.truncated ? ", which is all that the plan keeps" : ""}; ${lastViewedAt === null ? "never viewed" : `last viewed ${moment(lastViewedAt)}`}.`,
      ...byDay(series),
      ...shareLinks.map(({ label, viewCount }) => `- share link ${quoted(label)}: opened ${countText(viewCount, "time")}`)
    ].join("\n")
})
