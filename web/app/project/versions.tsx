/** Every version that is kept: what is live, what came before, and what changed between two of them. */
import { getRouteApi, Link } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { download, restoreForGood, restoreVersion } from "../api/projects.ts"
import type { Version } from "../api/projects.ts"
import { useChange } from "../api/queries.ts"
import { useSession } from "../frame/session.ts"
import { PublishButton } from "../library/drop-zone.tsx"
import { Button, buttonClass, IconButton } from "../ui/button.tsx"
import { countOf, sizeOf, Time } from "../ui/facts.tsx"
import { Icon } from "../ui/icon.tsx"
import { Menu, MenuItem } from "../ui/menu.tsx"
import { Chip, Empty, Loading, Section, Skeleton, Table } from "../ui/parts.tsx"
import { Select } from "../ui/select.tsx"
import { backAfter, useWayBack } from "../ui/way-back.ts"
import { PLANS } from "../workspace/plans.ts"
import { useMayPublish, useProject } from "./project.tsx"

const Comparison = lazy(() => import("./comparison.tsx"))
const route = getRouteApi("/framed/projects/$slug/versions")

const Compared = ({ from, to }: { readonly from: number; readonly to: number }) => {
  const project = useProject()
  const { slug, versions } = project
  const navigate = route.useNavigate()
  useWayBack()
  const options = versions.map(({ current, version }) => ({ value: String(version), label: `Version ${version}${current ? ", live" : ""}` }))
  const named = (version: number) => options.some(({ value }) => value === String(version)) ? options : [...options, { value: String(version), label: `Version ${version}, not kept` }]
  const show = (next: { readonly from: number; readonly to: number }) => void navigate({ search: next, replace: true, resetScroll: false })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Link to="/projects/$slug/versions" params={{ slug }} search={{}} className={buttonClass("bare", "-ml-2.5")}><Icon name="back" />All versions</Link>
        <div className="flex max-w-full flex-wrap items-center gap-2">
          <Select label="From" value={String(from)} onChange={(value) => show({ from: Number(value), to })} options={named(from)} />
          <span className="text-muted">to</span>
          <Select label="To" value={String(to)} onChange={(value) => show({ from, to: Number(value) })} options={named(to)} />
        </div>
      </div>
      <Suspense fallback={<Loading what="what changed"><Skeleton className="h-64" /></Loading>}><Comparison project={project} from={from} to={to} /></Suspense>
    </div>
  )
}

/** The version that is gone once there are so many `more`: each that comes pushes one out, the oldest, where the plan keeps no more. */
const going = (versions: ReadonlyArray<Version>, kept: number, more: number): number | undefined => {
  const [newest, oldest] = [versions[0], versions.at(-1)]
  return newest !== undefined && oldest !== undefined && oldest.version <= newest.version + more - kept ? oldest.version : undefined
}

export const Versions = () => {
  const { slug, versions, workspace_id } = useProject()
  const plan = useSession().workspaces.find(({ id }) => id === workspace_id)?.plan
  const kept = plan === undefined ? Number.POSITIVE_INFINITY : PLANS[plan].versions_kept
  const goes = going(versions, kept, 1)
  const { from, to } = route.useSearch()
  const mayPublish = useMayPublish()
  const navigate = route.useNavigate()
  const restore = useChange(going(versions, kept, 2) === undefined ? restoreVersion : restoreForGood)
  const save = useChange(download)
  const [busy, setBusy] = useState<number>()
  const live = versions.find(({ current }) => current)?.version ?? 0
  if (from !== undefined && to !== undefined) return <Compared from={from} to={to} />
  if (versions.length === 0) return <Empty icon="history" title="Nothing is published yet" action={mayPublish ? <PublishButton shape="quiet">Choose a file</PublishButton> : undefined}>The first version shows up here.</Empty>
  const bringBack = (version: number) => {
    // The menus stay open to choose from meanwhile.
    if (busy !== undefined) return
    setBusy(version)
    backAfter(restore.mutateAsync({ slug, version, seen: live, goes }).finally(() => setBusy(undefined)))
  }
  const compare = (from: number, to: number) => backAfter(navigate({ search: { from, to } }))
  const before = (version: number) => versions.find((one) => one.version < version)?.version
  return (
    <div><Section title="Versions" hint={`Publishing again keeps the address and adds a version. Restoring one makes its content the newest${goes === undefined ? "; nothing is lost" : `. Your plan keeps ${kept} versions: version ${goes} makes room for the next one`}.`}>
      <Table
        label="Versions" rows={versions} keyOf={({ version }) => version}
        columns={[
          { name: "Version", cell: ({ current, version }) => <span className="flex flex-wrap items-center gap-x-3"><span className="font-mono font-medium">{version}</span>{current && <Chip icon="check" tone="good">Live</Chip>}</span> },
          { name: "Published", cell: ({ created_at }) => <Time at={created_at} /> },
          { name: "By", cell: ({ created_by }) => <span className="inline-block min-w-19 wrap-anywhere">{created_by.name}</span>, wide: true },
          { name: "Files", cell: ({ file_count }) => countOf(file_count, "file"), align: "right", wide: true },
          { name: "Size", cell: ({ size_bytes }) => sizeOf(size_bytes), align: "right", spare: true },
          {
            name: "Actions", align: "right", unsaid: true,
            cell: ({ current, version }) => {
              const earlier = before(version)
              return (
                <span className="-my-2 inline-flex items-center justify-end gap-1 align-middle">
                  {!current && mayPublish && (
                    <Button shape="bare" className="max-md:hidden" busy={busy === version} disabled={busy !== undefined} onClick={() => bringBack(version)}>
                      Restore<span className="sr-only"> version {version}</span>
                    </Button>
                  )}
                  <Menu trigger={<IconButton icon="more" label={`Version ${version}`} />}>
                    {!current && mayPublish && <MenuItem icon="history" onSelect={() => bringBack(version)}>Restore this version</MenuItem>}
                    {earlier !== undefined && <MenuItem icon="compare" onSelect={() => compare(earlier, version)}>What changed in it</MenuItem>}
                    {!current && <MenuItem icon="compare" onSelect={() => compare(version, live)}>Compare with the live one</MenuItem>}
                    <MenuItem icon="download" onSelect={() => save.mutate({ slug, version })}>Download as zip</MenuItem>
                  </Menu>
                </span>
              )
            }
          }
        ]}
      />
    </Section></div>
  )
}
