/** Who read a project, in figures: a line, a table, and each recipient's link. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Suspense, useState } from "react"
import { analyticsCsvUrl, analyticsOf } from "../api/analytics.ts"
import type { Analytics } from "../api/analytics.ts"
import { plans } from "../api/billing.ts"
import { now } from "../api/clock.ts"
import { Unread } from "../frame/trouble.tsx"
import { buttonClass } from "../ui/button.tsx"
import { countOf, numberOf, Time, utcDayOf } from "../ui/facts.tsx"
import { Icon } from "../ui/icon.tsx"
import { ahead, partOf } from "../ui/loaded.ts"
import { isMissing } from "../ui/missing.tsx"
import { Empty, Loading, Section, Skeleton, Table } from "../ui/parts.tsx"
import { Segments } from "../ui/segments.tsx"
import { DAY_MS } from "../ui/times.ts"
import { useProject } from "./project.tsx"

const loadChart = () => import("./chart.tsx")
const Chart = partOf(loadChart, (part) => part.default)
// With the screen: what arrives after a fallback is drawn 300 ms later.
ahead(loadChart)

const WINDOWS = [{ value: "7", label: "7 days" }, { value: "30", label: "30 days" }, { value: "90", label: "90 days" }] as const
type Days = (typeof WINDOWS)[number]["value"]

/** As far back as the plan keeps readers: of what is older, nobody can tell that there was none. */
const unread = (created: string, { retention_days: kept }: Analytics["window"]): string =>
  kept === null || now() - new Date(created).getTime() < kept * DAY_MS ? "Not yet" : `Not in the last ${countOf(kept, "day")}`

const Figures = ({ totals: { last_viewed_at, unique_visitors, views }, window }: Pick<Analytics, "totals" | "window">) => {
  const { created_at } = useProject()
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-4 md:gap-x-12">
      {[["Views", numberOf(views)], ["Readers", numberOf(unique_visitors)]].map(([name, value]) => (
        <div key={name}><dt className="text-small text-muted">{name}</dt><dd className="text-title font-semibold tabular-nums">{value}</dd></div>
      ))}
      <div><dt className="text-small text-muted">Last read</dt><dd className="mt-1 text-lead">{last_viewed_at === null ? unread(created_at, window) : <Time at={last_viewed_at} />}</dd></div>
    </dl>
  )
}

const Days = ({ series }: Pick<Analytics, "series">) => (
  <details className="group">
    <summary className="inline-flex min-h-11 items-center gap-1.5 rounded-control text-muted hover:text-ink md:min-h-9">
      <Icon name="down" size={16} className="-rotate-90 transition-transform group-open:rotate-0" />Day by day
    </summary>
    <Table
      label="Readers by day" rows={series.toReversed()} keyOf={({ date }) => date}
      columns={[
        { name: "Day (UTC)", cell: ({ date }) => utcDayOf(new Date(date)) },
        { name: "Views", cell: ({ views }) => numberOf(views), align: "right" },
        { name: "Readers", cell: ({ unique_visitors }) => numberOf(unique_visitors), align: "right" }
      ]}
    />
  </details>
)

const Body = ({ data }: { readonly data: Analytics }) => {
  const { slug, workspace_id: workspace } = useProject()
  const { series, share_links, totals, window } = data
  const { data: offers } = useQuery({ ...plans, enabled: window.truncated })
  return (
    <>
      <Figures totals={totals} window={window} />
      {window.truncated && (
        <p className="flex gap-2 text-muted">
          <Icon name="warn" className="mt-px shrink-0 text-warn" />
          <span>
            Your plan keeps {countOf(window.retention_days ?? window.days, "day")} of readers, so this shows {countOf(window.days, "day")} and not {numberOf(window.requested_days)}.{" "}
            {offers?.billing_enabled === true && <Link to="/workspace/billing" search={{ workspace }} className="underline underline-offset-4">See plans</Link>}
          </span>
        </p>
      )}
      <div className="h-60">
        {totals.views === 0
          ? <div className="grid h-full place-items-center rounded-sheet border border-line text-muted">Nobody has read it in these {window.days} days.</div>
          : <Suspense fallback={<Skeleton className="h-full" />}><Chart series={series} /></Suspense>}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <p className="text-small text-muted">A view is one load of a page, and one person is one reader a day. Days are counted in UTC.</p>
        <Days series={series} />
      </div>
      <Section title="Recipients’ links" hint="How often each was opened, whenever that was. Preview bots do not count.">
        {share_links.length === 0
          ? <Empty icon="open" title="No links so far" action={<Link to="/projects/$slug/share" params={{ slug }} className={buttonClass()}>Make a link</Link>}>Give each person a link of their own, and see here who opened it.</Empty>
          : (
            <Table
              label="Recipients’ links" rows={share_links.map((link, index) => ({ ...link, index }))} keyOf={({ index }) => index}
              columns={[
                { name: "For", cell: ({ label }) => <span className="wrap-anywhere">{label}</span> },
                { name: "First opened", cell: ({ first_opened_at }) => first_opened_at === null ? <span className="text-muted">–</span> : <Time at={first_opened_at} />, align: "right", wide: true },
                { name: "Opened", cell: ({ view_count }) => view_count === 0 ? <span className="text-muted">Not yet</span> : countOf(view_count, "time"), align: "right" }
              ]}
            />
          )}
      </Section>
    </>
  )
}

export const ProjectAnalytics = () => {
  const { slug } = useProject()
  const [days, setDays] = useState<Days>("30")
  const read = useQuery({ ...analyticsOf(slug, Number(days)), placeholderData: (before) => before })
  const { data } = read
  if (isMissing(read)) return <Unread of={read} />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segments label="How far back" value={days} onChange={setDays} options={WINDOWS} />
        <a href={analyticsCsvUrl(slug, Number(days))} download className={buttonClass("bare")}><Icon name="download" /><span><span className="max-sm:sr-only">Download </span>CSV</span></a>
      </div>
      {data === undefined ? <Loading what="readers"><div className="grid gap-6"><Skeleton className="h-14 w-80" /><Skeleton className="h-60" /></div></Loading> : <Body data={data} />}
    </div>
  )
}
