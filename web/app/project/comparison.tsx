/** What changed from one version to another: which files, and in texts line by line. */
import { useQuery } from "@tanstack/react-query"
import { comparisonOf } from "../api/projects.ts"
import type { ProjectDetail } from "../api/projects.ts"
import type { components } from "../api/client.ts"
import { asRefusal } from "../api/refusal.ts"
import { Unread } from "../frame/trouble.tsx"
import { countOf, sizeOf } from "../ui/facts.tsx"
import { Chip, Empty, Loading, Skeleton } from "../ui/parts.tsx"

type Found = components["schemas"]["Comparison"]
type Hunk = NonNullable<Found["diffs"][number]["hunks"]>[number]

const SIGNS = { same: " ", removed: "−", added: "+" } as const
const TINTS = {
  same: "",
  removed: "bg-[color-mix(in_srgb,var(--bad)_11%,transparent)]",
  added: "bg-[color-mix(in_srgb,var(--good)_12%,transparent)]"
} as const
const HEARD = { same: "", removed: "Removed: ", added: "Added: " } as const

const Lines = ({ hunk }: { readonly hunk: Hunk }) => {
  let [from, to] = [hunk.from_line, hunk.to_line]
  return hunk.lines.map(({ kind, text }, index) => {
    const [left, right] = [kind === "added" ? "" : from++, kind === "removed" ? "" : to++]
    return (
      <tr key={index} className={TINTS[kind]}>
        <td className="w-px px-2 text-right text-muted select-none max-sm:hidden">{left}</td>
        <td className="w-px px-2 text-right text-muted select-none max-sm:hidden">{right}</td>
        <td aria-hidden="true" className="w-px pl-3 select-none">{SIGNS[kind]}</td>
        <td className="py-px pr-3 pl-2 whitespace-pre-wrap break-words"><span className="sr-only">{HEARD[kind]}</span>{text}</td>
      </tr>
    )
  })
}

const LEFT_OUT = { too_large: "Too large to show line by line.", no_room: "There was no more room for this one. Download both versions to compare them." } as const

const Diff = ({ diff: { hunks, left_out, path } }: { readonly diff: Found["diffs"][number] }) => (
  <section aria-label={path} className="overflow-hidden rounded-control border border-line">
    <h2 className="border-b border-line bg-desk px-3 py-2 font-mono text-small font-medium break-all">{path}</h2>
    {hunks === null
      ? <p className="px-3 py-4 text-muted">{LEFT_OUT[left_out ?? "no_room"]}</p>
      : (
        <table className="w-full border-collapse font-mono text-tiny leading-5 tabular-nums">
          <caption className="sr-only">Lines changed in {path}</caption>
          <thead>
            <tr>
              <th scope="col" className="p-0 max-sm:hidden"><span className="sr-only">Line before</span></th>
              <th scope="col" className="p-0 max-sm:hidden"><span className="sr-only">Line after</span></th>
              <td aria-hidden="true" className="p-0" />
              <th scope="col" className="p-0"><span className="sr-only">Text</span></th>
            </tr>
          </thead>
          {hunks.map((hunk, index) => (
            <tbody key={index} className="border-line not-first-of-type:border-t"><Lines hunk={hunk} /></tbody>
          ))}
        </table>
      )}
  </section>
)

const Files = ({ files: { added, changed, removed }, shown }: { readonly files: Found["files"]; readonly shown: ReadonlySet<string> }) => {
  const rows = [
    ...added.map(({ path, size_bytes }) => ({ path, what: "Added", tone: "good", size: sizeOf(size_bytes) } as const)),
    ...removed.map(({ path, size_bytes }) => ({ path, what: "Removed", tone: "bad", size: sizeOf(size_bytes) } as const)),
    ...changed.filter(({ path }) => !shown.has(path)).map(({ path, size_bytes_from, size_bytes_to }) => ({ path, what: "Changed", tone: "warn", size: `${sizeOf(size_bytes_from)} → ${sizeOf(size_bytes_to)}` } as const))
  ]
  if (rows.length === 0) return null
  return (
    <ul aria-label="Files" className="divide-y divide-line rounded-control border border-line">
      {rows.map(({ path, size, tone, what }) => (
        <li key={path} className="flex items-center gap-3 px-3 py-2">
          <span className="w-20 shrink-0"><Chip tone={tone}>{what}</Chip></span>
          <span className="min-w-0 flex-1 font-mono text-small break-all">{path}</span>
          <span className="text-small whitespace-nowrap text-muted">{size}</span>
        </li>
      ))}
    </ul>
  )
}

const Comparison = ({ from, project, to }: { readonly project: Pick<ProjectDetail, "id" | "slug">; readonly from: number; readonly to: number }) => {
  const read = useQuery(comparisonOf(project, from, to))
  const { data, error } = read
  if (error !== null && asRefusal(error).faults.some(({ field }) => field === "from" || field === "to")) return <Empty icon="history" title="That version is not kept">It may have made room for newer ones. Choose two of those that are kept.</Empty>
  if (error !== null) return <Unread of={read} />
  if (data === undefined) return <Loading what="what changed"><Skeleton className="h-64" /></Loading>
  const { diffs, files, summary, truncated } = data
  if (summary.added + summary.changed + summary.removed === 0) return <Empty icon="check" title="Nothing differs">Both versions have the same {countOf(summary.unchanged, "file")}.</Empty>
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="facts text-muted">
        {summary.changed > 0 && <span>{countOf(summary.changed, "file")} changed</span>}
        {summary.added > 0 && <span>{countOf(summary.added, "file")} added</span>}
        {summary.removed > 0 && <span>{countOf(summary.removed, "file")} removed</span>}
        {summary.unchanged > 0 && <span>{countOf(summary.unchanged, "file")} the same</span>}
      </p>
      <Files files={files} shown={new Set(diffs.map(({ path }) => path))} />
      {diffs.map((diff) => <Diff key={diff.path} diff={diff} />)}
      {truncated && <p className="text-small text-muted">There is more than is shown here.</p>}
    </div>
  )
}

export default Comparison
