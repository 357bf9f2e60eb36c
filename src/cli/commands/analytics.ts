/** How often a project was viewed: totals, a chart of days, and the days themselves. */
import { DateTime, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { countText } from "../../domain/words.ts"
import type { AnalyticsView } from "../../http/contract/analytics.ts"
import { chart } from "../chart.ts"
import { theirNow } from "../clock.ts"
import { signedIn } from "../connection.ts"
import { slug } from "../flags.ts"
import { Output } from "../output.ts"
import { facts } from "../table.ts"
import { ago } from "../words.ts"

type Figures = typeof AnalyticsView.Type

/** When it was looked at last, as far back as the plan keeps views. */
const lastSeen = ({ totals: { lastViewedAt }, window: { retentionDays } }: Figures, now: DateTime.Utc): string => {
  if (lastViewedAt !== null) return ago(lastViewedAt, now)
  return retentionDays === null ? "never" : `not in the ${countText(retentionDays, "day")} that the plan keeps`
}

const shown = (figures: Figures, now: DateTime.Utc, { listed, paint, wide }: typeof Output.Service) => {
  const { series, shareLinks, totals, window } = figures
  const [drawn, days] = chart(series, wide)
  const seen = series.filter(({ views }) => views > 0)
  return [
    ...facts([
      ["Views", totals.views.toLocaleString("en")],
      ["Visitors", totals.uniqueVisitors.toLocaleString("en")],
      ["Last seen", lastSeen(figures, now)],
      ["Window", `${countText(window.days, "day")}${window.truncated ? `, all that the plan keeps of the ${window.requestedDays} asked for` : ""}`]
    ]),
    "",
    drawn,
    paint.dim(`${days}, in UTC`),
    ...(seen.length === 0 ? [] : [
      "",
      ...listed(
        [{ title: "DAY (UTC)" }, { title: "VIEWS", right: true }, { title: "VISITORS", right: true }],
        seen.map(({ date, uniqueVisitors, views }) => [date, String(views), String(uniqueVisitors)]),
        ""
      )
    ]),
    ...(shareLinks.length === 0 ? [] : [
      "",
      ...listed(
        [{ title: "LINK FOR", gives: true }, { title: "OPENED", right: true }, { title: "FIRST" }],
        shareLinks.map(({ firstOpenedAt, label, viewCount }) => [label, String(viewCount), firstOpenedAt === null ? "not yet" : ago(firstOpenedAt, now)]),
        ""
      )
    ])
  ]
}

export const analytics = Command.make(
  "analytics",
  {
    slug,
    days: Flag.Int("days").pipe(Flag.withDescription("1 to 90, today included; 30 by default"), Flag.withDefault(30)),
    csv: Flag.Boolean("csv").pipe(Flag.withDescription("The days, for a spreadsheet"), Flag.withDefault(false))
  },
  Effect.fnUntraced(function*({ csv, days, slug: named }) {
    const output = yield* Output
    const { answer } = output
    const slug = yield* named
    const client = yield* signedIn
    const found = yield* client.analytics.of({ params: { slug }, query: { days, format: csv ? "csv" : "json" } })
    if (typeof found === "string") return yield* answer({ csv: found }, () => found.trimEnd())
    const now = yield* theirNow
    yield* answer(found, () => shown(found, now, output))
  })
).pipe(Command.withDescription("How often a project was looked at, by how many, by which links"))
