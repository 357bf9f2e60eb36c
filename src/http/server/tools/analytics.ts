/** `get_analytics` (SPEC §4.9): how often a project was looked at. */
import { Effect, Schema } from "effect"
import { Analytics } from "../../../domain/analytics/analytics.ts"
import { countText } from "../../../domain/words.ts"
import { Caller } from "../../contract/authentication.ts"
import { analysis, Days, DAYS, daysWords } from "../../contract/analytics.ts"
import { PAGE, wire } from "../../contract/wire.ts"
import { optional, slug } from "./arguments.ts"
import { READS, tool } from "./tool.ts"
import { moment, quoted } from "./words.ts"

const Output = wire({
  ...analysis,
  moreShareLinks: Schema.Int.annotate({ description: "How many there are beside the newest, which are shown: list_share_links has them all" })
})
type Analysis = typeof Output.Type

const byDay = (series: Analysis["series"]): ReadonlyArray<string> => {
  const days = series.filter(({ views }) => views > 0).map(({ date, uniqueVisitors, views }) => `${date}: ${views} (${uniqueVisitors})`)
  return days.length === 0 ? [] : [`Views (visitors) by day, where there were any: ${days.join(", ")}.`]
}

/** When it was viewed last, as far back as the plan keeps views. */
const last = ({ totals: { lastViewedAt }, window: { retentionDays } }: Pick<Analysis, "totals" | "window">): string => {
  if (lastViewedAt !== null) return `last viewed ${moment(lastViewedAt)}`
  return retentionDays === null ? "never viewed" : `no view in the ${countText(retentionDays, "day")} that the plan keeps`
}

const opened = ({ firstOpenedAt, viewCount }: Analysis["shareLinks"][number]): string =>
  firstOpenedAt === null ? "not opened" : `opened ${countText(viewCount, "time")} in all, first on ${moment(firstOpenedAt)}`

export const getAnalytics = tool("get_analytics", {
  title: "See how often it is read",
  description: "Views and visitors of a project by day, and how often each share link was opened since it was made. A view is one load of a page by a reader; a visitor is counted once a day. window.truncated says that the plan keeps fewer days than were asked for.",
  annotations: READS,
  input: Schema.Struct({
    slug,
    days: optional(Days, daysWords)
  }),
  output: Output,
  run: Effect.fnUntraced(function*({ days, slug }) {
    const { user } = yield* Caller
    const { shareLinks, ...rest } = yield* (yield* Analytics).of(user, slug, days ?? DAYS)
    const newest = shareLinks.slice(0, PAGE)
    return { ...rest, shareLinks: newest, moreShareLinks: shareLinks.length - newest.length }
  }),
  words: ({ moreShareLinks, series, shareLinks, totals, window }) =>
    [
      `${countText(totals.views, "view")} by ${countText(totals.uniqueVisitors, "visitor")} in ${countText(window.days, "day")}${window.truncated ? ", which is all that the plan keeps" : ""}; ${last({ totals, window })}.`,
      ...byDay(series),
      ...shareLinks.map((link) => `- share link ${quoted(link.label)}: ${opened(link)}`),
      ...(moreShareLinks === 0 ? [] : [`- and ${moreShareLinks} older: list_share_links has them all`])
    ].join("\n")
})
